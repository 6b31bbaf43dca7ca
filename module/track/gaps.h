/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps: tasks that could not be tracked, because of max_threads or for lack of memory. */
#ifndef TASKRT_GAPS_H
#define TASKRT_GAPS_H

#include <linux/types.h>

struct task_struct;

/* A task could not be tracked: marks its process.  Context: a hook or a walk; RCU read lock. */
void gaps_note(struct task_struct *task);

/* A walk over all tasks starts.  It calls gaps_note() for each task that it cannot track. */
void gaps_walk(void);

/* The first walk is over. */
void gaps_walked(void);

/* True if a task lacks a record now. */
bool gaps_now(void);

/* True if a process without a record may have had threads that could not be tracked. */
bool gaps_ever(void);

/* A task lacks a record, and a walk may have missed it. */
void gaps_suspect(void);

/* Forgets everything.  Context: no task is tracked. */
void gaps_reset(void);

#endif /* TASKRT_GAPS_H */
