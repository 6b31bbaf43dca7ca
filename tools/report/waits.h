/* SPDX-License-Identifier: GPL-2.0-only */
/* The whole waits of a thread or a process, beside its states: faults, locks, other timers. */
#ifndef TOOLS_REPORT_WAITS_H
#define TOOLS_REPORT_WAITS_H

#include <stdio.h>
#include <taskrt.h>

void report_waits(FILE *out, const struct taskrt_reading *reading);

#endif
