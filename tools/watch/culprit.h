/* SPDX-License-Identifier: GPL-2.0-only */
/* What most of the time before an alert went to, and who is to blame. */
#ifndef TOOLS_WATCH_CULPRIT_H
#define TOOLS_WATCH_CULPRIT_H

#include "watch/event.h"

struct culprit {
	const struct taskrt_alert_event *longest;	/* of its kind; NULL: no event tells */
	uint64_t longest_ns;	/* the part of it that was looked at */
	uint64_t ns;		/* of all intervals of this state */
	uint32_t count;
	/* Where it ran: the page fault, lock or the like that most of that went to. */
	const struct taskrt_alert_event *inside;
	uint64_t inside_ns;
	uint64_t window_ns;	/* the time before the alert that was looked at */
	uint32_t usual;		/* the state of its usual waits; TASKRT_NONE: it has none */
};

/*
 * Look at the last window_ns; 0: from the end of the thread's last usual wait on,
 * as far back as the events go.  Of an alert that an interval raised it is that one alone.
 */
void culprit_find(struct culprit *culprit, const struct record *record,
		  uint64_t window_ns);

#endif
