/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums and differences of totals: all of them are numbers of 64 bits, side by side. */
#ifndef TASKRT_SPENT_H
#define TASKRT_SPENT_H

#include <stdbool.h>

#define TASKRT_NR_TOTALS	(sizeof(struct taskrt_totals) / sizeof(__u64))

/* Two of them at once; the last one is alone. */
typedef __u64 taskrt_pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline void taskrt_spent_add(struct taskrt_totals *sum, const struct taskrt_totals *totals)
{
	const __u64 *from = (const __u64 *)totals;
	__u64 *to = (__u64 *)sum;
	unsigned int i;

#pragma GCC unroll 16
	for (i = 0; i + 2 <= TASKRT_NR_TOTALS; i += 2)
		*(taskrt_pair *)&to[i] += *(const taskrt_pair *)&from[i];
	for (; i < TASKRT_NR_TOTALS; i++)
		to[i] += from[i];
}

/* @exact: nothing ever decreases.  Over netlink times may be coarse, and none is negative. */
static inline void taskrt_spent_between(struct taskrt_totals *spent,
					const struct taskrt_totals *before,
					const struct taskrt_totals *after, bool exact)
{
	const __u64 *from = (const __u64 *)before, *until = (const __u64 *)after;
	__u64 *to = (__u64 *)spent;
	unsigned int i = 0;

	if (exact)
#pragma GCC unroll 16
		for (; i + 2 <= TASKRT_NR_TOTALS; i += 2)
			*(taskrt_pair *)&to[i] = *(const taskrt_pair *)&until[i] -
						 *(const taskrt_pair *)&from[i];
	for (; i < TASKRT_NR_TOTALS; i++)
		to[i] = until[i] > from[i] ? until[i] - from[i] : 0;
}

/* Others are told of an earlier instant than the thread itself: it is none before the beginning. */
static inline void taskrt_spent_order(const struct taskrt_snapshot *begin,
				      struct taskrt_snapshot *end)
{
	if (end->at_ns < begin->at_ns)
		*end = *begin;
}

#endif /* TASKRT_SPENT_H */
