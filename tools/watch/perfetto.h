/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts as a trace that the Perfetto viewer opens. */
#ifndef TOOLS_WATCH_PERFETTO_H
#define TOOLS_WATCH_PERFETTO_H

#include "watch/summary.h"

struct perfetto;

/*
 * Begin one in a file that is open, and stays so.  After each of these what is there is a
 * whole trace.
 * Return: 0, or a negative errno, *trace is NULL.
 */
int perfetto_create(struct perfetto **trace, int fd);

/* Return: 0; a negative errno. */
int perfetto_take(struct perfetto *trace, const struct record *record,
		  const struct summary *summary);

/* NULL is allowed. */
void perfetto_close(struct perfetto *trace);

#endif
