/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rescan walks over all tasks, and makes the records that could not be made when the tasks were
 * created.  The first walk, when accounting is switched on, makes the records of all tasks.
 *
 * Later walks run only while tasks lack a record and the limit is not reached: after a second, and
 * less often while they make no record.
 */
#ifndef TASKRT_RESCAN_H
#define TASKRT_RESCAN_H

#include <linux/types.h>

struct task_struct;

struct rescan_counts {
	u64 refused;		/* records not made because of the limit */
	u64 no_memory;
};

/* Makes all records.  Context: the hooks are attached; may sleep for several grace periods. */
void rescan_first(struct rescan_counts *counts);

/* Ends all walks.  Context: no hook is attached; may sleep. */
void rescan_stop(void);

/* Schedules a walk.  Context: a hook, or the worker. */
void rescan_later(void);

/* The current task took over its leader's id in an exec: see tasks.h.  Context: the exec hook. */
void rescan_renumbered(struct task_struct *task);

/* Threads were folded, so more can be tracked.  Context: the worker. */
void rescan_folded(void);

/* The number of records made by all walks but the first. */
u64 rescan_count(void);

#endif /* TASKRT_RESCAN_H */
