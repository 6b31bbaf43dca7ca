/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracking: a task has a record from its creation, or from when accounting is switched on, until
 * the kernel frees it.
 */
#ifndef TASKRT_TRACK_H
#define TASKRT_TRACK_H

#include <linux/sched.h>

struct track_counts {
	u64 refused;		/* records not made because of max_threads */
	u64 no_memory;		/* records not made for want of memory */
	u64 repaired;		/* records made later for those not made at fork */
	u64 free_missed;	/* records of tasks that no hook saw freed */
};

/* Module load and unload: the tables and the object pools. */
int track_init(u64 max_threads);
void track_exit(void);

/* Makes a record for each task.  Context: the hooks of fork and free are attached; may sleep. */
void track_start(void);

/* Delivers all waiting exits and alerts.  Context: only the free hook is attached; may sleep. */
void track_drain(void);

/* Drops all records.  Context: no hook is attached; may sleep. */
void track_stop(void);

/*
 * track_fork() - a task was created, and has not run yet
 * track_free() - a task is about to be freed: it was reaped, and has left the CPU for good
 * Context: a hook.
 * Return: true if the task is tracked.
 */
bool track_fork(struct task_struct *task);
bool track_free(struct task_struct *task);

/* The current task took over an id in an exec: a dump or walk may miss it.  Context: a hook. */
void track_renumbered(struct task_struct *task);

/* A number that changes when thread ids change hands and when tracking starts.  Never 0. */
u32 track_generation(void);

void track_counts(struct track_counts *counts);

#endif /* TASKRT_TRACK_H */
