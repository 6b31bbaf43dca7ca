/* SPDX-License-Identifier: GPL-2.0-only */
/* Which values a reading has: those that were asked for and are measured. */
#ifndef TOOLS_COMMON_READING_H
#define TOOLS_COMMON_READING_H

#include <taskrt.h>

/* Does it have element n of a group?  measured: the bits of its kind. */
static inline int reading_has(const struct taskrt_reading *reading, uint32_t group,
			      uint64_t measured, unsigned int n)
{
	return reading->groups & group && taskrt_measures(measured, n);
}

static inline int reading_has_state(const struct taskrt_reading *reading, uint32_t group,
				    unsigned int n)
{
	return reading_has(reading, group, reading->stats.measured.states, n);
}

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

/* Stalls have no longest interval. */
static inline int reading_has_timer(const struct taskrt_reading *reading, uint32_t group,
				    unsigned int n)
{
	if (group == TASKRT_GROUP_LONGEST && READING_STALLS >> n & 1)
		return 0;
	return reading_has(reading, group, reading->stats.measured.timers, n);
}

static inline int reading_has_lock(const struct taskrt_reading *reading, uint32_t group,
				   unsigned int n)
{
	return reading_has(reading, group, reading->stats.measured.locks, n);
}

static inline int reading_has_value(const struct taskrt_reading *reading, unsigned int n)
{
	return reading_has(reading, TASKRT_GROUP_COUNTS, reading->stats.measured.values, n);
}

/* Does it have the time of any state? */
static inline int reading_has_states(const struct taskrt_reading *reading)
{
	return reading->groups & TASKRT_GROUP_TIMES && reading->stats.measured.states;
}

#endif
