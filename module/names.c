// SPDX-License-Identifier: GPL-2.0-only
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/taskrt.h>
#include "names.h"
#include "record.h"

static const char * const states[] = {
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
};

static const char * const timers[] = {
	[TASKRT_TIMER_FAULT]	= "fault",
	[TASKRT_TIMER_LOCK]	= "lock",
};

static const char * const locks[] = {
	[TASKRT_LOCK_MUTEX]		= "mutex",
	[TASKRT_LOCK_RWSEM_READ]	= "rwsem_read",
	[TASKRT_LOCK_RWSEM_WRITE]	= "rwsem_write",
	[TASKRT_LOCK_RT_MUTEX]		= "rt_mutex",
	[TASKRT_LOCK_OTHER]		= "other",
};

static const char * const values[] = {
	[TASKRT_VALUE_VOLUNTARY_SWITCHES]	= "voluntary_switches",
	[TASKRT_VALUE_INVOLUNTARY_SWITCHES]	= "involuntary_switches",
	[TASKRT_VALUE_WAKEUPS]			= "wakeups",
	[TASKRT_VALUE_MINOR_FAULTS]		= "minor_faults",
	[TASKRT_VALUE_MAJOR_FAULTS]		= "major_faults",
	[TASKRT_VALUE_MINOR_FAULT_NS]		= "minor_fault_ns",
	[TASKRT_VALUE_MAJOR_FAULT_NS]		= "major_fault_ns",
};

static_assert(ARRAY_SIZE(states) == NR_STATES);
static_assert(ARRAY_SIZE(timers) == NR_TIMERS);
static_assert(ARRAY_SIZE(locks) == NR_LOCKS);
static_assert(ARRAY_SIZE(values) == NR_VALUES);

const struct names names_states = { states, ARRAY_SIZE(states) };
const struct names names_timers = { timers, ARRAY_SIZE(timers) };
const struct names names_locks = { locks, ARRAY_SIZE(locks) };
const struct names names_values = { values, ARRAY_SIZE(values) };

/* All that there are have none; one that follows them will have one of these twelve. */
u8 names_parent(u8 state)
{
	return state;
}
