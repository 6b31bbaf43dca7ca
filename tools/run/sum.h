/* SPDX-License-Identifier: GPL-2.0-only */
/* Several readings as one. */
#ifndef TOOLS_RUN_SUM_H
#define TOOLS_RUN_SUM_H

#include <taskrt.h>

/* Of nothing: all that there is on most kernels was measured, and is 0. */
void sum_begin(struct taskrt_reading *sum);

/*
 * Totals are added, of longest intervals the longest stays, and only what both
 * have measured is measured.  Identity and instants are of no sum.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

#endif
