/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The elements of a reading: its states, timers, kinds of locks and values, one after the other.
 * All code that shows a reading, as text or as JSON, goes through these.
 */
#ifndef TOOLS_COMMON_ELEMENT_H
#define TOOLS_COMMON_ELEMENT_H

#include <taskrt.h>

struct element {
	enum taskrt_name_kind kind;
	unsigned int number;
	const char *name;		/* as names_of() */
	int measured;

	/* Each of these is 0 if it was not measured or not requested. */
	int timed, counted, peaked;
	uint64_t ns;			/* if timed */
	uint64_t count;			/* if counted: the number of intervals, or a value */
	struct taskrt_longest longest;	/* if peaked */
};

/* The number must be below the room of its kind. */
struct element element_of(const struct taskrt_reading *reading, enum taskrt_name_kind kind,
			  unsigned int number);

/* The first element from this number on that is shown.  Return: 0: there is none. */
int element_find(struct element *element, const struct taskrt_reading *reading,
		 enum taskrt_name_kind kind, unsigned int from);

/* All elements of a kind that are shown, see names_shown(). */
#define for_each_element(element, reading, kind)			\
	for (int found_ = element_find(element, reading, kind, 0); found_; \
	     found_ = element_find(element, reading, kind, (element)->number + 1))

/* Stalls for memory are counted by the kernel if its delay accounting is on. */
#define READING_STALLS	(1U << TASKRT_TIMER_RECLAIM | 1U << TASKRT_TIMER_COMPACT |	\
			 1U << TASKRT_TIMER_THRASHING | 1U << TASKRT_TIMER_SWAPIN |	\
			 1U << TASKRT_TIMER_WPCOPY)

/* Interrupts are measured if the parameter interrupts of the module is 1. */
#define READING_INTERRUPTS	(1U << TASKRT_TIMER_HARDIRQ | 1U << TASKRT_TIMER_SOFTIRQ)

/* Stolen time is measured if a hypervisor reports it. */
#define READING_STEAL	(1U << TASKRT_TIMER_STEAL)

/* Cycles are counted if the parameter cycles of the module is 1, for readers with CAP_PERFMON. */
#define READING_CYCLES	(1ULL << TASKRT_VALUE_CYCLES | 1ULL << TASKRT_VALUE_INSTRUCTIONS | \
			 1ULL << TASKRT_VALUE_CYCLES_NS)

/* Does it have the time of any state? */
static inline int reading_has_states(const struct taskrt_reading *reading)
{
	return reading->groups & TASKRT_GROUP_TIMES && reading->stats.measured.states;
}

#endif
