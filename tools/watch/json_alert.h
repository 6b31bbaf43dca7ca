/* SPDX-License-Identifier: GPL-2.0-only */
/* An alert as JSON, with the names of <linux/taskrt.h>.  What is not known is null. */
#ifndef TOOLS_WATCH_JSON_ALERT_H
#define TOOLS_WATCH_JSON_ALERT_H

#include "watch/record.h"

/* window_ns: of "summary", see culprit_find(). */
struct json_object *json_alert(const struct record *record, uint64_t window_ns);

#endif
