/* SPDX-License-Identifier: GPL-2.0-only */
/* What most of the time before an alert went to, and who is to blame, in one sentence. */
#ifndef TOOLS_WATCH_SUMMARY_H
#define TOOLS_WATCH_SUMMARY_H

#include "watch/culprit.h"

#define SUMMARY_MAX	1024	/* bytes that the longest takes, with its NUL */

struct summary {
	struct culprit culprit;
	char text[SUMMARY_MAX];
};

/* window_ns: see culprit_find(). */
void summary_make(struct summary *summary, const struct record *record, uint64_t window_ns);

#endif
