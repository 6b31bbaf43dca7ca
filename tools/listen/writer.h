/* SPDX-License-Identifier: GPL-2.0-only */
/* Where exits go: lines on standard output, a file, or both; and their counts. */
#ifndef TOOLS_LISTEN_WRITER_H
#define TOOLS_LISTEN_WRITER_H

#include <stdint.h>
#include <taskrt.h>

enum sink_form { SINK_SILENT, SINK_LINES, SINK_JSON };

struct sink {
	enum sink_form form;
	uint32_t entities;	/* TASKRT_ENTITIES_*: the others are left out; a loss never is */
	struct taskrt_file *file;	/* NULL: none */
	int file_fd;
	const char *file_name;
	const char *blame;		/* of a failed write: what could not be written to */
	uint64_t threads, processes, lost;
};

/* Begin: the head of the table, the file.  "-" is standard output.  Return: as sink_take(). */
int sink_begin(struct sink *sink, const char *file_name);

/* Return: 0, or a negative errno: it could not be written. */
int sink_take(struct sink *sink, const struct taskrt_exit *exit);

/* Let everybody who reads see what there is.  Return: as sink_take(). */
int sink_flush(struct sink *sink);

/* Does it write on standard output? */
int sink_prints(const struct sink *sink);

/*
 * Close the file, say how many there were, and how writing ended: error is 0 or what failed.
 * A reader that has gone away (-EPIPE) is no failure, and nothing is said.
 * Return: status, or STATUS_FAILED after a message.
 */
int sink_end(struct sink *sink, int error, int status);

#endif
