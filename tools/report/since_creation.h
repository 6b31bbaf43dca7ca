/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread or a process has used since its creation, as the kernel counts it. */
#ifndef TOOLS_REPORT_SINCE_CREATION_H
#define TOOLS_REPORT_SINCE_CREATION_H

#include <stdio.h>
#include <taskrt.h>

void report_since_creation(FILE *out, const struct taskrt_reading *r);

/* A line with what the processor has counted, if it has; before: what stands before it. */
void report_cycles(FILE *out, const char *before, const struct taskrt_reading *r);

#endif
