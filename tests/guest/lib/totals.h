/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a reading that never decrease, one by one. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stddef.h>
#include <taskrt.h>

/*
 * The number of the first total of less that exceeds that of more; -1 if none does.
 * Prints it.
 */
int totals_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
		  const char *what);
/* The same for the lengths of the longest intervals. */
int totals_longest_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
			  const char *what);
/* Replaces each longest interval by the longer one of the two. */
void totals_take_longest(struct taskrt_reading *longest, const struct taskrt_reading *reading);
/* Is every time, also of the longest intervals, a multiple of the grain? */
int totals_are_multiples(uint64_t grain, const struct taskrt_reading *reading);
/* sum += reading, for all totals. */
void totals_add(struct taskrt_reading *sum, const struct taskrt_reading *reading);

#endif
