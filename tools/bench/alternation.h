/* SPDX-License-Identifier: GPL-2.0-only */
/* Accounting is switched off and on in turn, and all events are measured each time. */
#ifndef TOOLS_BENCH_ALTERNATION_H
#define TOOLS_BENCH_ALTERNATION_H

#include <stddef.h>
#include <stdint.h>

#include "bench/series.h"

struct alternation {
	struct series *series;
	size_t nr_series;
	struct sample_site site;
	int parameter;		/* a descriptor; -1: accounting stays on, because all are calls */
	int stop_fd;		/* readable: end */
	uint64_t seconds_ns;	/* how long */

	size_t pairs;		/* set, as is what follows */
	uint64_t slice_ns;	/* the length of one measurement */
	uint64_t elapsed_ns;
	int stopped;		/* before its time was over */
};

/*
 * How long one measurement is to take, so that the pairs take all of the time: as many as are
 * wanted, or more of them, but not more than a series has room for.
 */
uint64_t alternation_slice_ns(const struct alternation *alternation);

/* Return: a status, after a message where it is not STATUS_OK. */
int alternation_run(struct alternation *alternation);

/* Return: 0: each event has failed. */
int alternation_can_measure(const struct alternation *alternation);

#endif
