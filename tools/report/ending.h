/* SPDX-License-Identifier: GPL-2.0-only */
/* How a task has ended, in one or two words. */
#ifndef TOOLS_REPORT_ENDING_H
#define TOOLS_REPORT_ENDING_H

#include <stdint.h>

#define ENDING_MAX	16	/* bytes that the longest text takes, with its NUL */

/* exit_code: as wait(2) reports it.  "exit 0", "KILL", "SEGV core", "sig 34". */
const char *ending_text(char text[ENDING_MAX], uint32_t exit_code);

#endif
