// SPDX-License-Identifier: GPL-2.0-only
#include "delays.h"
#include "groups.h"
#include "tap.h"
#include "totals.h"

#define FIELD(name)	{ #name, offsetof(struct taskrt_reading, name), 1 }
#define ARRAY(name)	{ #name, offsetof(struct taskrt_reading, name), \
			  sizeof(((struct taskrt_reading *)0)->name) / sizeof(__u64) }

/* All elements that there is room for; those that are not measured stay 0. */
static const struct {
	const char *name;
	size_t offset;
	unsigned int count;
} fields[] = {
	FIELD(stats.cpu_time_ns),
	FIELD(stats.queue_time_ns),
	FIELD(stats.page_fault_time_ns),
	FIELD(stats.lock_contention_time_ns),
	FIELD(stats.tracked_time_ns),
	ARRAY(times.states_ns),
	ARRAY(times.timers_ns),
	ARRAY(times.locks_ns),
	ARRAY(counts.states),
	ARRAY(counts.timers),
	ARRAY(counts.locks),
	ARRAY(counts.values),
};

#define FIELDS	(sizeof(fields) / sizeof(*fields))

static unsigned int count_all(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < FIELDS; i++)
		count += fields[i].count;
	return count;
}

/* The field of total number *i; *i becomes the index in the field. */
static unsigned int field_of(unsigned int *i)
{
	unsigned int field;

	for (field = 0; *i >= fields[field].count; field++)
		*i -= fields[field].count;
	return field;
}

static const char *name_of(unsigned int i)
{
	return fields[field_of(&i)].name;
}

static __u64 *value_of(struct taskrt_reading *reading, unsigned int i)
{
	unsigned int field = field_of(&i);

	return (__u64 *)((char *)reading + fields[field].offset) + i;
}

static __u64 value(const struct taskrt_reading *reading, unsigned int i)
{
	return *value_of((struct taskrt_reading *)reading, i);
}

/*
 * A mapped page does not show all that a query does.  In the sum of a process, stalls
 * are measured until a thread joins that was created while the kernel did not count them.
 */
static int only_in_first(const struct taskrt_reading *first, const struct taskrt_reading *second,
			 unsigned int i)
{
	const struct taskrt_measured *had = &first->stats.measured, *has = &second->stats.measured;
	const size_t offset = fields[field_of(&i)].offset;

	if (offset == offsetof(struct taskrt_reading, counts.values))
		return has->values && taskrt_measures(had->values & ~has->values, i);
	return (offset == offsetof(struct taskrt_reading, times.timers_ns) ||
		offset == offsetof(struct taskrt_reading, counts.timers)) &&
	       taskrt_measures(had->timers & ~has->timers & delays_kinds(), i);
}

int totals_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
		  const char *what)
{
	unsigned int i, count = count_all();

	for (i = 0; i < count; i++) {
		__u64 before = value(less, i), after = value(more, i);

		if (before <= after || only_in_first(less, more, i))
			continue;
		tap_diag("%s: %s (total %u): %llu, then %llu", what, name_of(i), i,
			 before, after);
		return i;
	}
	return -1;
}

#define LONGESTS	(sizeof(struct taskrt_longests) / sizeof(struct taskrt_longest))

/* The states, then the timers. */
static struct taskrt_longest *longest_of(const struct taskrt_reading *reading)
{
	return (struct taskrt_longest *)&reading->longests;
}

int totals_longest_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
			  const char *what)
{
	unsigned int i;

	for (i = 0; i < LONGESTS; i++) {
		if (longest_of(less)[i].ns <= longest_of(more)[i].ns)
			continue;
		tap_diag("%s: longest interval %u: %llu, then %llu", what, i,
			 longest_of(less)[i].ns, longest_of(more)[i].ns);
		return i;
	}
	return -1;
}

void totals_take_longest(struct taskrt_reading *longest, const struct taskrt_reading *reading)
{
	unsigned int i;

	for (i = 0; i < LONGESTS; i++)
		if (longest_of(reading)[i].ns > longest_of(longest)[i].ns)
			longest_of(longest)[i] = longest_of(reading)[i];
}

int totals_are_multiples(uint64_t grain, const struct taskrt_reading *reading)
{
	const __u64 *times = (const __u64 *)&reading->times;
	unsigned int i;

	for (i = 0; i < sizeof(reading->times) / sizeof(*times); i++)
		if (times[i] % grain)
			return 0;
	for (i = 0; i < LONGESTS; i++)
		if (longest_of(reading)[i].ns % grain)
			return 0;
	return !(reading->stats.cpu_time_ns % grain || reading->stats.queue_time_ns % grain ||
		 reading->stats.page_fault_time_ns % grain ||
		 reading->stats.lock_contention_time_ns % grain ||
		 VALUE(*reading, MINOR_FAULT_NS) % grain ||
		 VALUE(*reading, MAJOR_FAULT_NS) % grain);
}

void totals_add(struct taskrt_reading *sum, const struct taskrt_reading *reading)
{
	unsigned int i, count = count_all();

	for (i = 0; i < count; i++)
		*value_of(sum, i) += value(reading, i);
}
