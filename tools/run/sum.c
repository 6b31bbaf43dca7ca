// SPDX-License-Identifier: GPL-2.0-only
/* The sum of several readings. */
#include <linux/taskrt_numbers.h>

#include "run/descendants.h"

#define WORDS(group)	(sizeof(group) / sizeof(uint64_t))

static void keep_longest(struct taskrt_longest *longest, const struct taskrt_longest *other)
{
	if (other->ns > longest->ns)
		*longest = *other;
}

/* Groups consist of 64-bit words only. */
static void add_words(void *sum, const void *more, size_t words)
{
	const uint64_t *from = more;
	uint64_t *to = sum;
	size_t i;

	for (i = 0; i < words; i++)
		to[i] += from[i];
}

static void add_totals(struct taskrt_stats *sum, const struct taskrt_stats *more)
{
	sum->flags |= more->flags & TASKRT_FLAG_INCOMPLETE;
	sum->cpu_time_ns += more->cpu_time_ns;
	sum->queue_time_ns += more->queue_time_ns;
	sum->page_fault_time_ns += more->page_fault_time_ns;
	sum->lock_contention_time_ns += more->lock_contention_time_ns;
	sum->tracked_time_ns += more->tracked_time_ns;
	sum->threads += more->threads;
	sum->threads_gone += more->threads_gone;
}

/* The sum drops what the other has not measured, except what that has 0 of. */
static void add_measured(struct taskrt_stats *sum, const struct taskrt_stats *more)
{
	sum->valid &= more->valid;
	sum->measured.states &= more->measured.states;
	sum->measured.timers &= more->measured.timers | TASKRT_TIMERS_FROM_0;
	sum->measured.timers |= more->measured.timers & TASKRT_TIMERS_FROM_0;
	sum->measured.locks &= more->measured.locks;
	sum->measured.values &= more->measured.values;
}

void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more)
{
	unsigned int i;

	sum->groups &= more->groups;
	add_measured(&sum->stats, &more->stats);
	add_totals(&sum->stats, &more->stats);
	add_words(&sum->times, &more->times, WORDS(sum->times));
	add_words(&sum->counts, &more->counts, WORDS(sum->counts));
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		keep_longest(&sum->longests.states[i], &more->longests.states[i]);
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		keep_longest(&sum->longests.timers[i], &more->longests.timers[i]);
}
