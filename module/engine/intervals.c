// SPDX-License-Identifier: GPL-2.0-only
#include "engine/intervals.h"

static void intervals_count(struct taskrt_intervals *intervals, u64 ns)
{
	u32 bucket = 63 - __builtin_clzll(ns);

	if (bucket >= TASKRT_BUCKETS)
		bucket = TASKRT_BUCKETS - 1;
	shared_add(&intervals->buckets[bucket], 1);
}

static void intervals_set_peak(struct taskrt_longest *peak, u64 ns, u64 at)
{
	shared_store(&peak->ns, ns);
	shared_store(&peak->at_ns, at);
}

/* Drop the oldest peak to make room: readers rarely ask for the longest since that long ago. */
static void intervals_drop_oldest(struct taskrt_intervals *intervals)
{
	struct taskrt_longest *peaks = intervals->peaks;
	u32 i;

	shared_store(&intervals->dropped_ns, peaks[0].at_ns + peaks[0].ns);
	for (i = 1; i < TASKRT_PEAKS; i++)
		intervals_set_peak(&peaks[i - 1], peaks[i].ns, peaks[i].at_ns);
}

void intervals_add(struct taskrt_intervals *intervals, u64 ns, u64 at)
{
	u32 n = intervals->nr_peaks;

	intervals_count(intervals, ns);
	/* A peak that is not longer than this interval can never be the longest again. */
	while (n && intervals->peaks[n - 1].ns <= ns)
		n--;
	if (n == TASKRT_PEAKS) {
		intervals_drop_oldest(intervals);
		n--;
	}
	intervals_set_peak(&intervals->peaks[n], ns, at);
	shared_store(&intervals->nr_peaks, n + 1);
}
