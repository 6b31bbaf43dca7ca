// SPDX-License-Identifier: LGPL-2.1-or-later
#include "self/line.h"

void taskrt_line_init(struct taskrt_line *line, char *text, size_t size)
{
	line->text = text;
	line->size = text ? size : 0;
	line->length = 0;
}

static void put(struct taskrt_line *line, char c)
{
	if (line->length + 1 < line->size)
		line->text[line->length] = c;
	line->length++;
}

void taskrt_line_bytes(struct taskrt_line *line, const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size && bytes[i]; i++)
		put(line, bytes[i]);
}

void taskrt_line_text(struct taskrt_line *line, const char *text)
{
	taskrt_line_bytes(line, text, SIZE_MAX);
}

/* Write @value with its last @digits digits behind a decimal point. */
static void put_fixed(struct taskrt_line *line, uint64_t value, int digits)
{
	char reversed[24];
	int n = 0;

	do {
		reversed[n++] = '0' + value % 10;
		value /= 10;
	} while (value || n <= digits);
	while (n--) {
		put(line, reversed[n]);
		if (n && n == digits)
			put(line, '.');
	}
}

void taskrt_line_number(struct taskrt_line *line, uint64_t number)
{
	put_fixed(line, number, 0);
}

void taskrt_line_ms(struct taskrt_line *line, uint64_t ns)
{
	put_fixed(line, ns / 1000 + (ns % 1000 >= 500), 3);
}

/* The time is cut, not rounded, so that it can be found in a trace. */
void taskrt_line_seconds(struct taskrt_line *line, uint64_t ns)
{
	put_fixed(line, ns / 1000, 6);
}

void taskrt_line_percent(struct taskrt_line *line, uint64_t part, uint64_t whole)
{
	/* 2^54 * 1000 does not overflow, and 2^54 ns are more than half a year. */
	while (whole >> 54) {
		whole >>= 1;
		part >>= 1;
	}
	put_fixed(line, whole ? (part * 1000 + whole / 2) / whole : 0, 1);
	taskrt_line_text(line, " %");
}

int taskrt_line_end(struct taskrt_line *line)
{
	if (line->size)
		line->text[line->length < line->size ? line->length : line->size - 1] = '\0';
	return line->length;
}
