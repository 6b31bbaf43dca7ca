/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON as text: whole documents, and arrays that are too long to be objects in memory. */
#ifndef TOOLS_COMMON_JSON_PRINT_H
#define TOOLS_COMMON_JSON_PRINT_H

#include <stdio.h>
#include <json-c/json.h>

/* Print as one document, and drop the reference. */
void json_print(FILE *out, struct json_object *object);

/* The same on a single line, for streams of documents. */
void json_print_line(FILE *out, struct json_object *object);

enum json_layout { JSON_ON_A_LINE, JSON_ON_LINES };

/* An array that is printed element by element: 20000 threads as one object take 600 MB. */
struct json_array {
	FILE *out;
	enum json_layout layout;
	size_t count;
};

void json_array_begin(struct json_array *array, FILE *out, enum json_layout layout);

/* Print the next element, and drop the reference. */
void json_array_add(struct json_array *array, struct json_object *object);

void json_array_end(struct json_array *array);

#endif
