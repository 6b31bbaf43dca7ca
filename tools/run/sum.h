/* SPDX-License-Identifier: GPL-2.0-only */
/* The sum of several readings. */
#ifndef TOOLS_RUN_SUM_H
#define TOOLS_RUN_SUM_H

#include <taskrt.h>

/*
 * Totals are added, of longest intervals the longest stays, and only what both
 * have measured is measured.  Identity and instants are of no sum.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

#endif
