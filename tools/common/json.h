/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readings as JSON, with the names of <linux/taskrt.h>.  A value
 * that was not measured is null.
 */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stddef.h>
#include <json-c/json.h>
#include <taskrt.h>

#include "common/field.h"

/* What is shown of a task. */
#define JSON_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

struct json_object *json_task(const struct taskrt_reading *reading);

/* Several as one, of which neither identity nor instants are. */
void json_put_sum(struct json_object *to, const struct taskrt_reading *sum);

/* One exit: "type", "cpu", "seq" and "lost", and the members of its task. */
struct json_object *json_exit(const struct taskrt_exit *exit);

/*
 * An object with a member for each state, or of whatever kind; or, of values, members of what
 * there is.  told: 0: they were not asked for, or not told, and are null.
 */
struct json_object *json_numbers(enum taskrt_name_kind kind, int told, uint64_t measured,
				 const __u64 *numbers);
void json_put_values(struct json_object *to, int told, uint64_t measured, const __u64 *values);

/* The names of the bits that are set, as an array. */
struct json_object *json_bits(const struct field *fields, size_t count, uint64_t bits);

/* text as a JSON string, with what is not UTF-8 replaced; of json_string(), NULL is null. */
struct json_object *json_text(const char *text, size_t length);
struct json_object *json_string(const char *text);

/* json-c's, but never NULL: without memory the program ends. */
struct json_object *json_new_object(void);
struct json_object *json_new_array(void);
struct json_object *json_new_number(uint64_t value);
struct json_object *json_number_if(int known, uint64_t value);	/* else null */
struct json_object *json_new_integer(int64_t value);
struct json_object *json_new_bool(int value);

/* Take over value, which may be NULL: JSON's null. */
void json_put(struct json_object *to, const char *name, struct json_object *value);
void json_append(struct json_object *to, struct json_object *value);

#endif
