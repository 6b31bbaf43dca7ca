/* SPDX-License-Identifier: GPL-2.0-only */
/* An alert as JSON, with the names of <linux/taskrt.h>.  What is not known is null. */
#ifndef TOOLS_WATCH_JSON_ALERT_H
#define TOOLS_WATCH_JSON_ALERT_H

#include "watch/armed.h"
#include "watch/summary.h"

struct json_object *json_alert(const struct record *record, const struct summary *summary);

/* A wait that is not over, and what waiting_text() says of it. */
struct json_object *json_wait(const struct armed_thread *thread, const char *text);

#endif
