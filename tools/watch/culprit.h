/* SPDX-License-Identifier: GPL-2.0-only */
/* What most of the time before an alert went to, and what is to blame. */
#ifndef TOOLS_WATCH_CULPRIT_H
#define TOOLS_WATCH_CULPRIT_H

#include "watch/event.h"

/* What the thread spent its time on: a state, or page faults on the CPU. */
#define SHARE_OF_FAULTS	TASKRT_STATES_ROOM
#define SHARES		(SHARE_OF_FAULTS + 1)

/* The task that had the CPU longest while the thread waited for it. */
struct occupant {
	char comm[16];
	uint32_t tid;		/* 0: none is known */
	uint64_t ns;		/* 0: not known for how long */
};

struct culprit {
	const struct taskrt_alert_event *longest;	/* of its kind; NULL: no event shows it */
	uint64_t longest_ns;	/* the part of it in the window */
	uint64_t ns;		/* of all intervals of this state */
	uint32_t count;
	/* If it was running: the page fault, lock or the like that took most of this. */
	const struct taskrt_alert_event *inside;
	uint64_t inside_ns;
	struct occupant occupant;
	uint64_t since_ns, until_ns;	/* the window */
	uint64_t window_ns;	/* its length */
	uint64_t cycle_ns;	/* the late cycle, whose end is the window; 0: not known */
	uint64_t shares_ns[SHARES];	/* of the window; they sum to it unless events are lost */
	uint32_t faults;	/* in SHARE_OF_FAULTS */
	uint64_t longest_fault_ns;
	uint32_t most;		/* the largest share; TASKRT_NONE: there is none */
	uint32_t usual;		/* the state of its usual waits; TASKRT_NONE: it has none */
};

/*
 * Look at the last window_ns.  0: look at the late cycle, if the thread said when it was, or else
 * at the time since the thread's last usual wait, as far back as the events go.  If an interval
 * raised the alert, look at this interval only.
 */
void culprit_find(struct culprit *culprit, const struct record *record,
		  uint64_t window_ns);

/* The same in one sentence. */

#define SUMMARY_MAX	1024	/* bytes that the longest takes, with its NUL */

struct summary {
	struct culprit culprit;
	char text[SUMMARY_MAX];
};

/* window_ns: see culprit_find(). */
void summary_make(struct summary *summary, const struct record *record, uint64_t window_ns);

#endif
