// SPDX-License-Identifier: GPL-2.0-only
#include "engine/intervals.h"

void intervals_count_longer(struct taskrt_intervals *intervals)
{
	shared_add(&intervals->buckets[TASKRT_BUCKETS - 1], 1);
}

void intervals_drop_oldest(struct taskrt_intervals *intervals)
{
	struct taskrt_longest *peaks = intervals->peaks;
	u32 i;

	shared_store(&intervals->dropped_ns, peaks[0].at_ns + peaks[0].ns);
	for (i = 1; i < TASKRT_PEAKS; i++)
		intervals_set_peak(&peaks[i - 1], peaks[i].ns, peaks[i].at_ns);
}
