/* SPDX-License-Identifier: GPL-2.0-only */
/* One measurement of an event. */
#ifndef TOOLS_BENCH_SAMPLE_H
#define TOOLS_BENCH_SAMPLE_H

#include <stdint.h>
#include <taskrt.h>

#include "common/clock.h"

/* Where and how it is made. */
struct sample_site {
	struct taskrt *handle;
	int cpu;
	int on;			/* accounting is */
};

struct sample {
	double ns;		/* that the event took once */
	int checked;		/* there is a check */
	double check;		/* see struct event */
	const char *note;	/* NULL, or what else must be known; with an error, the reason */
};

/* Return: the time since then, for each of so many. */
static inline double sample_each(uint64_t began_ns, uint64_t count)
{
	return (double)(clock_now_ns() - began_ns) / (double)count;
}

#endif
