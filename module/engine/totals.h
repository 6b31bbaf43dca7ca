/* SPDX-License-Identifier: GPL-2.0-only */
/* The result of a query: the totals of one thread at one instant, or sums over several threads. */
#ifndef TASKRT_TOTALS_H
#define TASKRT_TOTALS_H

#include "engine/record.h"

/* The kernel's delays, which the engine does not count. */
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
	/* Sums, in the order of the uapi's groups.  The uapi's numbers index the arrays. */
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
	/* Maxima, including intervals in progress. */
	union {
		struct record_longest longest[NR_LONGEST];
		struct {
			struct record_longest longest_states[NR_STATES];
			struct record_longest longest_timers[NR_RECORD_TIMERS];
		};
	};
	u32 wchans[NR_STATES];	/* of the longest intervals; 0: not known, or in progress */
	bool delays_unknown;	/* of at least one thread */
	u8 state;		/* of one thread: the present state */
};

/* All known groups: a sum has to hold all of them. */
#define TOTALS_ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST | \
			 TASKRT_GROUP_SITES)
/* The groups that need the longest intervals. */
#define TOTALS_LONGEST	(TASKRT_GROUP_LONGEST | TASKRT_GROUP_SITES)

/* The throttling of a queued thread. */
struct totals_wait {
	u64 throttled_ns;	/* the part of its wait, until now, that was THROTTLED */
	bool throttled;		/* it is throttled now */
	bool known;		/* false: the whole wait belongs to record.state */
};

/*
 * totals_of_wait() - the totals of a record at @now, including intervals in progress
 * @wait: the throttling in the wait in progress, if the thread is queued
 * @groups: TASKRT_GROUP_*; times are always included.  Members of other groups are not written.
 *
 * Time before tracking is not included, values have only what the engine counts, and delays are
 * 0.  The record may change during the call: see record_read_begin().
 * Return: the instant of the totals: @now, or a little later if the record has moved past it.
 *
 * totals_of() - totals_of_wait() for a thread whose throttling is not known
 */
u64 totals_of_wait(struct totals *t, const struct record *r, const struct totals_wait *wait,
		   u64 now, u32 groups);

static inline u64 totals_of(struct totals *t, const struct record *r, u64 now, u32 groups)
{
	return totals_of_wait(t, r, &(const struct totals_wait){}, now, groups);
}

/* totals_add() - @sum += @t, all groups; of the longest intervals, keep the longer */
void totals_add(struct totals *sum, const struct totals *t);

/* totals_add_times() - @sum += @t, times only */
void totals_add_times(struct totals *sum, const struct totals *t);

/* totals_add_record() - @sum += the totals of a record that is no longer written */
void totals_add_record(struct totals *sum, const struct record *r);

#endif /* TASKRT_TOTALS_H */
