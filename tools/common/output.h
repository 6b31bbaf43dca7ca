/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard output and other files: no write error goes unnoticed. */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <stdio.h>

/*
 * If descriptor 0, 1 or 2 is closed, open something unusable there: otherwise the next socket would
 * get this number, and messages would be written into it.
 */
void output_guard(void);

/* Let a write fail if the reader has gone away, as on a full disk, instead of raising a signal. */
void output_keep_pipe(void);

/*
 * Close out.  file: its name; NULL: standard output.  Return: status, or STATUS_FAILED after a
 * message if something could not be written.
 */
int output_close(FILE *out, const char *file, int status);

/* Records are written on standard output and into a file, and no error is lost. */
enum writer_form { WRITER_SILENT, WRITER_TEXT, WRITER_JSON };

struct writer {
	enum writer_form form;		/* on standard output */
	const char *file_name;		/* an additional file; NULL: none; "-": standard output */
	int fd;				/* of that file, once it is open */
	int created;			/* the file is new */
	const char *failed;		/* the file of the last failed write, or NULL */
};

/*
 * Open the file, and truncate it.  Between these two calls a command checks everything else, so
 * that a command that fails changes no file.  Return: 0, or a negative errno.
 */
int writer_open(struct writer *writer);
int writer_begin(struct writer *writer);

/* Called instead of writer_begin() if the command fails: remove the file if it is new. */
void writer_abandon(struct writer *writer);

/* Does it write on standard output? */
int writer_prints(const struct writer *writer);

/* Note that an error, if it is not 0, came from the file.  Return: error. */
int writer_file_error(struct writer *writer, int error);

/*
 * Check that all that was printed since errno was set to 0 could be written.  writer_flush() first
 * hands it to the kernel.  Return: 0, or a negative errno.
 */
int writer_check(struct writer *writer);
int writer_flush(struct writer *writer);

/*
 * Close the file, and print the summary counts on standard error.  error: 0, or why a write failed.
 * A reader that has gone away (-EPIPE) is no failure, and gets no summary.
 * Return: status, or STATUS_FAILED after a message.
 */
int writer_end(struct writer *writer, int error, int status, const char *counts);

#endif
