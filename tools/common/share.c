// SPDX-License-Identifier: GPL-2.0-only
/* Groups of states by cause, each of which is a column in the tables of threads. */
#include <taskrt.h>

#include "common/names.h"
#include "common/share.h"

static const enum share shares[] = {
	[TASKRT_STATE_RUNNING] = SHARE_CPU,
	[TASKRT_STATE_PREEMPTED] = SHARE_QUEUE,
	[TASKRT_STATE_WOKEN] = SHARE_QUEUE,
	[TASKRT_STATE_BLOCKED_LOCK] = SHARE_LOCK,
	[TASKRT_STATE_BLOCKED_FAULT] = SHARE_FAULT,
	[TASKRT_STATE_BLOCKED_IO] = SHARE_IO,
	[TASKRT_STATE_BLOCKED_OTHER] = SHARE_BLOCK,
	[TASKRT_STATE_SLEEPING_FUTEX] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING_POLL] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING_TIMER] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING] = SHARE_SLEEP,
	[TASKRT_STATE_STOPPED] = SHARE_SLEEP,
	[TASKRT_STATE_THROTTLED] = SHARE_QUEUE,
	[TASKRT_STATE_SLEEPING_READ] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING_RECV] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING_WAIT] = SHARE_SLEEP,
	[TASKRT_STATE_SLEEPING_PAUSE] = SHARE_SLEEP,
};

#define COUNT	(sizeof(shares) / sizeof(shares[0]))

unsigned int share_cause(unsigned int state)
{
	unsigned int steps;

	/* A parent has a lower number than its children; the loop ends even if it has not. */
	for (steps = 0; state >= COUNT && steps < TASKRT_STATES_ROOM; steps++) {
		unsigned int parent = names_parent(state);

		if (parent >= state)
			break;
		state = parent;
	}
	return state;
}

enum share share_of(unsigned int state)
{
	state = share_cause(state);
	return state < COUNT ? shares[state] : NR_SHARES;
}
