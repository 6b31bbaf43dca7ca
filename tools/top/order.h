/* SPDX-License-Identifier: GPL-2.0-only */
/* Which threads of a round are shown, and in what order. */
#ifndef TOOLS_TOP_ORDER_H
#define TOOLS_TOP_ORDER_H

#include "top/want.h"

struct top_place {
	struct top_row *row;
	double key;
	double second;		/* where keys are the same */
};

struct top_order {
	struct top_place *places;	/* the first so many of all that match, in order */
	size_t count;
	size_t matching;		/* but for the idle ones */
	size_t idle;			/* kernel threads that have only slept: one row for all */
	/* Threads that were there, on average, of those that match; TOP_UNKNOWN: not measured. */
	double mean[NR_SHARES];
};

/* As top_round_next(); -ESRCH also if no process has the name that is wanted. */
int top_order_next(struct top_round *round, struct taskrt *handle, const struct top_want *want,
		   uint32_t groups);

/*
 * Sort the first threads of round that match want; 0: all of them.  Its rows are not moved.
 * To be freed with top_order_free().
 */
void top_order_make(struct top_order *order, struct top_round *round, const struct top_want *want,
		    size_t first);
void top_order_free(struct top_order *order);

#endif
