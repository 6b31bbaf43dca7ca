// SPDX-License-Identifier: GPL-2.0-only
/* JSON as text. */
#include <string.h>

#include "error.h"
#include "json_print.h"

/* Valid as long as object is. */
static const char *text_of(struct json_object *object, enum json_layout layout)
{
	const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE |
							  (layout == JSON_ON_LINES ?
							   JSON_C_TO_STRING_PRETTY :
							   JSON_C_TO_STRING_PLAIN));

	if (!text)
		error_no_memory();
	return text;
}

static void print(FILE *out, struct json_object *object, enum json_layout layout)
{
	fprintf(out, "%s\n", text_of(object, layout));
	json_object_put(object);
}

void json_print(FILE *out, struct json_object *object)
{
	print(out, object, JSON_ON_LINES);
}

void json_print_line(FILE *out, struct json_object *object)
{
	print(out, object, JSON_ON_A_LINE);
}

void json_array_begin(struct json_array *array, FILE *out, enum json_layout layout)
{
	*array = (struct json_array){ .out = out, .layout = layout };
	fputc('[', out);
}

/* As json-c indents what is in an array.  No string has a newline in it. */
static void print_indented(FILE *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		fprintf(out, "\n  %.*s", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void json_array_add(struct json_array *array, struct json_object *object)
{
	const char *text = text_of(object, array->layout);

	if (array->count++)
		fputc(',', array->out);
	if (array->layout == JSON_ON_LINES)
		print_indented(array->out, text);
	else
		fputs(text, array->out);
	json_object_put(object);
}

void json_array_end(struct json_array *array)
{
	fputs(array->layout == JSON_ON_LINES ? "\n]\n" : "]", array->out);
}
