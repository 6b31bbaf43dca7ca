// SPDX-License-Identifier: GPL-2.0-only
/* The elements of a reading: its states, timers, kinds of locks and values. */
#include <stddef.h>

#include "common/element.h"
#include "common/names.h"

#define AT(member)	offsetof(struct taskrt_reading, member)

/* Where the arrays of each kind are in a reading; 0: it has no such array. */
static const struct arrays {
	size_t times, counts, longests;
} arrays[NAMES_KINDS] = {
	[TASKRT_NAME_STATE] = { AT(times.states_ns), AT(counts.states), AT(longests.states) },
	[TASKRT_NAME_TIMER] = { AT(times.timers_ns), AT(counts.timers), AT(longests.timers) },
	[TASKRT_NAME_LOCK] = { AT(times.locks_ns), AT(counts.locks), 0 },
	[TASKRT_NAME_VALUE] = { 0, AT(counts.values), 0 },
};

/* NULL: it is not measured, was not requested, or there is no such array. */
static const void *array(const struct element *element, const struct taskrt_reading *reading,
			 uint32_t group, size_t at)
{
	return element->measured && reading->groups & group && at ? (const char *)reading + at : NULL;
}

/* The kernel keeps no longest interval of a stall, and the module none of a part of a fault. */
static int has_longest(const struct element *element)
{
	return element->kind != TASKRT_NAME_TIMER ||
	       !((READING_STALLS | 1U << TASKRT_TIMER_FAULT_CPU) >> element->number & 1);
}

struct element element_of(const struct taskrt_reading *reading, enum taskrt_name_kind kind,
			  unsigned int number)
{
	struct element e = {
		.kind = kind,
		.number = number,
		.name = names_of(kind, number),
		.measured = taskrt_measures(names_measured(&reading->stats.measured, kind), number),
	};
	const __u64 *times = array(&e, reading, TASKRT_GROUP_TIMES, arrays[kind].times);
	const __u64 *counts = array(&e, reading, TASKRT_GROUP_COUNTS, arrays[kind].counts);
	const struct taskrt_longest *longests = array(&e, reading, TASKRT_GROUP_LONGEST,
						      arrays[kind].longests);

	e.timed = !!times;
	e.counted = !!counts;
	e.peaked = longests && has_longest(&e);
	e.ns = e.timed ? times[number] : 0;
	e.count = e.counted ? counts[number] : 0;
	if (e.peaked)
		e.longest = longests[number];
	return e;
}

int element_find(struct element *element, const struct taskrt_reading *reading,
		 enum taskrt_name_kind kind, unsigned int from)
{
	const uint64_t measured = names_measured(&reading->stats.measured, kind);

	while (from < NAMES_MAX && !names_shown(kind, measured, from))
		from++;
	if (from < NAMES_MAX)
		*element = element_of(reading, kind, from);
	return from < NAMES_MAX;
}
