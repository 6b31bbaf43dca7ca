/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a query returns, before it is put into words: the totals of one thread
 * at one instant, or the sum of several.  Plain integers, like the engine.
 */
#ifndef TASKRT_TOTALS_H
#define TASKRT_TOTALS_H

#include "record.h"

struct totals {
	u64 cpu_ns;		/* since creation */
	u64 queue_ns;		/* since creation */
	u64 fault_ns;		/* finished and in progress */
	u64 lock_contention_ns;	/* finished and in progress */
	u64 tracked_ns;		/* == sum of states[].ns */
	u64 wakeups;
	u64 fault_split_ns[2];	/* finished: minor, major */
	u64 lock_ns[NR_LOCKS];
	u64 lock_count[NR_LOCKS];
	struct record_time states[NR_STATES];
	struct record_longest fault_longest;
	struct record_longest lock_longest;
	/* counted by the kernel itself, since creation */
	u64 nvcsw;
	u64 nivcsw;
	u64 min_flt;
	u64 maj_flt;
};

/*
 * totals_of() - the totals of a copied record at @now
 * Intervals in progress are included.  Returns the instant they are for: @now,
 * or a little later where the record already moved past it.
 * Fields counted by the kernel, and what lies before tracking, are not set.
 */
u64 totals_of(struct totals *t, const struct record *copy, u64 now);

/* totals_add() - @sum += @t; of the longest intervals the longer */
void totals_add(struct totals *sum, const struct totals *t);

#endif /* TASKRT_TOTALS_H */
