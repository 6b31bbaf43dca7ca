/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that was run, and what is known of it when it has ended. */
#ifndef TOOLS_RUN_CHILD_H
#define TOOLS_RUN_CHILD_H

#include <sys/resource.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/error.h"
#include "run/descendants.h"

struct child {
	char **argv;
	uint32_t process_groups;	/* TASKRT_GROUP_*: groups to read of it */
	uint32_t thread_groups;		/* and of its main thread */
	pid_t pid;
	uint64_t began_ns, ended_ns;	/* CLOCK_MONOTONIC, as taskrt saw it */
	int wait_status;		/* as wait(2) has it */
	struct rusage usage;		/* its own, and of descendants that it waited for */
	struct descendants descendants;

	/* 0, or why one of the two could not be read, as a negative errno */
	int error;
	char error_text[ERROR_MAX];
	struct taskrt_reading process;
	struct taskrt_reading main_thread;

	/* Where they were in their longest waits; NULL: not known */
	const struct taskrt_sites *process_sites, *main_thread_sites;
	struct taskrt_sites sites[2];
};

/*
 * Run child->argv and wait for its end.  Signals that processes send to us until then go to it.
 * Return: 0; a positive errno: the command could not be run; a negative one:
 * we could not run anything.
 */
int child_run(struct child *child, struct taskrt *handle);

uint64_t child_timeval_ns(const struct timeval *time);

/* Its exit status as a shell tells it: 128 + N for signal N. */
int child_status(const struct child *child);

#endif
