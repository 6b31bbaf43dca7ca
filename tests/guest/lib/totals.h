/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a reading that only ever grow, one by one. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stddef.h>
#include <taskrt.h>

/* How many there are, each by number. */
unsigned int totals_count(void);
const char *totals_name(unsigned int i);
__u64 totals_value(const struct taskrt_reading *reading, unsigned int i);

/*
 * The first total of less that is more than the same of more; -1 if none is.
 * Says which one.
 */
int totals_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
		  const char *what);
/* The same for the lengths of the longest intervals. */
int totals_longest_exceed(const struct taskrt_reading *less, const struct taskrt_reading *more,
			  const char *what);
/* Each longest becomes the longer of the two. */
void totals_take_longest(struct taskrt_reading *longest, const struct taskrt_reading *reading);
/* Every time, of the longest intervals too, is a multiple of the grain. */
int totals_are_multiples(uint64_t grain, const struct taskrt_reading *reading);
/* sum += reading, for all totals. */
void totals_add(struct taskrt_reading *sum, const struct taskrt_reading *reading);

#endif
