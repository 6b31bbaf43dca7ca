// SPDX-License-Identifier: GPL-2.0-only
#include "tap.h"
#include "totals.h"

#define FIELD(name)		{ #name, offsetof(struct taskrt_stats, name), 1 }
#define ARRAY(name, count)	{ #name, offsetof(struct taskrt_stats, name), count }

static const struct {
	const char *name;
	size_t offset;
	unsigned int count;
} fields[] = {
	FIELD(cpu_time_ns),
	FIELD(queue_time_ns),
	FIELD(page_fault_time_ns),
	FIELD(lock_contention_time_ns),
	FIELD(tracked_time_ns),
	ARRAY(states_ns, TASKRT_NR_STATES),
	FIELD(voluntary_switches),
	FIELD(involuntary_switches),
	FIELD(wakeups),
	FIELD(minor_faults),
	FIELD(major_faults),
	FIELD(minor_fault_time_ns),
	FIELD(major_fault_time_ns),
	ARRAY(lock_time_ns, TASKRT_NR_LOCKS),
	ARRAY(lock_count, TASKRT_NR_LOCKS),
};

#define FIELDS	(sizeof(fields) / sizeof(*fields))

unsigned int totals_count(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < FIELDS; i++)
		count += fields[i].count;
	return count;
}

/* The field that total number *i is in; *i becomes its index there. */
static unsigned int field_of(unsigned int *i)
{
	unsigned int field;

	for (field = 0; *i >= fields[field].count; field++)
		*i -= fields[field].count;
	return field;
}

const char *totals_name(unsigned int i)
{
	return fields[field_of(&i)].name;
}

static __u64 *value_of(struct taskrt_stats *stats, unsigned int i)
{
	unsigned int field = field_of(&i);

	return (__u64 *)((char *)stats + fields[field].offset) + i;
}

__u64 totals_value(const struct taskrt_stats *stats, unsigned int i)
{
	return *value_of((struct taskrt_stats *)stats, i);
}

int totals_exceed(const struct taskrt_stats *less, const struct taskrt_stats *more,
		  const char *what)
{
	unsigned int i, count = totals_count();

	for (i = 0; i < count; i++) {
		__u64 before = totals_value(less, i), after = totals_value(more, i);

		if (before <= after)
			continue;
		tap_diag("%s: %s (total %u): %llu, then %llu", what, totals_name(i), i,
			 before, after);
		return i;
	}
	return -1;
}

int totals_longest_exceed(const struct taskrt_stats *less, const struct taskrt_stats *more,
			  const char *what)
{
	int i;

	for (i = 0; i < TASKRT_NR_STATES; i++) {
		if (less->longest_state[i].ns <= more->longest_state[i].ns)
			continue;
		tap_diag("%s: longest %s: %llu, then %llu", what, taskrt_state_name(i),
			 less->longest_state[i].ns, more->longest_state[i].ns);
		return i;
	}
	if (less->longest_fault.ns > more->longest_fault.ns ||
	    less->longest_lock.ns > more->longest_lock.ns) {
		tap_diag("%s: the longest fault or lock wait shrinks", what);
		return i;
	}
	return -1;
}

void totals_add(struct taskrt_stats *sum, const struct taskrt_stats *stats)
{
	unsigned int i, count = totals_count();

	for (i = 0; i < count; i++)
		*value_of(sum, i) += totals_value(stats, i);
}
