/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps: tasks that could not be tracked, because of the limit or for want of memory. */
#ifndef TASKRT_GAPS_H
#define TASKRT_GAPS_H

#include <linux/types.h>

struct task_struct;

/*
 * gaps_note() - a task could not be tracked: mark its process, and remember it
 *
 * Context: a hook, or a walk; RCU read lock held.
 */
void gaps_note(struct task_struct *task);

/* gaps_walk() - a walk over all tasks starts, and gaps_note() notes what it leaves */
void gaps_walk(void);

/* gaps_walked() - the first walk is over */
void gaps_walked(void);

/* Does a task lack a record now? */
bool gaps_now(void);

/* May a process that has no record yet have had threads that were refused one? */
bool gaps_ever(void);

/* gaps_suspect() - a task lacks a record that a walk may have missed */
void gaps_suspect(void);

/* No task is tracked. */
void gaps_reset(void);

#endif /* TASKRT_GAPS_H */
