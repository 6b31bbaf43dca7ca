/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readings as JSON, with the names of <linux/taskrt.h>.  A value
 * that was not measured is null.
 */
#ifndef TOOLS_COMMON_READING_JSON_H
#define TOOLS_COMMON_READING_JSON_H

#include <taskrt.h>

#include "common/json.h"

/* The groups that are shown of a task. */
#define READING_JSON_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* reading: NULL prints null.  sites: of its longest waits, printed as members; NULL: not known. */
void json_task(struct json *json, const char *name, const struct taskrt_reading *reading,
	       const struct taskrt_sites *sites);

/* The sum of several tasks, which has neither identity nor instants. */
void json_put_sum(struct json *json, const struct taskrt_reading *sum);

/* A document for one exit: "type", "cpu", "seq" and "lost", and the members of its task. */
void json_exit(struct json *json, const struct taskrt_exit *exit);

/* An object with the time of each element of a kind. */
void json_put_times(struct json *json, const char *name,
		    const struct taskrt_reading *reading, enum taskrt_name_kind kind);

/* A member for each value. */
void json_put_values(struct json *json, const struct taskrt_reading *reading);

#endif
