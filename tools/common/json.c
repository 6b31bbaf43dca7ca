// SPDX-License-Identifier: GPL-2.0-only
/* JSON: objects of json-c, and their text. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/json.h"
#include "common/text.h"

/* NULL means that there is no memory, but is also the null of JSON. */
static struct json_object *need(struct json_object *object)
{
	if (!object)
		error_no_memory();
	return object;
}

void json_put(struct json_object *to, const char *name, struct json_object *value)
{
	if (json_object_object_add(to, name, value))
		error_no_memory();
}

void json_append(struct json_object *to, struct json_object *value)
{
	if (json_object_array_add(to, value))
		error_no_memory();
}

struct json_object *json_new_object(void)
{
	return need(json_object_new_object());
}

struct json_object *json_new_array(void)
{
	return need(json_object_new_array());
}

struct json_object *json_new_number(uint64_t value)
{
	return need(json_object_new_uint64(value));
}

struct json_object *json_new_integer(int64_t value)
{
	return need(json_object_new_int64(value));
}

struct json_object *json_new_bool(int value)
{
	return need(json_object_new_boolean(value));
}

struct json_object *json_number_if(int known, uint64_t value)
{
	return known ? json_new_number(value) : NULL;
}

struct json_object *json_string(const char *text)
{
	return text ? json_text(text, strlen(text)) : NULL;
}

struct json_object *json_text(const char *text, size_t length)
{
	size_t size = strnlen(text, length) + 1;
	struct json_object *object;
	char *safe = malloc(size);

	if (!safe)
		error_no_memory();
	object = need(json_object_new_string(text_utf8(safe, size, text, length)));
	free(safe);
	return object;
}

struct json_object *json_bits(const struct field *fields, size_t count, uint64_t bits)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < count; i++)
		if (bits & fields[i].bit)
			json_append(array, json_string(fields[i].name));
	return array;
}

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

/* Print a character that is not ASCII as one or two units of UTF-16.  Return: what follows it. */
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

/* Print ASCII, which every terminal shows alike.  Texts are UTF-8 because of json_text(). */
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

void json_print(FILE *out, struct json_object *object, enum json_layout layout)
{
	const char *text = text_of(object, layout);

	print_ascii(out, text, text + strlen(text));
	fputc('\n', out);
	json_object_put(object);
}

void json_array_begin(struct json_array *array, FILE *out)
{
	*array = (struct json_array){ .out = out, .layout = JSON_ON_LINES };
	fputc('[', out);
}

void json_array_begin_in(struct json_array *array, FILE *out, struct json_object *object,
			 const char *name)
{
	const char *text = text_of(object, JSON_ON_A_LINE);

	*array = (struct json_array){ .out = out, .layout = JSON_ON_A_LINE };
	/* All but the closing brace, which follows the array. */
	print_ascii(out, text, text + strlen(text) - 1);
	fprintf(out, ",\"%s\":[", name);
	json_object_put(object);
}

/* Indent as json-c does in an array.  No string contains a newline. */
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
	fputs(array->layout == JSON_ON_LINES ? "\n]\n" : "]}\n", array->out);
}
