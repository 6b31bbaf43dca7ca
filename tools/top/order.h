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
	struct top_place *places;	/* the first ones of all that match, in order */
	size_t count;
	size_t matching;		/* without idle ones */
	size_t idle;			/* kernel threads that have only slept: one row for all */
	/* The average number of matching threads in each share; TOP_UNKNOWN: not measured. */
	double mean[NR_SHARES];
};

/* As top_round_next(); -ESRCH also if no process has the name in want. */
int top_order_next(struct top_round *round, struct taskrt *handle, const struct top_want *want,
		   uint32_t groups);

/*
 * Sort the first threads of round that match want; first: how many; 0: all.  The rows of round are
 * not moved.  To be freed with top_order_free().
 */
void top_order_make(struct top_order *order, struct top_round *round, const struct top_want *want,
		    size_t first);
void top_order_free(struct top_order *order);

#endif
