/* SPDX-License-Identifier: GPL-2.0-only */
/* Text from other programs is made safe to print. */
#ifndef TOOLS_COMMON_TEXT_H
#define TOOLS_COMMON_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Read from the environment whether the terminal uses UTF-8; until then it is ASCII. */
void text_begin(void);

/*
 * Return: the length of the first character of text, which has length bytes; 0: it is invalid
 * UTF-8, a control character, or a character that changes the direction of writing.
 */
size_t text_printable(const char *text, size_t length);

/*
 * Copy at most length bytes of name, up to its NUL.  The copy is valid UTF-8 without control
 * characters and without characters that change the direction of writing: each byte of these
 * becomes '?'.  For JSON and traces, which are always UTF-8.  size includes the NUL; the copy is
 * cut between characters.
 */
const char *text_utf8(char *safe, size_t size, const char *name, size_t length);

/*
 * The same for a terminal: ASCII only, unless the environment says that it uses UTF-8.
 * A thread names itself, and must not be able to send commands to a terminal.
 */
const char *text_safe(char *safe, size_t size, const char *name, size_t length);

/*
 * The number of blanks that pad a safe text to so many columns of the terminal.  A character that
 * is not ASCII has several bytes, and may be two columns wide.
 */
int text_padding(const char *safe, int columns);

/* Read the first line of a file, without its newline.  Return: 0: there is none, and line is "". */
int text_read_line(char *line, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

#define TEXT_LINE_MAX	2048	/* bytes that the longest line takes, with its NUL */

/* Print a line that contains text from other programs. */
void text_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
