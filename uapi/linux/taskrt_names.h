/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Names of the numbers in taskrt.h, shared by the module and the library.  This header
 * is not installed.  Programs call the library instead, which asks the module for the
 * names that the library does not know.
 *
 * The names never change.  JSON has the same names, except that "fault" is "page_fault" there
 * and the names of times end with "_time_ns".  An unused number has no name.
 */
#ifndef _UAPI_LINUX_TASKRT_NAMES_H
#define _UAPI_LINUX_TASKRT_NAMES_H

#include <linux/taskrt.h>

static const char * const taskrt_state_names[] = {
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
	[TASKRT_STATE_SLEEPING_FILE]	= "sleeping_file",
	[TASKRT_STATE_SLEEPING_SOCKET]	= "sleeping_socket",
	[TASKRT_STATE_SLEEPING_WAIT]	= "sleeping_wait",
	[TASKRT_STATE_SLEEPING_PAUSE]	= "sleeping_pause",
	[TASKRT_STATE_YIELDED]		= "yielded",
	[TASKRT_STATE_EXITED]		= "exited",
};

static const char * const taskrt_timer_names[] = {
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
	[TASKRT_TIMER_RECLAIM_CPU]	= "reclaim_cpu",
	[TASKRT_TIMER_FAULT_CPU]	= "fault_cpu",
};

static const char * const taskrt_lock_names[] = {
	[TASKRT_LOCK_MUTEX]		= "mutex",
	[TASKRT_LOCK_RWSEM_READ]	= "rwsem_read",
	[TASKRT_LOCK_RWSEM_WRITE]	= "rwsem_write",
	[TASKRT_LOCK_RT_MUTEX]		= "rt_mutex",
	[TASKRT_LOCK_OTHER]		= "other",
};

static const char * const taskrt_value_names[] = {
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
	[TASKRT_VALUE_CYCLES_NS]		= "cycles_ns",
};

#endif /* _UAPI_LINUX_TASKRT_NAMES_H */
