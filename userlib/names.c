// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The names of numbers.  taskrt_names.h has those that the module shares; the tables
 * here name what only the library knows.
 */
#include <linux/taskrt_names.h>

#include "internal.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* These names appear in lines for people, so they are words and not identifiers. */
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
	[TASKRT_CAUSE_HARDIRQ]		= "interrupts",
	[TASKRT_CAUSE_SOFTIRQ]		= "softirqs",
	[TASKRT_CAUSE_EXPIRY]		= "late timer",
	[TASKRT_CAUSE_THROTTLED]	= "throttled",
	[TASKRT_CAUSE_FILE]		= "file",
	[TASKRT_CAUSE_SOCKET]		= "socket",
	[TASKRT_CAUSE_WAIT]		= "wait",
	[TASKRT_CAUSE_PAUSE]		= "pause",
	[TASKRT_CAUSE_STOLEN]		= "stolen",
	[TASKRT_CAUSE_RECLAIM_CPU]	= "reclaiming memory",
	[TASKRT_CAUSE_YIELDED]		= "yielded",
	[TASKRT_CAUSE_FAULT_CPU]	= "handling page faults",
};

static const char *const reason_names[] = {
	[TASKRT_REASON_REQUESTED] = "requested",
	[TASKRT_REASON_OVER]	= "over",
	[TASKRT_REASON_DISARMED] = "disarmed",
};

/* A number that has not been assigned is a hole in its table, and so has no name. */
static const char *name_in(const char *const *names, unsigned int nr, unsigned int number)
{
	return number < nr ? names[number] : NULL;
}

const char *taskrt_state_name(unsigned int state)
{
	return name_in(taskrt_state_names, NR(taskrt_state_names), state);
}

const char *taskrt_timer_name(unsigned int timer)
{
	return name_in(taskrt_timer_names, NR(taskrt_timer_names), timer);
}

const char *taskrt_lock_name(unsigned int lock)
{
	return name_in(taskrt_lock_names, NR(taskrt_lock_names), lock);
}

const char *taskrt_value_name(unsigned int value)
{
	return name_in(taskrt_value_names, NR(taskrt_value_names), value);
}

const char *taskrt_cause_name(unsigned int cause)
{
	return name_in(cause_names, NR(cause_names), cause);
}

const char *taskrt_reason_name(unsigned int reason)
{
	return name_in(reason_names, NR(reason_names), reason);
}

/* The Makefile takes TASKRT_VERSION from dkms.conf. */
const char *taskrt_version(void)
{
	return TASKRT_VERSION;
}
