// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of numbers, spelled as in JSON: the only place of the library that a new
 * state, timer, kind of lock or value has to be added to.
 */
#include "internal.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

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
	[TASKRT_STATE_THROTTLED]	= "throttled",
	[TASKRT_STATE_EXITED]		= "exited",
};

static const char *const timer_names[] = {
	[TASKRT_TIMER_FAULT]		= "fault",
	[TASKRT_TIMER_LOCK]		= "lock",
	[TASKRT_TIMER_HARDIRQ]		= "hardirq",
	[TASKRT_TIMER_SOFTIRQ]		= "softirq",
	[TASKRT_TIMER_STEAL]		= "steal",
	[TASKRT_TIMER_RECLAIM]		= "reclaim",
	[TASKRT_TIMER_COMPACT]		= "compact",
	[TASKRT_TIMER_THRASHING]	= "thrashing",
	[TASKRT_TIMER_SWAPIN]		= "swapin",
	[TASKRT_TIMER_WPCOPY]		= "wpcopy",
	[TASKRT_TIMER_EXPIRY]		= "expiry",
};

static const char *const lock_names[] = {
	[TASKRT_LOCK_MUTEX]		= "mutex",
	[TASKRT_LOCK_RWSEM_READ]	= "rwsem_read",
	[TASKRT_LOCK_RWSEM_WRITE]	= "rwsem_write",
	[TASKRT_LOCK_RT_MUTEX]		= "rt_mutex",
	[TASKRT_LOCK_OTHER]		= "other",
};

static const char *const value_names[] = {
	[TASKRT_VALUE_VOLUNTARY_SWITCHES]	= "voluntary_switches",
	[TASKRT_VALUE_INVOLUNTARY_SWITCHES]	= "involuntary_switches",
	[TASKRT_VALUE_WAKEUPS]			= "wakeups",
	[TASKRT_VALUE_MINOR_FAULTS]		= "minor_faults",
	[TASKRT_VALUE_MAJOR_FAULTS]		= "major_faults",
	[TASKRT_VALUE_MINOR_FAULT_NS]		= "minor_fault_ns",
	[TASKRT_VALUE_MAJOR_FAULT_NS]		= "major_fault_ns",
	[TASKRT_VALUE_USER_NS]			= "user_ns",
	[TASKRT_VALUE_SYSTEM_NS]		= "system_ns",
	[TASKRT_VALUE_CYCLES]			= "cycles",
	[TASKRT_VALUE_INSTRUCTIONS]		= "instructions",
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

/* Numbers that nobody has given are holes in these tables. */
static const char *name_in(const char *const *names, unsigned int nr, unsigned int number)
{
	return number < nr ? names[number] : NULL;
}

const char *taskrt_state_name(unsigned int state)
{
	return name_in(state_names, NR(state_names), state);
}

const char *taskrt_timer_name(unsigned int timer)
{
	return name_in(timer_names, NR(timer_names), timer);
}

const char *taskrt_lock_name(unsigned int lock)
{
	return name_in(lock_names, NR(lock_names), lock);
}

const char *taskrt_value_name(unsigned int value)
{
	return name_in(value_names, NR(value_names), value);
}

const char *taskrt_cause_name(unsigned int cause)
{
	return name_in(cause_names, NR(cause_names), cause);
}

const char *taskrt_reason_name(unsigned int reason)
{
	return name_in(reason_names, NR(reason_names), reason);
}

/* TASKRT_VERSION comes from dkms.conf, through the Makefile. */
const char *taskrt_version(void)
{
	return TASKRT_VERSION;
}
