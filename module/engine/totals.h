/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The result of a query, before it is put into a message: the totals of one thread
 * at one instant, or the sum over several threads.  This is plain C over integers,
 * like the record.
 */
#ifndef TASKRT_TOTALS_H
#define TASKRT_TOTALS_H

#include "engine/record.h"

/* The timers of delays, which the kernel counts and not the engine. */
#define FIRST_DELAY	TASKRT_TIMER_RECLAIM
enum { NR_DELAYS = TASKRT_TIMER_WPCOPY - FIRST_DELAY + 1 };

enum {
	NR_TIMERS = ELEMENTS(MEASURED_TIMERS),
	NR_TIMES = 3 + NR_STATES + NR_TIMERS + NR_LOCKS,
	NR_COUNTS = NR_STATES + NR_TIMERS + NR_LOCKS + NR_VALUES,
	NR_SUMS = NR_TIMES + NR_COUNTS,
	NR_LONGEST = NR_STATES + NR_RECORD_TIMERS,
};

struct totals {
	/* What is added.  The arrays have the uapi's numbers, and the order of its groups. */
	union {
		u64 sums[NR_SUMS];
		struct {
			/* Including intervals in progress: */
			u64 cpu_ns;		/* since creation */
			u64 queue_ns;		/* since creation */
			u64 tracked_ns;		/* == sum of states_ns[] */
			u64 states_ns[NR_STATES];
			u64 timers_ns[NR_TIMERS];
			u64 locks_ns[NR_LOCKS];
			/* Of finished intervals: */
			u64 states[NR_STATES];
			u64 timers[NR_TIMERS];
			u64 locks[NR_LOCKS];
			u64 values[NR_VALUES];
		};
	};
	/* What is compared.  Including intervals in progress. */
	union {
		struct record_longest longest[NR_LONGEST];
		struct {
			struct record_longest longest_states[NR_STATES];
			struct record_longest longest_timers[NR_RECORD_TIMERS];
		};
	};
	u32 wchans[NR_STATES];	/* of the longest intervals; 0: not known, or in progress */
	bool delays_unknown;	/* of some thread */
	u8 state;		/* of one thread: the one whose interval is in progress */
};

/* Every group that is known: a sum has to hold all of them. */
#define TOTALS_ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST | \
			 TASKRT_GROUP_SITES)
/* Only who knows the longest interval knows whether it is the one that has a wchan. */
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
 * the delays are 0.
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

/* totals_add_record() - @sum += the totals of a record that is not written to any more */
void totals_add_record(struct totals *sum, const struct record *r);

#endif /* TASKRT_TOTALS_H */
