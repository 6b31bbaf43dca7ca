/* SPDX-License-Identifier: GPL-2.0-only */
/* Alerts as they come: printed, written into a trace, and counted. */
#ifndef TOOLS_WATCH_ALERTS_H
#define TOOLS_WATCH_ALERTS_H

#include <taskrt.h>

#include "common/event_loop.h"
#include "common/output.h"
#include "common/workload.h"
#include "watch/armed.h"
#include "watch/view.h"

struct alerts {
	struct writer writer;	/* the file is a trace */
	uint64_t window_ns;	/* see culprit_find() */

	struct perfetto *trace;	/* private from here on */
	uint64_t delivered, counted, missed;	/* counted: by --count */
	struct event_loop loop;
	struct taskrt_alerts *listener;
	struct armed *armed;
	const struct workload *workload;
	struct record record;	/* the last alert */
};

/* Which alerts to receive, and when to end. */
struct alerts_query {
	struct armed *armed;	/* only their alerts, until all have ended; NULL: all */
	const struct workload *workload;	/* the loop ends with it; NULL: there is none */
	int stop_fd;		/* as stop_open() returns it */
	uint64_t count;		/* end after this number; 0: no limit */
	uint64_t seconds_ns;	/* end after this time; 0: no limit */
};

/* Start the trace in the writer's file, which is open.  Return: 0, or a negative errno. */
int alerts_begin(struct alerts *alerts);

/*
 * Write what the listener receives.  Return: as event_loop_run(); armed->error has the reason
 * unless it is empty.
 */
int alerts_receive(struct alerts *alerts, struct taskrt_alerts *listener,
		   const struct alerts_query *query);

/* Return: as writer_end(). */
int alerts_end(struct alerts *alerts, int status);

#endif
