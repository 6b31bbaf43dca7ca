/* SPDX-License-Identifier: GPL-2.0-only */
/* A listener to the exits of a command's descendants. */
#ifndef TOOLS_RUN_EXIT_TRACKER_H
#define TOOLS_RUN_EXIT_TRACKER_H

#include <taskrt.h>

#include "common/error.h"
#include "run/descendants.h"

struct exit_tracker {
	struct taskrt_exits *exits;	/* NULL: there is none, error and text say why */
	int error;
	char text[ERROR_MAX];
	int own;			/* only of the own user's tasks */
	uint64_t received, lost;	/* records */
	struct descendants descendants;
};

/* Begin to listen, before the command is started; now_ns: of the module's clock. */
void exit_tracker_begin(struct exit_tracker *tracker, uint64_t now_ns);
void exit_tracker_end(struct exit_tracker *tracker);

/* The descriptor to poll; -1: there is no listener. */
int exit_tracker_fd(const struct exit_tracker *tracker);

/* Read all records that have arrived. */
void exit_tracker_read(struct exit_tracker *tracker);

#endif
