/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard output, and files beside it: no error of a write goes unnoticed. */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <stdio.h>

/*
 * If descriptor 0, 1 or 2 is closed, open something there that cannot be used:
 * otherwise the next socket would get this number, and messages would be written
 * into it.
 */
void output_guard(void);

/* Make a reader that goes away an error, as on a full disk, instead of a signal. */
void output_keep_pipe(void);

/*
 * Close out, which is this file, or NULL: standard output.  Return: status, or STATUS_FAILED
 * after a message where something could not be written.
 */
int output_close(FILE *out, const char *file, int status);

/* Records are written on standard output and into a file, and no error is lost. */
enum writer_form { WRITER_SILENT, WRITER_TEXT, WRITER_JSON };

struct writer {
	enum writer_form form;		/* on standard output */
	const char *file_name;		/* of a file besides; NULL: none; "-": standard output */
	int fd;				/* of that file, once it is open */
	int created;			/* the file was not there before */
	const char *failed;		/* file that the last failed write was to, or NULL */
};

/*
 * Open the file, and drop what was in it.  Between the two a command can make sure that it has
 * something to write: a command that fails changes no file.  Return: 0, or a negative errno.
 */
int writer_open(struct writer *writer);
int writer_begin(struct writer *writer);

/* Between the two: the command fails.  A file that was not there before is removed. */
void writer_abandon(struct writer *writer);

/* Does it write on standard output? */
int writer_prints(const struct writer *writer);

/* Note where an error came from: the file, or standard output.  Return: error. */
int writer_file_error(struct writer *writer, int error);

/*
 * After errno was set to 0 and something was printed: was it written?  With writer_flush() it
 * is handed to the kernel before that.  Return: 0, or a negative errno.
 */
int writer_check(struct writer *writer);
int writer_flush(struct writer *writer);

/*
 * Close the file, and print counts, the summary, on standard error.  error: 0, or why nothing
 * more could be written.  A reader that has gone away (-EPIPE) is no failure, and then there
 * is no summary.
 * Return: status, or STATUS_FAILED after a message.
 */
int writer_end(struct writer *writer, int error, int status, const char *counts);

#endif
