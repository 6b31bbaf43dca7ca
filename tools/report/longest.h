/* SPDX-License-Identifier: GPL-2.0-only */
/* The longest interval of a state or a timer, as a person reads it. */
#ifndef TOOLS_REPORT_LONGEST_H
#define TOOLS_REPORT_LONGEST_H

#include <stdio.h>
#include <taskrt.h>

/*
 * Print how long it was, when it began, seen from the instant of the reading, and where it was.
 * known: it was measured; site: the function of the kernel, or ""
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, int known,
		    const struct taskrt_longest *longest, const char *site);

#endif
