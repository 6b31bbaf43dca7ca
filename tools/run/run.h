/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that was run, its descendants, and the report on how they have ended. */
#ifndef TOOLS_RUN_RUN_H
#define TOOLS_RUN_RUN_H

#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/error.h"

/* The descendants of a command that have ended: their sum. */

struct descendants {
	int error;			/* 0, or why they could not be read, as a negative errno */
	char text[ERROR_MAX];		/* the same as text */
	int pending;			/* some are missing in the sum */
	int still_run;			/* 1: some descendants still run */
	struct taskrt_reading sum;
	struct taskrt_reading before;	/* private: of our children before the command */
};

/* Before the command is started. */
void descendants_begin(struct descendants *descendants, struct taskrt *handle);

/* The command has ended and is not reaped yet: reap its orphans, and compute the sum. */
void descendants_read(struct descendants *descendants, struct taskrt *handle, pid_t command);

/*
 * Add a reading to a sum.  Totals are added, the longest intervals of both are kept, and only what
 * both have measured is measured.  A sum has no identity and no instants.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

/* Does the sum contain any descendant? */
int descendants_any(const struct descendants *descendants);

/* A command that was run, and what is known of it when it has ended. */

struct child {
	char **argv;
	uint32_t process_groups;	/* TASKRT_GROUP_*: groups to read of it */
	uint32_t thread_groups;		/* and of its main thread */
	pid_t pid;
	uint64_t began_ns, ended_ns;	/* CLOCK_MONOTONIC, as taskrt saw it */
	int wait_status;		/* as wait(2) has it */
	struct rusage usage;		/* its own, and of descendants that it waited for */
	struct descendants descendants;

	/* 0, or why process or main_thread could not be read, as a negative errno */
	int error;
	char error_text[ERROR_MAX];
	struct taskrt_reading process;
	struct taskrt_reading main_thread;

	/* Where they were in their longest waits; NULL: not known */
	const struct taskrt_sites *process_sites, *main_thread_sites;
	struct taskrt_sites sites[2];
};

/*
 * Run child->argv and wait for its end.  Signals that processes send to us until then are forwarded
 * to it.
 * Return: 0; a positive errno: the command could not be run; a negative errno: we could not run
 * anything.
 */
int child_run(struct child *child, struct taskrt *handle);

uint64_t child_timeval_ns(const struct timeval *time);

/* Its exit status as a shell reports it: 128 + N for signal N. */
int child_status(const struct child *child);

/* How a command that was run has ended, and where its time and its descendants' went. */

void outcome_print(FILE *out, const struct child *child);
void outcome_print_json(FILE *out, const struct child *child);

#endif
