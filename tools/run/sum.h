/* SPDX-License-Identifier: GPL-2.0-only */
/* The sum of several readings. */
#ifndef TOOLS_RUN_SUM_H
#define TOOLS_RUN_SUM_H

#include <taskrt.h>

/* Begin a sum of nothing: all that most kernels measure is 0. */
void sum_begin(struct taskrt_reading *sum);

/*
 * Totals are added, of longest intervals the longest stays, and only what both
 * have measured is measured.  Identity and instants are of no sum.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

#endif
