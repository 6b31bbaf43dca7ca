/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON is printed as it is written, in ASCII, which every terminal shows alike. */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/names.h"

/* Between two documents, all but the first two members are zero. */
struct json {
	FILE *out;
	bool on_lines;		/* each member on a line of its own; else the document on one */
	unsigned int depth;	/* at most 32 */
	uint32_t arrays;	/* a bit for each open object or array, the innermost last */
	bool follows;		/* the innermost has a member already */
};

/*
 * Each of these prints one value, which is the member @name of an object; @name is NULL for
 * an element of an array, and for a document.  The end of the outermost one ends the line.
 */
void json_object(struct json *json, const char *name);
void json_array(struct json *json, const char *name);
void json_end(struct json *json);

void json_null(struct json *json, const char *name);
void json_bool(struct json *json, const char *name, bool value);
void json_number(struct json *json, const char *name, uint64_t value);
void json_integer(struct json *json, const char *name, int64_t value);
void json_decimal(struct json *json, const char *name, double value, int digits);

/*
 * A text of at most length bytes; NULL is null.  Each byte of what is not UTF-8, or is a control
 * character, becomes '?'.
 */
void json_text(struct json *json, const char *name, const char *text, size_t length);
void json_string(struct json *json, const char *name, const char *text);

/* "" is null. */
void json_string_if_any(struct json *json, const char *name, const char *text);

/* null if it is not known. */
void json_bool_if(struct json *json, const char *name, bool known, bool value);
void json_number_if(struct json *json, const char *name, bool known, uint64_t value);
void json_integer_if(struct json *json, const char *name, bool known, int64_t value);
void json_decimal_if(struct json *json, const char *name, bool known, double value, int digits);

/* The names of the bits that are set, as an array. */
void json_bits(struct json *json, const char *name, const struct field *fields, size_t count,
	       uint64_t bits);

#endif
