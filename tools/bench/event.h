/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be measured: events that every thread pays for, and calls that a program makes. */
#ifndef TOOLS_BENCH_EVENT_H
#define TOOLS_BENCH_EVENT_H

#include <stdint.h>
#include <taskrt.h>

#include "common/clock.h"

/* Where and how an event is measured. */
struct sample_site {
	struct taskrt *handle;
	int cpu;
	int on;			/* accounting is on */
};

struct sample {
	double ns;		/* time of one event */
	int checked;		/* there is a check */
	double check;		/* see struct event */
	const char *note;	/* NULL, or a remark; after an error, the reason */
};

/* Return: the time since @began_ns, divided by @count. */
static inline double sample_each(uint64_t began_ns, uint64_t count)
{
	return (double)(clock_now_ns() - began_ns) / (double)count;
}

struct event {
	const char *name, *what;
	int is_call;		/* else an event; a call is only measured with accounting on */
	const char *check;	/* NULL, or what the check of a sample counts */
	double least, most;	/* limits of the check, if the event was as expected */
	const char *remark;	/* NULL, or a remark on the row */

	/* Measure for about @ns.  Return: 0, or a negative errno. */
	int (*measure)(const struct sample_site *site, uint64_t ns, struct sample *sample);
};

/* All of them, in the order of the output. */
#define EVENT_COUNT	7
extern const struct event event_all[EVENT_COUNT];

/* Return: the index of the event with this name; -1: there is none. */
int event_find(const char *name);

/* The event of two threads that wake each other; see struct event. */
int pingpong_measure(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
