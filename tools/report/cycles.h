/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor counted while a task ran. */
#ifndef TOOLS_REPORT_CYCLES_H
#define TOOLS_REPORT_CYCLES_H

#include <taskrt.h>

#define CYCLES_MAX	64

/* "3.10 GHz, CPI 0.81" (cycles per instruction); "" if they were not counted. */
const char *cycles_text(char text[CYCLES_MAX], const struct taskrt_reading *reading);

#endif
