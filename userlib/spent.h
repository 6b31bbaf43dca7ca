/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums and differences of totals: all of them are numbers of 64 bits, side by side. */
#ifndef TASKRT_SPENT_H
#define TASKRT_SPENT_H

#define TASKRT_NR_TOTALS	(sizeof(struct taskrt_totals) / sizeof(__u64))

static inline void taskrt_spent_add(struct taskrt_totals *sum, const struct taskrt_totals *totals)
{
	const __u64 *from = (const __u64 *)totals;
	__u64 *to = (__u64 *)sum;
	unsigned int i;

	for (i = 0; i < TASKRT_NR_TOTALS; i++)
		to[i] += from[i];
}

/* Over netlink times may be coarse: none is negative. */
static inline void taskrt_spent_between(struct taskrt_totals *spent,
					const struct taskrt_totals *before,
					const struct taskrt_totals *after)
{
	const __u64 *from = (const __u64 *)before, *until = (const __u64 *)after;
	__u64 *to = (__u64 *)spent;
	unsigned int i;

	for (i = 0; i < TASKRT_NR_TOTALS; i++)
		to[i] = until[i] > from[i] ? until[i] - from[i] : 0;
}

#endif /* TASKRT_SPENT_H */
