/* SPDX-License-Identifier: GPL-2.0-only */
/* The median of some values, and how far it is known. */
#ifndef TOOLS_BENCH_SPREAD_H
#define TOOLS_BENCH_SPREAD_H

#include <stddef.h>

struct spread {
	size_t count;
	double median;		/* 0: there is no value */
	int bounded;		/* there are low and high: it takes at least 6 values */
	double low, high;	/* contain the true median with a probability of at least 95 % */
};

/* Sorts the values. */
void spread_find(struct spread *spread, double *values, size_t count);

/* Could the true median be 0, as far as these values show? */
int spread_has_zero(const struct spread *spread);

#endif
