// SPDX-License-Identifier: GPL-2.0-only
/* JSON is printed as it is written, in ASCII. */
#include <inttypes.h>
#include <string.h>

#include "common/json.h"
#include "common/text.h"

static void print_unicode(FILE *out, const unsigned char *bytes, size_t count)
{
	unsigned int code = bytes[0] & (0xffU >> (count + 1));
	size_t i;

	for (i = 1; i < count; i++)
		code = code << 6 | (bytes[i] & 0x3f);
	if (code >= 0x10000) {
		fprintf(out, "\\u%04x", 0xd800 + ((code - 0x10000) >> 10));
		code = 0xdc00 + ((code - 0x10000) & 0x3ff);
	}
	fprintf(out, "\\u%04x", code);
}

static void print_quoted(FILE *out, const char *text, size_t length)
{
	size_t i, bytes;

	length = strnlen(text, length);
	fputc('"', out);
	for (i = 0; i < length; i += bytes ? bytes : 1) {
		bytes = text_printable(text + i, length - i);
		if (bytes > 1) {
			print_unicode(out, (const unsigned char *)text + i, bytes);
			continue;
		}
		if (text[i] == '"' || text[i] == '\\')
			fputc('\\', out);
		fputc(bytes ? text[i] : '?', out);
	}
	fputc('"', out);
}

static void print_line(const struct json *json)
{
	if (json->on_lines)
		fprintf(json->out, "\n%*s", (int)(2 * json->depth), "");
}

/* Print what precedes a value.  Return: where to print the value. */
static FILE *start(struct json *json, const char *name)
{
	if (json->follows)
		fputc(',', json->out);
	if (json->depth)
		print_line(json);
	if (name) {
		print_quoted(json->out, name, strlen(name));
		fputc(':', json->out);
	}
	json->follows = true;
	return json->out;
}

static void open_with(struct json *json, const char *name, char bracket)
{
	fputc(bracket, start(json, name));
	json->depth++;
	json->arrays = json->arrays << 1 | (bracket == '[');
	json->follows = false;
}

void json_object(struct json *json, const char *name)
{
	open_with(json, name, '{');
}

void json_array(struct json *json, const char *name)
{
	open_with(json, name, '[');
}

void json_end(struct json *json)
{
	json->depth--;
	/* The brackets of an empty array are on two lines. */
	if (json->follows || json->arrays & 1)
		print_line(json);
	fputc(json->arrays & 1 ? ']' : '}', json->out);
	json->arrays >>= 1;
	json->follows = json->depth > 0;
	if (!json->depth)
		fputc('\n', json->out);
}

void json_null(struct json *json, const char *name)
{
	fputs("null", start(json, name));
}

void json_bool(struct json *json, const char *name, bool value)
{
	fputs(value ? "true" : "false", start(json, name));
}

void json_number(struct json *json, const char *name, uint64_t value)
{
	fprintf(start(json, name), "%" PRIu64, value);
}

void json_integer(struct json *json, const char *name, int64_t value)
{
	fprintf(start(json, name), "%" PRId64, value);
}

/* Only LC_CTYPE is set, so that the point is a point in every language. */
void json_decimal(struct json *json, const char *name, double value, int digits)
{
	fprintf(start(json, name), "%.*f", digits, value);
}

void json_text(struct json *json, const char *name, const char *text, size_t length)
{
	if (text)
		print_quoted(start(json, name), text, length);
	else
		json_null(json, name);
}

void json_string(struct json *json, const char *name, const char *text)
{
	json_text(json, name, text, text ? strlen(text) : 0);
}

void json_string_if_any(struct json *json, const char *name, const char *text)
{
	json_string(json, name, *text ? text : NULL);
}

void json_bool_if(struct json *json, const char *name, bool known, bool value)
{
	if (known)
		json_bool(json, name, value);
	else
		json_null(json, name);
}

void json_number_if(struct json *json, const char *name, bool known, uint64_t value)
{
	if (known)
		json_number(json, name, value);
	else
		json_null(json, name);
}

void json_integer_if(struct json *json, const char *name, bool known, int64_t value)
{
	if (known)
		json_integer(json, name, value);
	else
		json_null(json, name);
}

void json_decimal_if(struct json *json, const char *name, bool known, double value, int digits)
{
	if (known)
		json_decimal(json, name, value, digits);
	else
		json_null(json, name);
}

void json_bits(struct json *json, const char *name, const struct field *fields, size_t count,
	       uint64_t bits)
{
	size_t i;

	json_array(json, name);
	for (i = 0; i < count; i++)
		if (bits & fields[i].bit)
			json_string(json, NULL, fields[i].name);
	json_end(json);
}
