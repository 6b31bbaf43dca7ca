/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots as JSON, with the names of <linux/taskrt.h>.  A value
 * that was not measured is null.
 */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include <stddef.h>
#include <json-c/json.h>
#include <taskrt.h>

struct json_object *json_task(const struct taskrt_stats *stats);

/* Several as one, of which neither identity nor instants are. */
void json_put_sum(struct json_object *to, const struct taskrt_stats *sum);

/* One exit: "type", "cpu", "seq" and "lost", and the members of its task. */
struct json_object *json_exit(const struct taskrt_exit *exit);

struct json_object *json_info(const struct taskrt_info *info);

/* text as a JSON string, with what is not UTF-8 replaced. */
struct json_object *json_text(const char *text, size_t length);

/* json-c's, but never NULL: without memory the program ends. */
struct json_object *json_new_object(void);
struct json_object *json_new_array(void);
struct json_object *json_new_number(uint64_t value);
struct json_object *json_new_integer(int64_t value);
struct json_object *json_new_bool(int value);

/* Take over value, which may be NULL: JSON's null. */
void json_put(struct json_object *to, const char *name, struct json_object *value);
void json_append(struct json_object *to, struct json_object *value);

#endif
