/* SPDX-License-Identifier: GPL-2.0-only */
/* Finished intervals of one state or timer in a mapped page: see struct taskrt_intervals. */
#ifndef TASKRT_INTERVALS_H
#define TASKRT_INTERVALS_H

#include <linux/taskrt_page.h>
#include "engine/record_env.h"

/* Drop the oldest peak to make room: readers rarely look that far back. */
void intervals_drop_oldest(struct taskrt_intervals *intervals);

/* The last bucket also counts all longer intervals. */
void intervals_count_longer(struct taskrt_intervals *intervals);

static __always_inline void intervals_count(struct taskrt_intervals *intervals, u64 ns)
{
	const unsigned int bucket = 63 - __builtin_clzll(ns);

	if (likely(bucket < TASKRT_BUCKETS))
		shared_add(&intervals->buckets[bucket], 1);
	else
		intervals_count_longer(intervals);
}

static __always_inline void intervals_set_peak(struct taskrt_longest *peak, u64 ns, u64 at)
{
	shared_store(&peak->ns, ns);
	shared_store(&peak->at_ns, at);
}

/* Add an interval of @ns (not 0) that started at @at, after the start of the last one added. */
static __always_inline void intervals_add(struct taskrt_intervals *intervals, u64 ns, u64 at)
{
	u32 n = intervals->nr_peaks;
	struct taskrt_longest *peak = &intervals->peaks[n];

	intervals_count(intervals, ns);
	/* A peak that is not longer than this interval can never be the longest again. */
	for (; n && peak[-1].ns <= ns; n--)
		peak--;
	if (unlikely(n == TASKRT_PEAKS)) {
		intervals_drop_oldest(intervals);
		peak--;
		n--;
	}
	intervals_set_peak(peak, ns, at);
	shared_store(&intervals->nr_peaks, n + 1);
}

#endif /* TASKRT_INTERVALS_H */
