/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_LINE_H
#define TASKRT_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * One line of text, put together without the C library, whose printf may
 * allocate.  What finds no room is counted, not written.
 */
struct taskrt_line {
	char *text;
	size_t size;
	size_t length;		/* of the whole line */
};

void taskrt_line_init(struct taskrt_line *line, char *text, size_t size);
void taskrt_line_text(struct taskrt_line *line, const char *text);
/* Until a NUL, or size bytes. */
void taskrt_line_bytes(struct taskrt_line *line, const char *bytes, size_t size);
void taskrt_line_number(struct taskrt_line *line, uint64_t number);
/* 1234567 as "1.235" */
void taskrt_line_ms(struct taskrt_line *line, uint64_t ns);
/* As a time stamp in seconds: 1234567891000 as "1234.567891" */
void taskrt_line_seconds(struct taskrt_line *line, uint64_t ns);
/* "28.4 %" */
void taskrt_line_percent(struct taskrt_line *line, uint64_t part, uint64_t whole);
/* Return: the length of the whole line. */
int taskrt_line_end(struct taskrt_line *line);

#endif /* TASKRT_LINE_H */
