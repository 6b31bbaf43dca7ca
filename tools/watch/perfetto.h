/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts as a trace that the Perfetto viewer opens. */
#ifndef TOOLS_WATCH_PERFETTO_H
#define TOOLS_WATCH_PERFETTO_H

#include "watch/record.h"

struct perfetto;

/*
 * Begin one in a file, which is emptied; "-": standard output.  After each of these
 * what is there is a whole trace.
 * Return: 0, or a negative errno, *trace is NULL.
 */
int perfetto_create(struct perfetto **trace, const char *name);

/* window_ns: of the annotation "summary", see culprit_find().  Return: 0; a negative errno. */
int perfetto_take(struct perfetto *trace, const struct record *record, uint64_t window_ns);

/* NULL is allowed.  Return: as perfetto_take(). */
int perfetto_close(struct perfetto *trace);

#endif
