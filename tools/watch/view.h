/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts as they are shown: as text, as JSON, and as a trace. */
#ifndef TOOLS_WATCH_VIEW_H
#define TOOLS_WATCH_VIEW_H

#include <stdio.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/json.h"
#include "watch/armed.h"
#include "watch/culprit.h"

/* The timeline of an alert, as a person reads it. */
void timeline_print(FILE *out, const struct record *record, const struct summary *summary);

/* An alert as JSON, with the names of <linux/taskrt.h>.  What is not known is null. */
void json_alert(struct json *json, const struct record *record, const struct summary *summary);

/* A wait that is not over.  text: of waiting_text() */
void json_wait(struct json *json, const struct armed_thread *thread, const char *text);

/* Alerts as a trace that the Perfetto viewer opens. */

struct perfetto;

/*
 * Start a trace in an open file, which stays open.  After each of these calls the file is a
 * complete trace.
 * Return: 0, or a negative errno, *trace is NULL.
 */
int perfetto_create(struct perfetto **trace, int fd);

/* Return: 0; a negative errno. */
int perfetto_take(struct perfetto *trace, const struct record *record,
		  const struct summary *summary);

/* NULL is allowed. */
void perfetto_close(struct perfetto *trace);

#endif
