/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts, as they are shown, and what watch says beside them. */
#ifndef TOOLS_WATCH_VIEW_H
#define TOOLS_WATCH_VIEW_H

#include <stdio.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/json.h"
#include "watch/armed.h"
#include "watch/event.h"
#include "watch/summary.h"

/* The timeline of an alert, as a person reads it. */
void timeline_print(FILE *out, const struct record *record, const struct summary *summary);

/* An alert as JSON, with the names of <linux/taskrt.h>.  What is not known is null. */
void json_alert(struct json *json, const struct record *record, const struct summary *summary);

/* A wait that is not over, and what waiting_text() says of it. */
void json_wait(struct json *json, const struct armed_thread *thread, const char *text);

/*
 * Say on standard error what was watched of a command, and the longest wait in it; nothing,
 * if the process cannot be read.
 * states: that count as waiting, a bit each; 0: all in which it is kept from running
 */
void watched_say(struct taskrt *handle, pid_t process, uint32_t states);

#endif
