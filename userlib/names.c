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

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

_Static_assert(NR(state_names) == TASKRT_NR_STATES + 1, "a state has no name");
_Static_assert(NR(lock_names) == TASKRT_NR_LOCKS, "a lock has no name");

const char *taskrt_state_name(unsigned int state)
{
	return state < NR(state_names) ? state_names[state] : NULL;
}

const char *taskrt_lock_name(unsigned int lock)
{
	return lock < NR(lock_names) ? lock_names[lock] : NULL;
}

/* TASKRT_VERSION comes from dkms.conf, through the Makefile. */
const char *taskrt_version(void)
{
	return TASKRT_VERSION;
}
