// SPDX-License-Identifier: GPL-2.0-only
/* JSON as text. */
#include <string.h>

#include "common/error.h"
#include "common/json_print.h"

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

/* One that is not ASCII, as one or two of UTF-16.  Return: what stands behind it. */
static const char *print_escaped(FILE *out, const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t i, count = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	unsigned int code = bytes[0] & (0xffU >> (count + 1));

	for (i = 1; i < count; i++)
		code = code << 6 | (bytes[i] & 0x3f);
	if (code >= 0x10000) {
		fprintf(out, "\\u%04x", 0xd800 + ((code - 0x10000) >> 10));
		code = 0xdc00 + ((code - 0x10000) & 0x3ff);
	}
	fprintf(out, "\\u%04x", code);
	return text + count;
}

/* As ASCII, which every terminal understands alike.  Texts are UTF-8 by json_text(). */
static void print_ascii(FILE *out, const char *text, const char *end)
{
	const char *next;

	while (text < end) {
		for (next = text; next < end && !(*next & 0x80); next++)
			;
		fwrite(text, 1, (size_t)(next - text), out);
		text = next < end ? print_escaped(out, next) : next;
	}
}

static void print(FILE *out, struct json_object *object, enum json_layout layout)
{
	const char *text = text_of(object, layout);

	print_ascii(out, text, text + strlen(text));
	fputc('\n', out);
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

		fputs("\n  ", out);
		print_ascii(out, text, text + length);
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
		print_ascii(array->out, text, text + strlen(text));
	json_object_put(object);
}

void json_array_end(struct json_array *array)
{
	fputs(array->layout == JSON_ON_LINES ? "\n]\n" : "]", array->out);
}
