/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Properties of the numbers in taskrt.h, shared by the module and the library.  This
 * header is not installed.
 */
#ifndef _UAPI_LINUX_TASKRT_NUMBERS_H
#define _UAPI_LINUX_TASKRT_NUMBERS_H

#include <linux/taskrt.h>

/* The earlier state to which readers that do not know @state add its time; @state if none. */
static inline __u8 taskrt_state_parent(__u8 state)
{
	switch (state) {
	case TASKRT_STATE_THROTTLED:
	case TASKRT_STATE_YIELDED:
		return TASKRT_STATE_PREEMPTED;
	case TASKRT_STATE_SLEEPING_FILE:
	case TASKRT_STATE_SLEEPING_SOCKET:
	case TASKRT_STATE_SLEEPING_WAIT:
	case TASKRT_STATE_SLEEPING_PAUSE:
		return TASKRT_STATE_SLEEPING;
	default:
		return state;
	}
}

/* Values that count from the task's creation on, because the kernel itself counts them. */
#define TASKRT_VALUES_SINCE_CREATION	(1ULL << TASKRT_VALUE_VOLUNTARY_SWITCHES |	\
					 1ULL << TASKRT_VALUE_INVOLUNTARY_SWITCHES |	\
					 1ULL << TASKRT_VALUE_MINOR_FAULTS |		\
					 1ULL << TASKRT_VALUE_MAJOR_FAULTS |		\
					 1ULL << TASKRT_VALUE_USER_NS |			\
					 1ULL << TASKRT_VALUE_SYSTEM_NS)

/* Timers that count from the task's creation on, in time and number, for the same reason. */
#define TASKRT_TIMERS_SINCE_CREATION	(1U << TASKRT_TIMER_RECLAIM |	\
					 1U << TASKRT_TIMER_COMPACT |	\
					 1U << TASKRT_TIMER_THRASHING |	\
					 1U << TASKRT_TIMER_SWAPIN |	\
					 1U << TASKRT_TIMER_WPCOPY)

/* Timers that are measured from the first interval on: before that, they are 0. */
#define TASKRT_TIMERS_FROM_0	(1U << TASKRT_TIMER_STEAL)

#endif /* _UAPI_LINUX_TASKRT_NUMBERS_H */
