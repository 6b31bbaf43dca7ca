/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Repair: a walk over all tasks makes the records that could not be made when the tasks
 * were created.  The first walk, when accounting is switched on, makes all of them.
 *
 * There is a walk only while tasks lack a record and there is room for one.  It is
 * repeated after a second, and later less often while nothing comes of it.
 */
#ifndef TASKRT_REPAIR_H
#define TASKRT_REPAIR_H

#include <linux/types.h>

struct task_struct;

struct repair_counts {
	u64 refused;		/* records not made for want of room */
	u64 no_memory;
};

/* Makes all records.  Context: the hooks are attached; may sleep for several grace periods. */
void repair_first_walk(struct repair_counts *counts);

/* No walk is in progress, nor will be.  Context: no hook is attached; may sleep. */
void repair_stop(void);

/* repair_later() - walk in a while.  Context: a hook, or the worker. */
void repair_later(void);

/* The current task took over another's id in an exec: see tasks.h.  Context: its hook. */
void repair_renumbered(struct task_struct *task);

/* Threads were folded, so there may be room.  Context: the worker. */
void repair_folded(void);

/* The number of records made by all walks but the first. */
u64 repair_count(void);

#endif /* TASKRT_REPAIR_H */
