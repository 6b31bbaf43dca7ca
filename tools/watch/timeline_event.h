/* SPDX-License-Identifier: GPL-2.0-only */
/* One event of a story: when it began, seen from the alert, and what is known of it. */
#ifndef TOOLS_WATCH_TIMELINE_EVENT_H
#define TOOLS_WATCH_TIMELINE_EVENT_H

#include <stdio.h>

#include "watch/culprit.h"

/* The head of the columns. */
void timeline_event_head(FILE *out);

/* A line, and the stack below it. */
void timeline_event_print(FILE *out, const struct record *record,
			  const struct taskrt_alert_event *item, const struct culprit *culprit);

/*
 * Of left events those at the beginning that are not worth a line each, in one.
 * Return: how many; 0: the first one is.
 */
size_t timeline_event_print_trifles(FILE *out, const struct record *record,
				    const struct taskrt_alert_event **order, size_t left,
				    const struct culprit *culprit);

#endif
