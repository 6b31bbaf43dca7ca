/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a query returns, before it is put into words: the totals of one thread
 * at one instant, or the sum of several.  Plain integers, like the engine.
 */
#ifndef TASKRT_TOTALS_H
#define TASKRT_TOTALS_H

#include "engine/record.h"

struct totals {
	u64 cpu_ns;		/* since creation */
	u64 queue_ns;		/* since creation */
	u64 tracked_ns;		/* == sum of states[].ns */
	/* Times and longest intervals with what is in progress, counts without. */
	struct record_time states[NR_STATES];
	struct record_time timers[NR_TIMERS];
	struct record_sum locks[NR_LOCKS];
	u64 values[NR_VALUES];
};

/*
 * totals_of() - the totals of a copied record at @now
 * Intervals in progress are included.  Returns the instant they are for: @now,
 * or a little later where the record already moved past it.
 * What lies before tracking is not in it, and of the values only what the engine counts.
 */
u64 totals_of(struct totals *t, const struct record *copy, u64 now);

/* totals_add() - @sum += @t; of the longest intervals the longer */
void totals_add(struct totals *sum, const struct totals *t);

#endif /* TASKRT_TOTALS_H */
