/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The totals of the children that a process has waited for, and of their children in turn, as in
 * RUSAGE_CHILDREN.  The waiter is known when the child is reaped; the child's totals are final
 * only later, when it is folded.
 */
#ifndef TASKRT_CHILDREN_H
#define TASKRT_CHILDREN_H

#include "task/process.h"

struct children {
	struct totals totals;
	u64 threads;
	/* Lacks the queue time of tasks that were reaped before their process was tracked. */
	bool queue_unknown;
	bool incomplete;	/* the totals of a child are incomplete */
};

/*
 * Notes that @waiter has waited for @child, which is being reaped.  Context: a hook; RCU read lock.
 * Return: false if one of the two is not in the table, or the waiter of @child was noted before.
 */
bool children_waited(const struct signal_struct *child, const struct signal_struct *waiter);

/*
 * Adds the totals of a process to its waiter or, if the waiter is folded, to the next waiter that
 * is not.  All threads of the process are folded, except @last.  Context: the worker.
 * @last: its last thread, if the process's totals do not include it yet; or NULL
 */
void children_hand_over(struct process *p, const struct thread *last);

/*
 * Like process_sample(), for the children of a process.  If not all reaped children are folded
 * yet, @sample is marked as pending.  Folding takes at least a grace period.  A reader that needs
 * the final sum asks again: if it waited here, accounting could not be switched off.
 */
void children_sample(struct process *p, struct sample *sample);

#endif /* TASKRT_CHILDREN_H */
