// SPDX-License-Identifier: LGPL-2.1-or-later
/* What happened between two snapshots of one thread, or of one process. */
#include <errno.h>

#include "internal.h"

/* Clocks of different CPUs may disagree by a hair: no time is negative. */
static uint64_t difference(uint64_t after, uint64_t before)
{
	return after > before ? after - before : 0;
}

static int same_task(const struct taskrt_stats *a, const struct taskrt_stats *b)
{
	return a->tid == b->tid && a->tgid == b->tgid &&
	       a->start_time_ns == b->start_time_ns;
}

/* Totals that run from the task's creation, whenever tracking began. */
static void since_creation(const struct taskrt_stats *before,
			   struct taskrt_stats *d)
{
	d->cpu_time_ns = difference(d->cpu_time_ns, before->cpu_time_ns);
	d->queue_time_ns = difference(d->queue_time_ns, before->queue_time_ns);
	d->threads_gone = difference(d->threads_gone, before->threads_gone);
	d->voluntary_switches = difference(d->voluntary_switches,
					   before->voluntary_switches);
	d->involuntary_switches = difference(d->involuntary_switches,
					     before->involuntary_switches);
	d->minor_faults = difference(d->minor_faults, before->minor_faults);
	d->major_faults = difference(d->major_faults, before->major_faults);
}

static void since_tracked(const struct taskrt_stats *before,
			  struct taskrt_stats *d)
{
	int i;

	d->page_fault_time_ns = difference(d->page_fault_time_ns,
					   before->page_fault_time_ns);
	d->lock_contention_time_ns = difference(d->lock_contention_time_ns,
						before->lock_contention_time_ns);
	d->tracked_time_ns = difference(d->tracked_time_ns, before->tracked_time_ns);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		d->states_ns[i] = difference(d->states_ns[i], before->states_ns[i]);
	d->wakeups = difference(d->wakeups, before->wakeups);
	d->minor_fault_time_ns = difference(d->minor_fault_time_ns,
					    before->minor_fault_time_ns);
	d->major_fault_time_ns = difference(d->major_fault_time_ns,
					    before->major_fault_time_ns);
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		d->lock_time_ns[i] = difference(d->lock_time_ns[i],
						before->lock_time_ns[i]);
		d->lock_count[i] = difference(d->lock_count[i], before->lock_count[i]);
	}
}

/* The same record as before did not happen in between. */
static void only_new(const struct taskrt_longest *before, struct taskrt_longest *d)
{
	if (d->ns == before->ns && d->at_ns == before->at_ns)
		d->ns = d->at_ns = 0;
}

static void longest(const struct taskrt_stats *before, struct taskrt_stats *d)
{
	int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		only_new(&before->longest_state[i], &d->longest_state[i]);
	only_new(&before->longest_fault, &d->longest_fault);
	only_new(&before->longest_lock, &d->longest_lock);
}

int taskrt_delta(const struct taskrt_stats *before, const struct taskrt_stats *after,
		 struct taskrt_stats *delta)
{
	struct taskrt_stats d;

	if (!before || !after || !delta || !same_task(before, after))
		return -EINVAL;

	d = *after;
	d.valid &= before->valid;
	if (before->version < d.version) {
		d.version = before->version;
		d.size = before->size;
	}
	since_creation(before, &d);
	/*
	 * Where tracking began anew in between, its totals did too: what they
	 * show now happened after the first snapshot, all of it.
	 */
	if (before->tracked_since_ns == after->tracked_since_ns) {
		since_tracked(before, &d);
		longest(before, &d);
	}
	*delta = d;	/* at last, so that it may be one of the two */
	return 0;
}
