/* SPDX-License-Identifier: GPL-2.0-only */
/* What most of the time before an alert went to, and who is to blame, in one sentence. */
#ifndef TOOLS_WATCH_SUMMARY_H
#define TOOLS_WATCH_SUMMARY_H

#include "watch/culprit.h"

#define SUMMARY_MAX	1024	/* bytes that the longest takes, with its NUL */

const char *summary_text(char text[SUMMARY_MAX], const struct culprit *culprit,
			 const struct record *record);

#endif
