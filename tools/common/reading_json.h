/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readings as JSON, with the names of <linux/taskrt.h>.  A value
 * that was not measured is null.
 */
#ifndef TOOLS_COMMON_READING_JSON_H
#define TOOLS_COMMON_READING_JSON_H

#include <taskrt.h>

#include "common/json.h"

/* What is shown of a task. */
#define READING_JSON_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* sites: of its longest waits, which are members then; NULL: not known */
struct json_object *json_task(const struct taskrt_reading *reading,
			      const struct taskrt_sites *sites);

/* The sum of several tasks, which has neither identity nor instants. */
void json_put_sum(struct json_object *to, const struct taskrt_reading *sum);

/* One exit: "type", "cpu", "seq" and "lost", and the members of its task. */
struct json_object *json_exit(const struct taskrt_exit *exit);

/* An object with the time of each element of a kind. */
void json_put_times(struct json_object *to, const char *name,
		    const struct taskrt_reading *reading, enum taskrt_name_kind kind);

/* A member for each value. */
void json_put_values(struct json_object *to, const struct taskrt_reading *reading);

#endif
