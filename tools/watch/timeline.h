/* SPDX-License-Identifier: GPL-2.0-only */
/* The timeline of an alert, as a person reads it. */
#ifndef TOOLS_WATCH_TIMELINE_H
#define TOOLS_WATCH_TIMELINE_H

#include <stdio.h>

#include "watch/summary.h"

void timeline_print(FILE *out, const struct record *record, const struct summary *summary);

#endif
