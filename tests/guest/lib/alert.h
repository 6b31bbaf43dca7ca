/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener to alerts that does not use the library: it assembles the messages of an
 * alert, and checks each against what the header promises.
 */
#ifndef ALERT_H
#define ALERT_H

#include "raw.h"

#define ALERT_TEXT	128

/* A kind of event: a state, or one of these. */
#define ALERT_FAULT	(TASKRT_EVENT_TIMER << 16 | TASKRT_TIMER_FAULT)
#define ALERT_LOCK	(TASKRT_EVENT_TIMER << 16 | TASKRT_TIMER_LOCK)

struct alert_event {
	struct taskrt_event event;
	char caller[ALERT_TEXT];	/* "": none */
	unsigned int nr_frames;
	char frames[TASKRT_FRAMES_MAX][ALERT_TEXT];
};

/* One alert, assembled from its messages. */
struct alert {
	uint64_t seq, lost, at_ns, begin_ns, said_end_ns, recorded;
	uint32_t tid, tgid, reason;
	char comm[16];
	char tag[ALERT_TEXT];		/* "": none */
	unsigned int seen;		/* attributes, 1 << TASKRT_ALERT_A_* */
	unsigned int messages;
	unsigned int nr_events;		/* the present one included */
	struct alert_event events[TASKRT_DEPTH_MAX + 8];
};

struct alert_listener {
	struct raw raw;
	uint32_t group;
	uint64_t received;		/* whole ones */
	uint64_t next_seq;		/* after the last whole one; 0: there was none */
	uint64_t told;			/* delivered by SEQ and LOST, the last included */
	int told_overrun;		/* overrun at that time */
	uint64_t missed;		/* gaps in SEQ, since the first */
	unsigned int wrong;		/* broken promises; each is printed with its reason */
	int overrun;			/* messages did not fit the socket */
	struct alert alert;		/* the last one */
	int begun;
	size_t offset, length;
	char buffer[65536] __attribute__((aligned(8)));
};

/* Opens the listener, or ends the test.  The structure is large: allocate it statically. */
void alert_open(struct alert_listener *listener);
void alert_close(struct alert_listener *listener);
/* The next alert within this many ms; NULL: none came. */
const struct alert *alert_next(struct alert_listener *listener, int ms);
/* The next alert of that thread, skipping others; NULL: none came within CLOCK_PATIENCE. */
const struct alert *alert_of(struct alert_listener *listener, uint32_t tid);
/* Takes what is there. */
void alert_drain(struct alert_listener *listener);

static inline uint32_t alert_kind(const struct taskrt_event *event)
{
	return (uint32_t)event->type << 16 | event->which;
}

/* "blocked_lock", "fault". */
const char *alert_kind_name(uint32_t kind);
/* The longest event of that kind; NULL: there is none. */
const struct alert_event *alert_longest(const struct alert *alert, uint32_t kind);
/* Is this in the name of one of the functions of its stack? */
int alert_leads_to(const struct alert_event *event, const char *where);
/* Prints the alert, for the reader of a failure. */
void alert_print(const struct alert *alert);

#endif
