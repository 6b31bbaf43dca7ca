/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: the totals of a thread or a process at one instant.
 *
 * Any user may ask for a sample, and a reader may lose the CPU for a long time.  The
 * worker must not wait for it.  Therefore a reader sums few threads at a time, under a lock
 * that it holds with preemption off.  If a process has more threads, all its readers
 * continue the same walk over them.  A reader gets the result of the first walk that starts
 * after its request.
 */
#ifndef TASKRT_SAMPLE_H
#define TASKRT_SAMPLE_H

#include "task/process.h"

/*
 * thread_sample() - what a reader sees of one thread
 * @groups: TASKRT_GROUP_* for which the totals are wanted, as in totals_of()
 *
 * Context: the RCU read lock is held; or the caller is the worker, which has a
 * reference to the task and folds the thread itself, later.
 */
void thread_sample(struct thread *t, struct sample *sample, u32 groups);

/* The groups to sum for a reader that wants these: times alone, or all. */
static inline u32 sample_groups(u32 groups)
{
	return groups & ~TASKRT_GROUP_TIMES ? TOTALS_ALL : TASKRT_GROUP_TIMES;
}

/*
 * process_sample() - sum the threads of a process
 * @p: the caller holds a reference
 * @groups: TASKRT_GROUP_* for which the totals are wanted; times always are, and the
 *	    members of other groups are to be ignored
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINTR if the current task is being killed.
 */
int process_sample(struct process *p, struct sample *sample, u32 groups);

/* The same for a process whose threads are all closed.  Context: the worker. */
void process_sample_closed(struct process *p, struct sample *sample, u32 groups);

#endif /* TASKRT_SAMPLE_H */
