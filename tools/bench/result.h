/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured, where and how: all that is printed. */
#ifndef TOOLS_BENCH_RESULT_H
#define TOOLS_BENCH_RESULT_H

#include <stdio.h>
#include <taskrt.h>

#include "bench/series.h"

/* What a reader of the numbers must know of the machine. */
struct machine {
	char kernel[65], version[65], architecture[65];	/* as uname(1) -r, -v and -m */
	long processors;	/* online */
	char processor[128];	/* the model; "": not known */
	int hypervisor;		/* is there one? -1: not known */
	char governor[32];	/* of cpufreq; "": not known */
	char clocksource[32];
};

struct result {
	struct machine machine;
	struct taskrt_info info;
	struct alternation alternation;
};

void result_print(FILE *out, const struct result *result);
void result_print_json(FILE *out, const struct result *result);	/* with every sample */

#endif
