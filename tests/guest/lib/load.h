/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload for the machine while something else is tested. */
#ifndef LOAD_H
#define LOAD_H

#define LOAD_SWITCH	(1 << 0)	/* pairs of processes that wake each other (hackbench) */
#define LOAD_FORK	(1 << 1)	/* processes that fork and wait, without end */
#define LOAD_THREADS	(1 << 2)	/* threads that come and go */
#define LOAD_FAULT	(1 << 3)	/* threads that fault, and map and unmap meanwhile */
#define LOAD_LOCK	(1 << 4)	/* a contended mutex and rwsem of the test module */
#define LOAD_ALL	((1 << 5) - 1)

/* Starts a workload in processes of its own; one at a time. */
void load_start(unsigned int what);
/* Ends the workload, and returns when each of its processes is reaped. */
void load_stop(void);

/* The body of LOAD_THREADS, for a process that runs it by itself. */
void load_churn_threads(void) __attribute__((noreturn));

#endif
