/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that is run, at once or when the caller is ready for it. */
#ifndef TOOLS_COMMON_WORKLOAD_H
#define TOOLS_COMMON_WORKLOAD_H

#include <sys/types.h>

#include "common/signals.h"

struct workload {
	pid_t pid;
	int fd;			/* readable when it has ended; -1: there is none */
	int go, report;		/* private */
};

/*
 * Start a process that executes argv; the caller becomes a subreaper.
 * signals: held by signals_hold(), and restored in the process; NULL: they were not held.
 * held: the process waits for workload_run().
 * Return: 0, or a negative errno, and nothing is left to be closed.
 */
int workload_start(struct workload *workload, char **argv, const struct signals *signals,
		   int held);

/* Let a held command start.  Return: 0: it runs; a positive errno: why it could not be run. */
int workload_run(struct workload *workload);

/* Reap descendants that have ended after their parents; to be called now and then. */
void workload_reap(const struct workload *workload);

/*
 * Terminate the command and its descendants in our process group, and kill them if they do not end.
 * If the command has ended already, its descendants continue.
 */
void workload_end(struct workload *workload);

/* Close its descriptors only: the caller waits for the process. */
void workload_close(struct workload *workload);

#endif
