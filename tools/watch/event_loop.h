/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts as they come, until something ends it. */
#ifndef TOOLS_WATCH_EVENT_LOOP_H
#define TOOLS_WATCH_EVENT_LOOP_H

#include "watch/armed.h"
#include "watch/workload.h"
#include "watch/writer.h"

struct collect {
	struct taskrt_alerts *alerts;
	struct outlet *outlet;
	struct armed *armed;	/* only alerts of these, until all have ended; NULL: all alerts */
	int stop_fd;		/* readable: end */
	const struct gate *gate;	/* of the command, whose end is ours; NULL: there is none */
	uint64_t count;		/* end after so many alerts; 0: do not count */
	uint64_t seconds_ns;	/* end after this time; 0: do not */

	uint64_t now_ns;	/* from here on its own affair */
	uint64_t began_ns;
	uint64_t stopped_ns;	/* 0: nobody has asked us to end */
	struct record record;	/* the last alert */
	uint64_t looked_ns;	/* at the threads that are armed */
	int write_error;	/* 0, or why the outlet takes no more, a negative errno */
};

/*
 * Return: 0: it was asked to end, has all it wanted, or cannot write (write_error);
 * a negative errno: why nothing more comes; armed->error says why if it says anything.
 */
int collect_run(struct collect *collect);

#endif
