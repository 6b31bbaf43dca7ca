// SPDX-License-Identifier: GPL-2.0-only
/* Several snapshots as one. */
#include <string.h>

#include "field.h"
#include "sum.h"

void sum_begin(struct taskrt_stats *sum)
{
	memset(sum, 0, sizeof(*sum));
	sum->version = TASKRT_STATS_VERSION;
	sum->size = sizeof(*sum);
	sum->valid = field_valid_all() & ~(TASKRT_VALID_IDENTITY | TASKRT_VALID_STATE);
}

static void keep_longest(struct taskrt_longest *longest, const struct taskrt_longest *other)
{
	if (other->ns > longest->ns)
		*longest = *other;
}

static void add_counts(struct taskrt_stats *sum, const struct taskrt_stats *more)
{
	sum->threads += more->threads;
	sum->threads_gone += more->threads_gone;
	sum->voluntary_switches += more->voluntary_switches;
	sum->involuntary_switches += more->involuntary_switches;
	sum->wakeups += more->wakeups;
	sum->minor_faults += more->minor_faults;
	sum->major_faults += more->major_faults;
	sum->minor_fault_time_ns += more->minor_fault_time_ns;
	sum->major_fault_time_ns += more->major_fault_time_ns;
}

void sum_add(struct taskrt_stats *sum, const struct taskrt_stats *more)
{
	unsigned int i;

	sum->valid &= more->valid;
	sum->flags |= more->flags & TASKRT_FLAG_INCOMPLETE;
	sum->cpu_time_ns += more->cpu_time_ns;
	sum->queue_time_ns += more->queue_time_ns;
	sum->page_fault_time_ns += more->page_fault_time_ns;
	sum->lock_contention_time_ns += more->lock_contention_time_ns;
	sum->tracked_time_ns += more->tracked_time_ns;
	add_counts(sum, more);
	for (i = 0; i < TASKRT_NR_STATES; i++) {
		sum->states_ns[i] += more->states_ns[i];
		keep_longest(&sum->longest_state[i], &more->longest_state[i]);
	}
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		sum->lock_time_ns[i] += more->lock_time_ns[i];
		sum->lock_count[i] += more->lock_count[i];
	}
	keep_longest(&sum->longest_fault, &more->longest_fault);
	keep_longest(&sum->longest_lock, &more->longest_lock);
}
