/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracking: a task has a record from its creation, or from when accounting is
 * switched on, until the kernel frees it.
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

/*
 * track_start() - make a record for each existing task
 *
 * Context: the hooks of fork and free are attached; may sleep for a grace period.
 */
void track_start(void);

/*
 * track_drain() - deliver the exits and the alerts that are waiting
 *
 * Context: no hook is attached any more, except that of free; may sleep.
 */
void track_drain(void);

/* track_stop() - drop all records.  No hook is attached any more.  May sleep. */
void track_stop(void);

/*
 * track_fork() - a task was created, and has not run yet
 * track_free() - a task is about to be freed: it was reaped, and left the CPU for good
 *
 * Context: a hook.
 * Return: true if the task is tracked.
 */
bool track_fork(struct task_struct *task);
bool track_free(struct task_struct *task);

/*
 * track_renumbered() - the current task took over another's id in an exec
 *
 * A dump in progress may miss it, and so may the walk over all tasks.
 * Context: a hook.
 */
void track_renumbered(struct task_struct *task);

/* A number that changes when thread ids change hands and when tracking starts.  Never 0. */
u32 track_generation(void);

void track_counts(struct track_counts *counts);

#endif /* TASKRT_TRACK_H */
