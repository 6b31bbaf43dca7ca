/* SPDX-License-Identifier: GPL-2.0-only */
/* An alert with its events, which are what the armed thread went through. */
#ifndef TOOLS_WATCH_EVENT_H
#define TOOLS_WATCH_EVENT_H

#include <taskrt.h>

struct record {
	struct taskrt_alert alert;
	const struct taskrt_alert_event *events;	/* of alert.nr_events, the oldest first */
	uint64_t number;	/* of those that this command prints, from 1 on */

	struct taskrt_alert_event *room;	/* private */
	size_t nr_room;
};

/*
 * The next alert, if there is one by now.  A record begins all zero; what it holds is valid
 * until the next call.  Without memory the program ends.
 * Return: as taskrt_alerts_next().
 */
int record_next(struct record *record, struct taskrt_alerts *alerts);

void record_free(struct record *record);

/* All of them; item is declared. */
#define for_each_event(item, record)								\
	for (const struct taskrt_alert_event *item = (record)->events;				\
	     (size_t)(item - (record)->events) < (record)->alert.nr_events; item++)

#define PERSON_MAX	64	/* bytes that the longest "comm (tid)" takes, with its NUL */
#define HOLDER_MAX	96
#define SYSCALL_MAX	32

/*
 * Why the alert was raised: "requested", "over".  What is not known here is "reason2", until
 * the next call.
 */
const char *event_reason(const struct taskrt_alert *alert);

/*
 * "blocked_lock" and the other states, "page_fault", "lock"; never NULL.  An event of a type
 * that is not known here is "type2", until the next call.
 */
const char *event_name(const struct taskrt_event *event);

/* Was it an interval in a state: in any, in this one, in one of this cause? */
static inline int event_is_state(const struct taskrt_event *event)
{
	return event->type == TASKRT_EVENT_STATE && event->which < TASKRT_STATES_ROOM;
}

static inline int event_is_in(const struct taskrt_event *event, unsigned int state)
{
	return event_is_state(event) && event->which == state;
}

int event_is_caused(const struct taskrt_event *event, unsigned int state);

/* Was it a whole interval of this timer? */
static inline int event_is_whole(const struct taskrt_event *event, unsigned int timer)
{
	return event->type == TASKRT_EVENT_TIMER && event->which == timer;
}

/*
 * Is it known which kernel lock it was about; which address, if it was in a page fault?
 * Of a wait that began before the thread was armed neither is.
 */
static inline int event_has_lock(const struct taskrt_event *event)
{
	return event->object != 0;
}

static inline int event_has_fault(const struct taskrt_event *event)
{
	return event->address != 0;
}

/* Is it known at which address it waited in futex(2)? */
static inline int event_has_futex(const struct taskrt_event *event)
{
	return event->futex != 0;
}

/* By which operation of futex(2): "wait_bitset"; NULL: not known. */
const char *event_futex_op(const struct taskrt_event *event);

/*
 * The system call in which it left the CPU: "fsync", or the number of one that libseccomp does
 * not know.  NULL: it was in none, or it is not known.
 */
const char *event_syscall(char text[SYSCALL_MAX], const struct taskrt_event *event);

/* The kind of its lock, where it had one; never NULL. */
const char *event_lock_name(const struct taskrt_event *event);

/* "comm (tid)", as text_utf8() has it; NULL: nobody, or not known. */
const char *event_person(char text[PERSON_MAX], const char comm[16], uint32_t tid);

/* Who had the lock: "by " a person, "for reading, last by " one; NULL: not known. */
const char *event_holder(char text[HOLDER_MAX], const struct taskrt_event *event);

/* Who ended the wait: a person; NULL: an interrupt, or not known, or it is not over. */
const char *event_waker(char text[PERSON_MAX], const struct taskrt_event *event);

/*
 * When it was over, or, where it was not, when the alert was raised.  Of several intervals
 * that share the event: when the last one was.
 */
uint64_t event_end(const struct taskrt_event *event);

/* How many intervals there were, and how long the longest of them took. */
static inline uint32_t event_count(const struct taskrt_event *event)
{
	return event->count ? event->count : 1;
}

static inline uint64_t event_longest(const struct taskrt_event *event)
{
	return event->count ? event->longest_ns : event->ns;
}

/* How much of it was from since until then; of several, as if they were spread evenly. */
uint64_t event_part(const struct taskrt_event *event, uint64_t since, uint64_t until);

/* Did it start before the thread was armed, so that nobody knows what it was about? */
static inline int event_is_early(const struct taskrt_event *event)
{
	return !!(event->flags & TASKRT_EVENT_EARLY);
}

/* The part of the wait that the timer slack permits, if that is not next to nothing; or 0. */
uint64_t event_slack(const struct taskrt_event *event);

/*
 * The events of an alert as they began, whole ones before their parts.
 * Return: the first of record->alert.nr_events, to be freed; NULL: there are none.  Without
 * memory the program ends.
 */
const struct taskrt_alert_event **event_order(const struct record *record);

#endif
