/* SPDX-License-Identifier: GPL-2.0-only */
/* Exits, from a listener or from a file: printed, written into a file, and counted. */
#ifndef TOOLS_LISTEN_LISTEN_H
#define TOOLS_LISTEN_LISTEN_H

#include <stdio.h>
#include <taskrt.h>

#include "common/event_loop.h"
#include "common/output.h"
#include "common/target.h"

/* An exit as one line. */

/* The groups that are shown of an exit; the latter only if cycles are counted. */
#define LINE_GROUPS		TASKRT_GROUP_TIMES
#define LINE_GROUPS_OF_CYCLES	TASKRT_GROUP_COUNTS

void line_head(FILE *out);

/* Print an exit, or a loss in the place of the lost records. */
void line_print(FILE *out, const struct taskrt_exit *exit);

/* All exits, in the order in which they come. */

struct exits {
	struct writer writer;
	uint32_t entities;	/* TASKRT_ENTITIES_*: other exits are left out; losses never are */
	struct target_ids only;	/* processes; none: all */

	struct taskrt_file *file;	/* private from here on */
	uint64_t threads, processes, lost;
	struct event_loop loop;
	struct taskrt_exits *listener;
	uint64_t received;	/* records that were read or lost */
	uint64_t sequence;	/* the records due when the loop ends; 0: not known yet */
	uint64_t unread;	/* due records that never came */
};

/* Print the head of the table, and start the file, if any.  Return: 0, or a negative errno. */
int exits_begin(struct exits *exits);

/* Return: 0, or a negative errno: it could not be written. */
int exits_write(struct exits *exits, const struct taskrt_exit *exit);
int exits_flush(struct exits *exits);

/*
 * Write what the listener receives.  stop_fd: as stop_open() returns it; count, seconds_ns:
 * end after these, or 0.  Return: as event_loop_run(); *write_error is set.
 */
int exits_receive(struct exits *exits, struct taskrt_exits *listener, int stop_fd, uint64_t count,
		  uint64_t seconds_ns, int *write_error);

/* Return: as writer_end(). */
int exits_end(struct exits *exits, int error, int status);

#endif
