/* SPDX-License-Identifier: GPL-2.0-only */
/* The longest interval of a state or a timer, as a person reads it. */
#ifndef TOOLS_REPORT_LONGEST_H
#define TOOLS_REPORT_LONGEST_H

#include <stdio.h>
#include <taskrt.h>

#include "common/element.h"

/*
 * Print how long it was, when it began, seen from the instant of the reading, and where it was.
 * site: the function of the kernel, or ""
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    const char *site);

#endif
