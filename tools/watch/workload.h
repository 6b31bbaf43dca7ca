/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that does not begin before we are ready for it. */
#ifndef TOOLS_WATCH_WORKLOAD_H
#define TOOLS_WATCH_WORKLOAD_H

#include <sys/types.h>

struct workload {
	pid_t pid;
	int fd;			/* readable when it has ended; -1: there is none */
	int go, report;		/* its own affair */
};

/* Start a process that waits to become argv.  Return: 0, or a negative errno. */
int workload_start(struct workload *workload, char **argv);

/* Let it.  Return: 0, or a positive errno: why it could not be run. */
int workload_run(struct workload *workload);

/* To be called now and then: its descendants that have lost their parents are ours to reap. */
void workload_reap(const struct workload *workload);

/*
 * If it has not ended yet, ask it and its descendants in our process group to, and see to
 * it that they do.  Where it has, what it has left behind goes on.
 */
void workload_end(struct workload *workload);

#endif
