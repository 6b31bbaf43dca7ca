// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descendants of a command that have ended: their sum.
 *
 * For each process the module keeps the sum of the children that it has waited for, and of their
 * descendants.  An orphan of the command becomes our child, and we wait for it.  So two sums
 * contain all: the command's, read while it is a zombie, and our own.  A program that executes
 * taskrt in its own place leaves us its sum, which is subtracted.
 */
#include <linux/taskrt_numbers.h>

#include "common/clock.h"
#include "common/names.h"
#include "common/orphan.h"
#include "common/reading_json.h"
#include "run/run.h"

#define PATIENCE	(5 * CLOCK_SECOND)

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

/* Only what both have measured is kept.  A timer that counts from 0 is kept if either has it. */
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

/*
 * The totals of a child become final shortly after its parent has waited for it.  The library
 * repeats the query for about a second.
 */
static void read_children(struct descendants *descendants, struct taskrt *handle, pid_t parent,
			  struct taskrt_reading *reading)
{
	const uint64_t since_ns = clock_now_ns();
	int pending;

	do {
		descendants->error = taskrt_get(handle, TASKRT_ENTITY_CHILDREN, parent,
						READING_JSON_GROUPS, reading, sizeof(*reading));
		if (descendants->error) {
			error_query_text(descendants->text, handle, descendants->error,
					 ERROR_CHILDREN, parent);
			return;
		}
		pending = !!(reading->stats.flags & TASKRT_FLAG_PENDING);
	} while (pending && !descendants->pending && clock_now_ns() - since_ns < PATIENCE);
	descendants->pending |= pending;
}

void descendants_begin(struct descendants *descendants, struct taskrt *handle)
{
	read_children(descendants, handle, 0, &descendants->before);
}

static int has_any(const struct taskrt_reading *sum)
{
	return sum->stats.threads_gone || !taskrt_has(&sum->stats, TASKRT_VALID_THREADS);
}

static void add_orphans(struct descendants *descendants, struct taskrt *handle)
{
	const uint32_t before = descendants->before.stats.flags;
	struct taskrt_reading orphans;

	read_children(descendants, handle, 0, &orphans);
	if (descendants->error)
		return;
	/* This flag is all that an orphan without a record leaves. */
	descendants->sum.stats.flags |= orphans.stats.flags & ~before & TASKRT_FLAG_INCOMPLETE;
	if (taskrt_diff(&descendants->before, &orphans, &orphans, sizeof(orphans)))
		return;
	orphans.stats.flags &= ~TASKRT_FLAG_INCOMPLETE;
	if (has_any(&orphans))
		sum_add(&descendants->sum, &orphans);
}

void descendants_read(struct descendants *descendants, struct taskrt *handle, pid_t command)
{
	const int before = descendants->pending;

	descendants->still_run = orphan_reap(command);
	if (descendants->error)
		return;
	descendants->pending = 0;
	read_children(descendants, handle, command, &descendants->sum);
	descendants->sum.stats.valid &= ~FIELD_VALID_OF_ONE;
	if (!descendants->error)
		add_orphans(descendants, handle);
	descendants->pending |= before;
}

int descendants_any(const struct descendants *descendants)
{
	return !descendants->error && has_any(&descendants->sum);
}
