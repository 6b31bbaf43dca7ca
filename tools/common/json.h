/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON: objects of json-c, and their text, which is ASCII. */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stddef.h>
#include <stdio.h>
#include <json-c/json.h>
#include <taskrt.h>

#include "common/field.h"

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

enum json_layout { JSON_ON_A_LINE, JSON_ON_LINES };

/* Print one document, and drop the reference. */
void json_print(FILE *out, struct json_object *object, enum json_layout layout);

/* An array that is printed element by element: 20000 threads as one object take 600 MB. */
struct json_array {
	FILE *out;
	enum json_layout layout;
	size_t count;
};

/* Begin an array that is a document of its own, on lines. */
void json_array_begin(struct json_array *array, FILE *out);

/*
 * Begin an array that is the last member of object, a document on a line.  Object, which has
 * other members, is printed at once, and the reference dropped.
 */
void json_array_begin_in(struct json_array *array, FILE *out, struct json_object *object,
			 const char *name);

/* Print the next element, and drop the reference. */
void json_array_add(struct json_array *array, struct json_object *object);

void json_array_end(struct json_array *array);

#endif
