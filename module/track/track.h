/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is tracked: from a task's first moment, or from load on, until the
 * kernel frees it.
 */
#ifndef TASKRT_TRACK_H
#define TASKRT_TRACK_H

#include <linux/sched.h>

struct track_counts {
	u64 refused;		/* records not made because there are max_threads */
	u64 no_memory;		/* records not made for want of memory */
	u64 repaired;		/* records made later for those not made at fork */
};

/* Module load and unload: the object pools. */
int track_init(void);
void track_exit(void);

/* track_prepare() - before any hook is on */
void track_prepare(u64 max_threads);

/*
 * track_start() - a record for everybody who exists
 * The hooks that report forks and frees are on.  May sleep for a grace period.
 */
void track_start(void);

/* track_stop() - drop all records; no hook is on any more.  May sleep. */
void track_stop(void);

/*
 * Hooks.  A task was made and has not run yet; a task is about to be freed:
 * it was reaped and left the CPU for good.
 * Return: true, if it was accounted for.
 */
bool track_fork(struct task_struct *task);
bool track_free(struct task_struct *task);

/* An exec took over another thread's id: a listing under way may miss it. */
void track_renumbered(void);

/* Changes whenever thread ids change hands, or tracking starts anew. Never 0. */
u32 track_generation(void);

void track_counts(struct track_counts *counts);

#endif /* TASKRT_TRACK_H */
