/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The totals of those that a process waited for, and of theirs, as
 * RUSAGE_CHILDREN has them.  Who waits is known when the child is released; its
 * totals are final some time later, when it is folded.
 */
#ifndef TASKRT_CHILDREN_H
#define TASKRT_CHILDREN_H

#include "task/process.h"

struct children {
	struct totals totals;
	u64 threads;
};

/*
 * Hook: @child is being released by @waiter, which waited for it.
 * RCU read lock held.  Return: false, if either is not known.
 */
bool children_waited(const struct signal_struct *child, const struct signal_struct *waiter);

/*
 * The process has ended, but for the totals of its last thread, which may be
 * NULL: what it was goes to who waited for it.  In the worker.
 */
void children_hand_over(struct process *p, const struct totals *last);

/* As process_sample().  May sleep until those that were waited for are in. */
void children_sample(struct process *p, struct sample *sample);

#endif /* TASKRT_CHILDREN_H */
