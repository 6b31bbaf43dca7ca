/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of struct taskrt_stats that only ever grow, one by one. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stddef.h>
#include <taskrt.h>

/* How many there are, each by number. */
unsigned int totals_count(void);
const char *totals_name(unsigned int i);
__u64 totals_value(const struct taskrt_stats *stats, unsigned int i);

/*
 * The first total of less that is more than the same of more; -1 if none is.
 * Says which one.
 */
int totals_exceed(const struct taskrt_stats *less, const struct taskrt_stats *more,
		  const char *what);
/* The same for the lengths of the longest intervals. */
int totals_longest_exceed(const struct taskrt_stats *less, const struct taskrt_stats *more,
			  const char *what);
/* sum += stats, for all totals. */
void totals_add(struct taskrt_stats *sum, const struct taskrt_stats *stats);

#endif
