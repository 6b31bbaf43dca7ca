/* SPDX-License-Identifier: GPL-2.0-only */
/* How a command that was run has ended, and where its time and its descendants' went. */
#ifndef TOOLS_RUN_RUN_H
#define TOOLS_RUN_RUN_H

#include <stdio.h>

#include "run/child.h"

void outcome_print(FILE *out, const struct child *child);
void outcome_print_json(FILE *out, const struct child *child);

/*
 * The sum of several readings.  Totals are added, of longest intervals the longest stays, and
 * only what both have measured is measured.  Identity and instants are of no sum.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

#endif
