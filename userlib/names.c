// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of numbers, spelled as in JSON. */
#include "internal.h"

static const char *const state_names[] = {
	[TASKRT_STATE_RUNNING]		= "running",
	[TASKRT_STATE_PREEMPTED]	= "preempted",
	[TASKRT_STATE_WOKEN]		= "woken",
	[TASKRT_STATE_BLOCKED_LOCK]	= "blocked_lock",
	[TASKRT_STATE_BLOCKED_FAULT]	= "blocked_fault",
	[TASKRT_STATE_BLOCKED_IO]	= "blocked_io",
	[TASKRT_STATE_BLOCKED_OTHER]	= "blocked_other",
	[TASKRT_STATE_SLEEPING_FUTEX]	= "sleeping_futex",
	[TASKRT_STATE_SLEEPING_POLL]	= "sleeping_poll",
	[TASKRT_STATE_SLEEPING_TIMER]	= "sleeping_timer",
	[TASKRT_STATE_SLEEPING]		= "sleeping",
	[TASKRT_STATE_STOPPED]		= "stopped",
	[TASKRT_STATE_EXITED]		= "exited",
};

static const char *const lock_names[] = {
	[TASKRT_LOCK_MUTEX]		= "mutex",
	[TASKRT_LOCK_RWSEM_READ]	= "rwsem_read",
	[TASKRT_LOCK_RWSEM_WRITE]	= "rwsem_write",
	[TASKRT_LOCK_RT_MUTEX]		= "rt_mutex",
	[TASKRT_LOCK_OTHER]		= "other",
};

static const char *const inclusive_names[] = {
	[TASKRT_TIMER_FAULT - TASKRT_NR_STATES]	= "fault",
	[TASKRT_TIMER_LOCK - TASKRT_NR_STATES]	= "lock",
};

/* As in a line for people. */
static const char *const cause_names[] = {
	[TASKRT_CAUSE_COMPUTING]	= "computing",
	[TASKRT_CAUSE_QUEUED]		= "queued",
	[TASKRT_CAUSE_FAULT]		= "page fault",
	[TASKRT_CAUSE_LOCK]		= "kernel lock",
	[TASKRT_CAUSE_IO]		= "I/O",
	[TASKRT_CAUSE_BLOCKED]		= "blocked",
	[TASKRT_CAUSE_FUTEX]		= "futex",
	[TASKRT_CAUSE_POLL]		= "poll",
	[TASKRT_CAUSE_TIMER]		= "timer",
	[TASKRT_CAUSE_ASLEEP]		= "asleep",
	[TASKRT_CAUSE_STOPPED]		= "stopped",
	[TASKRT_CAUSE_UNEXPLAINED]	= "unexplained",
};

static const char *const reason_names[] = {
	[TASKRT_REASON_TOLD]	= "told",
	[TASKRT_REASON_OVER]	= "over",
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

_Static_assert(NR(state_names) == TASKRT_NR_STATES + 1, "a state has no name");
_Static_assert(NR(lock_names) == TASKRT_NR_LOCKS, "a lock has no name");
_Static_assert(NR(inclusive_names) == TASKRT_NR_TIMERS - TASKRT_NR_STATES, "a timer has no name");
_Static_assert(NR(cause_names) == TASKRT_NR_CAUSES, "a cause has no name");

const char *taskrt_state_name(unsigned int state)
{
	return state < NR(state_names) ? state_names[state] : NULL;
}

const char *taskrt_lock_name(unsigned int lock)
{
	return lock < NR(lock_names) ? lock_names[lock] : NULL;
}

const char *taskrt_timer_name(unsigned int timer)
{
	if (timer < TASKRT_NR_STATES)
		return state_names[timer];
	timer -= TASKRT_NR_STATES;
	return timer < NR(inclusive_names) ? inclusive_names[timer] : NULL;
}

const char *taskrt_cause_name(unsigned int cause)
{
	return cause < NR(cause_names) ? cause_names[cause] : NULL;
}

const char *taskrt_reason_name(unsigned int reason)
{
	return reason < NR(reason_names) ? reason_names[reason] : NULL;
}

/* TASKRT_VERSION comes from dkms.conf, through the Makefile. */
const char *taskrt_version(void)
{
	return TASKRT_VERSION;
}
