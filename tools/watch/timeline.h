/* SPDX-License-Identifier: GPL-2.0-only */
/* The story of a missed deadline, as a person reads it. */
#ifndef TOOLS_WATCH_TIMELINE_H
#define TOOLS_WATCH_TIMELINE_H

#include <stdio.h>

#include "watch/record.h"

/* window_ns: of the last sentence, see culprit_find(). */
void timeline_print(FILE *out, const struct record *record, uint64_t window_ns);

#endif
