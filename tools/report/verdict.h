/* SPDX-License-Identifier: GPL-2.0-only */
/* In one sentence: what most of the time went to, and what kept the threads from running. */
#ifndef TOOLS_REPORT_VERDICT_H
#define TOOLS_REPORT_VERDICT_H

#include <stdio.h>
#include <taskrt.h>

/*
 * Print it, unless the states were not measured.
 * before: what stands before it on the line: "verdict: "
 * sites: of its longest waits; NULL: not known
 */
void report_verdict(FILE *out, const char *before, const struct taskrt_reading *reading,
		    const struct taskrt_sites *sites);

#endif
