/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_LINE_H
#define TASKRT_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A line of text.  It is written without the C library's printf, which may allocate
 * memory.  Characters for which there is no room are counted but not written.
 */
struct taskrt_line {
	char *text;
	size_t size;
	size_t length;		/* of the whole line */
};

void taskrt_line_init(struct taskrt_line *line, char *text, size_t size);
void taskrt_line_text(struct taskrt_line *line, const char *text);
/* Write @bytes up to a NUL, or @size of them. */
void taskrt_line_bytes(struct taskrt_line *line, const char *bytes, size_t size);
void taskrt_line_number(struct taskrt_line *line, uint64_t number);
/* Write milliseconds: 1234567 ns as "1.235". */
void taskrt_line_ms(struct taskrt_line *line, uint64_t ns);
/* Write a time stamp in seconds: 1234567891000 ns as "1234.567891". */
void taskrt_line_seconds(struct taskrt_line *line, uint64_t ns);
/* Write a share with one decimal: "28.4 %". */
void taskrt_line_percent(struct taskrt_line *line, uint64_t part, uint64_t whole);
/* Terminate the text.  Return: the length of the whole line. */
int taskrt_line_end(struct taskrt_line *line);

#endif /* TASKRT_LINE_H */
