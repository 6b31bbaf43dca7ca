/* SPDX-License-Identifier: GPL-2.0-only */
/* A document for an alert, with the names of <linux/taskrt.h>.  What is not known is null. */
#ifndef TOOLS_WATCH_JSON_ALERT_H
#define TOOLS_WATCH_JSON_ALERT_H

#include "common/json.h"
#include "watch/armed.h"
#include "watch/summary.h"

void json_alert(struct json *json, const struct record *record, const struct summary *summary);

/* A wait that is not over, and what waiting_text() says of it. */
void json_wait(struct json *json, const struct armed_thread *thread, const char *text);

#endif
