/* SPDX-License-Identifier: GPL-2.0-only */
/* The longest interval of a state or a timer, as a person reads it. */
#ifndef TOOLS_REPORT_LONGEST_H
#define TOOLS_REPORT_LONGEST_H

#include <stdio.h>
#include <taskrt.h>

#include "common/element.h"

/* The column below report_longest_head() is as wide as this and two blanks. */
#define LONGEST_WIDTH	14

/* start_ns: see report_longest() */
const char *report_longest_head(uint64_t start_ns);

/*
 * Print how long it was, when it began, and where it was.
 * start_ns: when the command began, from which on the time is shown; 0: show it as the user's
 *	clock did, and how long ago that was
 * site: the function of the kernel, or ""
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    uint64_t start_ns, const char *site);

#endif
