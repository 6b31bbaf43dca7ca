/* SPDX-License-Identifier: GPL-2.0-only */
/* A loop that reads records of the module until something ends it. */
#ifndef TOOLS_COMMON_EVENT_LOOP_H
#define TOOLS_COMMON_EVENT_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "common/output.h"

struct event_loop;

struct event_loop_ops {
	/*
	 * Take the next record.  Return: 1: there may be more; 0: there is none now;
	 * -EBADMSG: a message was skipped; another negative errno: there will be none.
	 */
	int (*read)(struct event_loop *loop);

	/* After some records; may be NULL: hand them to the reader.  Return: as writer_flush(). */
	int (*flush)(struct event_loop *loop);

	/* After a request to end: has every record been read that existed then? */
	int (*drained)(struct event_loop *loop);

	/* Every refresh_ns.  Return: 0: end; 1: continue; a negative errno. */
	int (*refresh)(struct event_loop *loop);
};

struct event_loop {
	const struct event_loop_ops *ops;
	const struct writer *writer;
	int fd;			/* readable: there are records */
	int stop_fd;		/* readable: end after all records that exist by then */
	int command_fd;		/* the same; -1: there is none */
	uint64_t count;		/* end after this number of records; 0: no limit */
	uint64_t seconds_ns;	/* end after this time; 0: no limit */
	uint64_t refresh_ns;	/* 0: never */

	uint64_t read_count;	/* set by read */
	int write_error;	/* set by read: 0, or why nothing more can be written */

	uint64_t now_ns;	/* from here on set by the loop */
	uint64_t began_ns;
	uint64_t stopped_ns;	/* when it was asked to end; 0: it was not */
	uint64_t received_ns;	/* when the last record was read, and written */
	int more;		/* 1: after the last read there may be more */
	uint64_t refreshed_ns;
};

/* The structure that contains a loop. */
#define event_loop_owner(loop, type, member)	\
	((type *)((char *)(loop) - offsetof(type, member)))

/*
 * Return: 0: it was asked to end, has read enough, or cannot write (write_error); a negative errno:
 * why no more records come.
 */
int event_loop_run(struct event_loop *loop);

#endif
