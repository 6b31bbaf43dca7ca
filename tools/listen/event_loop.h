/* SPDX-License-Identifier: GPL-2.0-only */
/* A listener's records as they come, until something ends it. */
#ifndef TOOLS_LISTEN_EVENT_LOOP_H
#define TOOLS_LISTEN_EVENT_LOOP_H

#include <stdint.h>
#include <taskrt.h>

#include "listen/writer.h"

struct follow {
	struct taskrt_exits *exits;
	struct sink *sink;
	int stop_fd;		/* readable: end, with all that there is by then */
	uint64_t count;		/* end after so many records; 0: do not count */
	uint64_t seconds_ns;	/* end after this time; 0: do not */

	uint64_t now_ns;	/* from here on its own affair */
	uint64_t began_ns;
	uint64_t stopped_ns;	/* 0: nobody has asked us to end */
	uint64_t owed;		/* records that we still want then; 0: not known yet */
	int write_error;	/* 0, or why the sink takes no more, a negative errno */
};

/*
 * Return: 0: it was asked to end, has all it wanted, or cannot write (write_error);
 * a negative errno: why nothing more comes.
 */
int follow_run(struct follow *follow);

#endif
