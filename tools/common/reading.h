/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reading tells of: not what was not asked for, and not what is not measured. */
#ifndef TOOLS_COMMON_READING_H
#define TOOLS_COMMON_READING_H

#include <taskrt.h>

/* Is element n there and measured?  group: that it is in; measured: the bits of its kind. */
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

static inline int reading_has_timer(const struct taskrt_reading *reading, uint32_t group,
				    unsigned int n)
{
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

/* Were the states told apart at all? */
static inline int reading_has_states(const struct taskrt_reading *reading)
{
	return reading->groups & TASKRT_GROUP_TIMES && reading->stats.measured.states;
}

#endif
