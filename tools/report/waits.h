/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults, waits for locks and the other timers from start to end, whatever state the
 * thread was in.
 */
#ifndef TOOLS_REPORT_WAITS_H
#define TOOLS_REPORT_WAITS_H

#include <stdio.h>
#include <taskrt.h>

/* start_ns: see report_longest() */
void report_waits(FILE *out, const struct taskrt_reading *reading, uint64_t start_ns);

#endif
