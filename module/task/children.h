/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The totals of the children that a process has waited for, including the children that
 * these have waited for, as in RUSAGE_CHILDREN.  It is known which process has waited
 * when the child is reaped.  The totals of the child are final later, when it is folded.
 */
#ifndef TASKRT_CHILDREN_H
#define TASKRT_CHILDREN_H

#include "task/process.h"

struct children {
	struct totals totals;
	u64 threads;
	bool queue_unknown;	/* lacks the time before some were tracked */
	bool incomplete;	/* lacks something of some */
};

/*
 * children_waited() - @child is being reaped by @waiter, which waited for it
 *
 * Context: a hook; RCU read lock held.
 * Return: false if one of the two processes is not in the table, or the waiter of
 * @child was noted before.
 */
bool children_waited(const struct signal_struct *child, const struct signal_struct *waiter);

/*
 * children_hand_over() - all threads of a process are folded: add its totals to its waiter's
 * @last: its last thread, whose totals are not part of the process's yet; or NULL
 *
 * Context: the worker.
 */
void children_hand_over(struct process *p, const struct thread *last);

/*
 * children_sample() - like process_sample(), for the children of a process
 *
 * @sample is marked as pending if not all reaped children are folded yet.  It does not
 * wait for them: that takes a grace period, or longer on a busy machine, and the caller
 * keeps accounting from being switched off.  A reader that wants the final sum asks again.
 */
void children_sample(struct process *p, struct sample *sample);

#endif /* TASKRT_CHILDREN_H */
