/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The result of a query, before it is put into a message: the totals of one thread
 * at one instant, or the sum over several threads.  This is plain C over integers,
 * like the record.
 */
#ifndef TASKRT_TOTALS_H
#define TASKRT_TOTALS_H

#include "engine/record.h"

/* The timers of stalls for memory, which the kernel counts and not the engine. */
#define FIRST_STALL	TASKRT_TIMER_RECLAIM
enum { NR_STALLS = TASKRT_TIMER_WPCOPY - FIRST_STALL + 1 };

struct totals {
	u64 cpu_ns;		/* since creation */
	u64 queue_ns;		/* since creation */
	u64 tracked_ns;		/* == sum of states[].ns */
	/* ns and longest include the interval in progress; count does not. */
	struct record_time states[NR_STATES];
	struct record_time timers[NR_TIMERS];
	struct record_sum locks[NR_LOCKS];
	u64 values[NR_VALUES];
	u32 sites[NR_STATES];	/* of the longest intervals; 0: not known, or in progress */
	struct record_sum stalls[NR_STALLS];	/* since creation */
	bool stalls_unknown;	/* of some thread: then stalls are not written */
	u8 state;		/* of one thread: the one whose interval is in progress */
};

/* Every group that is known: a sum has to hold all of them. */
#define TOTALS_ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST | \
			 TASKRT_GROUP_SITES)
/* Only who knows the longest interval knows whether it is the one that has a site. */
#define TOTALS_LONGEST	(TASKRT_GROUP_LONGEST | TASKRT_GROUP_SITES)

/* Of the wait of a queued thread. */
struct totals_wait {
	u64 throttled_ns;	/* so much of it, until now, was THROTTLED */
	bool throttled;		/* it is throttled now */
	bool known;		/* otherwise all of it is what record.state says */
};

/*
 * totals_of_wait() - the totals of a record at @now
 * @wait: of the wait in progress, if the thread is queued
 * @groups: TASKRT_GROUP_* that are wanted; times always are.  Members of other groups are
 *	    not written.
 * Intervals in progress are included.  Returns the instant they are for: @now,
 * or a little later where the record already moved past it.
 * What lies before tracking is not in it, and of the values only what the engine counts;
 * the stalls are not written.
 * The record may change meanwhile, see record_read_begin().
 *
 * totals_of() - the same, for a thread whose throttling is not known
 */
u64 totals_of_wait(struct totals *t, const struct record *r, const struct totals_wait *wait,
		   u64 now, u32 groups);

static inline u64 totals_of(struct totals *t, const struct record *r, u64 now, u32 groups)
{
	return totals_of_wait(t, r, &(const struct totals_wait){}, now, groups);
}

/* totals_add() - @sum += @t, which is of every group; of the longest intervals the longer */
void totals_add(struct totals *sum, const struct totals *t);

/* totals_add_times() - the same of the times, and of nothing else */
void totals_add_times(struct totals *sum, const struct totals *t);

void totals_add_stalls(struct totals *sum, const struct record_sum *stalls);

/* totals_add_record() - @sum += the totals of a record that is not written to any more */
void totals_add_record(struct totals *sum, const struct record *r);

#endif /* TASKRT_TOTALS_H */
