/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reading may have. */
#ifndef TOOLS_COMMON_READING_H
#define TOOLS_COMMON_READING_H

#include <taskrt.h>

/* The timers of stalls for memory, which the kernel counts, and only if it is told to. */
#define READING_STALLS	(1U << TASKRT_TIMER_RECLAIM | 1U << TASKRT_TIMER_COMPACT |	\
			 1U << TASKRT_TIMER_THRASHING | 1U << TASKRT_TIMER_SWAPIN |	\
			 1U << TASKRT_TIMER_WPCOPY)

/* Interrupts are measured if the module is told to. */
#define READING_INTERRUPTS	(1U << TASKRT_TIMER_HARDIRQ | 1U << TASKRT_TIMER_SOFTIRQ)

/* Stolen time is measured where a hypervisor tells of it. */
#define READING_STEAL	(1U << TASKRT_TIMER_STEAL)

/* Cycles are counted if the module is told to, for those who may see them. */
#define READING_CYCLES	(1ULL << TASKRT_VALUE_CYCLES | 1ULL << TASKRT_VALUE_INSTRUCTIONS | \
			 1ULL << TASKRT_VALUE_CYCLES_NS)

/* Does it have the time of any state? */
static inline int reading_has_states(const struct taskrt_reading *reading)
{
	return reading->groups & TASKRT_GROUP_TIMES && reading->stats.measured.states;
}

#endif
