/* SPDX-License-Identifier: GPL-2.0-only */
/* An alert with its events, which are what the armed thread went through. */
#ifndef TOOLS_WATCH_EVENT_H
#define TOOLS_WATCH_EVENT_H

#include <taskrt.h>

struct record {
	struct taskrt_alert alert;
	const struct taskrt_alert_event *events;	/* of alert.nr_events, the oldest first */
	uint64_t number;	/* counts the alerts that this command prints, from 1 */

	struct taskrt_alert_event *room;	/* private */
	size_t nr_room;
};

/*
 * The next alert, if there is one by now.  A record starts all zero; its contents are valid until
 * the next call.  Without memory the program ends.
 * Return: as taskrt_alerts_next().
 */
int record_next(struct record *record, struct taskrt_alerts *alerts);

void record_free(struct record *record);

/* All events of a record; item is declared. */
#define for_each_event(item, record)								\
	for (const struct taskrt_alert_event *item = (record)->events;				\
	     (size_t)(item - (record)->events) < (record)->alert.nr_events; item++)

#define PERSON_MAX	64	/* bytes that the longest "comm (tid)" takes, with its NUL */
#define HOLDER_MAX	96
#define SYSCALL_MAX	32

/*
 * Why the alert was raised: "requested", "over".  An unknown reason is "reason2", valid until the
 * next call.
 */
const char *event_reason(const struct taskrt_alert *alert);

/*
 * "blocked_lock" and the other states, "page_fault", "lock"; never NULL.  An unknown type is
 * "type2", valid until the next call.
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
 * Is the kernel lock known, or the address of the page fault?  Neither is known if the wait started
 * before the thread was armed.
 */
static inline int event_has_lock(const struct taskrt_event *event)
{
	return event->object != 0;
}

static inline int event_has_fault(const struct taskrt_event *event)
{
	return event->address != 0;
}

/* Is the address known at which it waited in futex(2)? */
static inline int event_has_futex(const struct taskrt_event *event)
{
	return event->futex != 0;
}

/* The operation of futex(2): "wait_bitset"; NULL: not known. */
const char *event_futex_op(const struct taskrt_event *event);

/*
 * The system call in which it left the CPU: "fsync", or a number that libseccomp does not know.
 * NULL: none, or not known.
 */
const char *event_syscall(char text[SYSCALL_MAX], const struct taskrt_event *event);

/* The kind of its lock, if it had one; never NULL. */
const char *event_lock_name(const struct taskrt_event *event);

/* "comm (tid)", made safe by text_utf8(); NULL: no task, or not known. */
const char *event_person(char text[PERSON_MAX], const char comm[16], uint32_t tid);

/* The holder: "by reload (209)", or "for reading, last by reload (209)"; NULL: not known. */
const char *event_holder(char text[HOLDER_MAX], const struct taskrt_event *event);

/* The task that ended the wait; NULL: an interrupt, not known, or the wait is not over. */
const char *event_waker(char text[PERSON_MAX], const struct taskrt_event *event);

/*
 * The end of the event, or the time of the alert if it was not over.  If several intervals share
 * the event: the end of the last one.
 */
uint64_t event_end(const struct taskrt_event *event);

/* The number of intervals, and the length of the longest one. */
static inline uint32_t event_count(const struct taskrt_event *event)
{
	return event->count ? event->count : 1;
}

static inline uint64_t event_longest(const struct taskrt_event *event)
{
	return event->count ? event->longest_ns : event->ns;
}

/* The part of it between since and until.  Several intervals count as if spread evenly. */
uint64_t event_part(const struct taskrt_event *event, uint64_t since, uint64_t until);

/* Did it start before the thread was armed, so that its details are not known? */
static inline int event_is_early(const struct taskrt_event *event)
{
	return !!(event->flags & TASKRT_EVENT_EARLY);
}

/* The part of the wait that the timer slack permits; 0 if that is negligible. */
uint64_t event_slack(const struct taskrt_event *event);

/*
 * The events of an alert by their start, whole ones before their parts.
 * Return: the first of record->alert.nr_events, to be freed; NULL: there are none.  Without memory
 * the program ends.
 */
const struct taskrt_alert_event **event_order(const struct record *record);

#endif
