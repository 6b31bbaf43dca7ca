/* SPDX-License-Identifier: GPL-2.0-only */
/* All measurements of events: how they are made, their median and its confidence interval. */
#ifndef TOOLS_BENCH_SERIES_H
#define TOOLS_BENCH_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "bench/event.h"

struct spread {
	size_t count;
	double median;		/* 0: there is no value */
	int bounded;		/* low and high are set, which takes at least 6 values */
	double low, high;	/* contain the true median with a probability of at least 95 % */
};

/* Sorts the values. */
void spread_find(struct spread *spread, double *values, size_t count);

/* Could the true median be 0, as far as these values show? */
int spread_has_zero(const struct spread *spread);

#define SERIES_MAX	4096

struct series {
	const struct event *event;
	size_t count;
	double ns[2][SERIES_MAX];	/* with accounting off and on; a call has only the latter */
	double check_sum;
	size_t checks;
	const char *note;	/* NULL, or a remark */
	char why[128];		/* not empty: why it cannot be measured */
	double now[2];		/* the pair that is not complete yet */
};

/* Measure once, for @ns.  After a failure why is set, and nothing more is measured. */
void series_measure(struct series *series, const struct sample_site *site, uint64_t ns);

/* The pair is complete. */
void series_keep(struct series *series);

/* With accounting off (0) or on (1); and on minus off, pair by pair. */
void series_spread(const struct series *series, int on, struct spread *spread);
void series_added(const struct series *series, struct spread *added);

/* Return: the mean of the checks; there is one if checks is not 0. */
double series_check(const struct series *series);

/* Was the event what it should be, as far as the checks show? */
int series_is_as_expected(const struct series *series);

/* Accounting is switched off and on in turn, and all events are measured each time. */
struct alternation {
	struct series *series;
	size_t nr_series;
	struct sample_site site;
	int parameter;		/* a descriptor; -1: accounting stays on, because all are calls */
	int stop_fd;		/* readable: end */
	uint64_t seconds_ns;	/* how long */

	size_t pairs;		/* set by the run, as are the members below */
	uint64_t slice_ns;	/* the length of one measurement */
	uint64_t elapsed_ns;
	int stopped;		/* before its time was over */
};

/*
 * The length of one measurement, so that the pairs fill the time.  There are at least as many pairs
 * as are wanted, but not more than a series has room for.
 */
uint64_t alternation_slice_ns(const struct alternation *alternation);

/* Return: a status, after a message if it is not STATUS_OK. */
int alternation_run(struct alternation *alternation);

/* Return: 0: each event has failed. */
int alternation_can_measure(const struct alternation *alternation);

#endif
