/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be measured: events that everybody pays for, and calls that a program makes. */
#ifndef TOOLS_BENCH_EVENT_H
#define TOOLS_BENCH_EVENT_H

#include <stdint.h>
#include <taskrt.h>

#include "common/clock.h"

/* Where and how a sample is made: one measurement of an event. */
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

struct event {
	const char *name, *what;
	int is_call;		/* or an event; a call is only measured while accounting is on */
	const char *check;	/* NULL, or what the check of a sample counts */
	double least, most;	/* that it is, if the event is what it should be */
	const char *remark;	/* NULL, or what a reader of the row must know */

	/* Measure for about so long.  Return: 0, or a negative errno. */
	int (*measure)(const struct sample_site *site, uint64_t ns, struct sample *sample);
};

/* All of them, in the order of the output. */
#define EVENT_COUNT	7
extern const struct event event_all[EVENT_COUNT];

/* Return: its place among them; -1: there is none of this name. */
int event_find(const char *name);

/* The event of two threads that wake each other; see struct event. */
int pingpong_measure(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
