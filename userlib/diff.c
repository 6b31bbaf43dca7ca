// SPDX-License-Identifier: LGPL-2.1-or-later
/* What happened between two readings of one thread or of one process. */
#include <errno.h>
#include <string.h>
#include <linux/taskrt_numbers.h>

#include "internal.h"
#include "reading.h"
#include "sized.h"

/* The bits of taskrt_stats.valid whose field this library knows to be a total or not to be one. */
#define VALID_KNOWN	((TASKRT_VALID_CGROUP << 1) - 1)

/* The words of the counts that this library knows, and those that a reading has room for. */
#define COUNTS_KNOWN	(sizeof(struct taskrt_counts) / sizeof(uint64_t))
#define COUNTS_ROOM	(sizeof(((struct taskrt_reading *)0)->counts_room) / sizeof(uint64_t))

/* The clocks of different CPUs may disagree slightly, so a negative difference reads 0. */
static uint64_t difference(uint64_t after, uint64_t before)
{
	return after > before ? after - before : 0;
}

static void subtract(__u64 *d, const __u64 *before, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		d[i] = difference(d[i], before[i]);
}

/* Subtract the elements whose bit is set. */
static void subtract_some(__u64 *d, const __u64 *before, __u64 bits, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (bits >> i & 1)
			d[i] = difference(d[i], before[i]);
}

static void both_measured(const struct taskrt_measured *before, struct taskrt_measured *d)
{
	d->states &= before->states;
	d->timers &= before->timers | TASKRT_TIMERS_FROM_0;
	d->locks &= before->locks;
	d->values &= before->values;
	d->reserved &= before->reserved;
	d->reserved2 &= before->reserved2;
}

/* A field of a later version may be a total or not, so it is left out of the difference. */
static void only_known(struct taskrt_reading *d)
{
	if (d->stats.version <= TASKRT_STATS_VERSION)
		return;
	d->stats.version = TASKRT_STATS_VERSION;
	d->stats.size = sizeof(d->stats);
	memset(&d->stats + 1, 0, sizeof(d->stats_room) - sizeof(d->stats));
}

/* A total that only one reading has says nothing about the time between. */
static void only_of_both(const struct taskrt_reading *before, struct taskrt_reading *d)
{
	const uint32_t measured = before->stats.measured.timers |
				  (d->stats.measured.timers & TASKRT_TIMERS_FROM_0);
	const uint32_t one = measured ^ d->stats.measured.timers;
	const uint64_t values = before->stats.measured.values ^ d->stats.measured.values;
	unsigned int i;

	for (i = 0; i < TASKRT_TIMERS_ROOM; i++) {
		if (!(one >> i & 1))
			continue;
		d->times.timers_ns[i] = 0;
		d->counts.timers[i] = 0;
		d->longests.timers[i] = (struct taskrt_longest){ 0 };
	}
	for (i = 0; i < TASKRT_VALUES_ROOM; i++)
		if (values >> i & 1)
			d->counts.values[i] = 0;
}

static void common(const struct taskrt_reading *before, struct taskrt_reading *d)
{
	only_known(d);
	if (before->stats.version < d->stats.version) {
		d->stats.version = before->stats.version;
		d->stats.size = before->stats.size;
	}
	d->stats.valid &= before->stats.valid & VALID_KNOWN;
	only_of_both(before, d);
	both_measured(&before->stats.measured, &d->stats.measured);
	d->groups &= before->groups;
	if (!(d->groups & TASKRT_GROUP_TIMES))
		memset(&d->times, 0, sizeof(d->times));
	if (!(d->groups & TASKRT_GROUP_COUNTS))
		memset(d->counts_room, 0, sizeof(d->counts_room));
	if (!(d->groups & TASKRT_GROUP_LONGEST))
		memset(&d->longests, 0, sizeof(d->longests));
}

/* These totals run from the task's creation, whenever tracking started. */
static void since_creation(const struct taskrt_reading *before, struct taskrt_reading *d)
{
	subtract(&d->stats.cpu_time_ns, &before->stats.cpu_time_ns, 1);
	subtract(&d->stats.queue_time_ns, &before->stats.queue_time_ns, 1);
	subtract_some(d->counts.values, before->counts.values, TASKRT_VALUES_SINCE_CREATION,
		      TASKRT_VALUES_ROOM);
	subtract_some(d->times.timers_ns, before->times.timers_ns, TASKRT_TIMERS_SINCE_CREATION,
		      TASKRT_TIMERS_ROOM);
	subtract_some(d->counts.timers, before->counts.timers, TASKRT_TIMERS_SINCE_CREATION,
		      TASKRT_TIMERS_ROOM);
}

static void times_since_tracked(const struct taskrt_times *before, struct taskrt_times *d)
{
	subtract(d->states_ns, before->states_ns, TASKRT_STATES_ROOM);
	subtract_some(d->timers_ns, before->timers_ns, ~TASKRT_TIMERS_SINCE_CREATION,
		      TASKRT_TIMERS_ROOM);
	subtract(d->locks_ns, before->locks_ns, TASKRT_LOCKS_ROOM);
}

/* Unknown words are subtracted, too, because every word of this group is a total. */
static void counts_since_tracked(const struct taskrt_reading *before, struct taskrt_reading *d)
{
	size_t i;

	subtract(d->counts.states, before->counts.states, TASKRT_STATES_ROOM);
	subtract_some(d->counts.timers, before->counts.timers, ~TASKRT_TIMERS_SINCE_CREATION,
		      TASKRT_TIMERS_ROOM);
	subtract(d->counts.locks, before->counts.locks, TASKRT_LOCKS_ROOM);
	subtract_some(d->counts.values, before->counts.values, ~TASKRT_VALUES_SINCE_CREATION,
		      TASKRT_VALUES_ROOM);
	for (i = COUNTS_KNOWN; i < COUNTS_ROOM; i++)
		d->counts_room[i] = difference(d->counts_room[i], before->counts_room[i]);
}

static void since_tracked(const struct taskrt_reading *before, struct taskrt_reading *d)
{
	subtract(&d->stats.page_fault_time_ns, &before->stats.page_fault_time_ns, 1);
	subtract(&d->stats.lock_contention_time_ns, &before->stats.lock_contention_time_ns, 1);
	subtract(&d->stats.tracked_time_ns, &before->stats.tracked_time_ns, 1);
	subtract(&d->stats.threads_gone, &before->stats.threads_gone, 1);
	times_since_tracked(&before->times, &d->times);
	counts_since_tracked(before, d);
}

/* An interval that the earlier reading already has did not happen in between. */
static void only_new(struct taskrt_longest *d, const struct taskrt_longest *before, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (d[i].ns == before[i].ns && d[i].at_ns == before[i].at_ns)
			d[i] = (struct taskrt_longest){ 0 };
}

int taskrt_diff(const struct taskrt_reading *before, const struct taskrt_reading *after,
		struct taskrt_reading *diff, size_t size)
{
	struct taskrt_reading b, d;

	if (!before || !after || !diff || size < TASKRT_READING_MIN ||
	    !taskrt_reading_same_task(&before->stats, &after->stats))
		return -EINVAL;

	taskrt_sized_out(&b, sizeof(b), before, size);
	taskrt_sized_out(&d, sizeof(d), after, size);
	common(&b, &d);
	since_creation(&b, &d);
	/*
	 * If tracking started anew in between, its totals started at 0.  Everything that
	 * they show now happened after the first reading, so nothing is subtracted.
	 */
	if (b.stats.tracked_since_ns == d.stats.tracked_since_ns) {
		since_tracked(&b, &d);
		only_new(d.longests.states, b.longests.states, TASKRT_STATES_ROOM);
		only_new(d.longests.timers, b.longests.timers, TASKRT_TIMERS_ROOM);
	}
	/* The result is written last, because it may be one of the two readings. */
	taskrt_sized_out(diff, size, &d, sizeof(d));
	return 0;
}
