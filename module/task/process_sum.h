/* SPDX-License-Identifier: GPL-2.0-only */
/* The totals of the threads of a process: the folded ones and the others. */
#ifndef TASKRT_PROCESS_SUM_H
#define TASKRT_PROCESS_SUM_H

#include "task/process.h"

/*
 * thread_add_last() - add the final totals of a thread, since its creation
 *
 * Context: the worker, after thread_freed().
 */
void thread_add_last(const struct thread *t, struct totals *sum);

/* Add the time before tracking. */
static inline void thread_add_before(const struct thread *t, struct totals *totals)
{
	totals->cpu_ns += t->cpu_before_ns;
	totals->queue_ns += t->queue_before_ns;
}

/*
 * thread_of_kernel() - copy what the kernel counts
 * @groups: TASKRT_GROUP_* that are wanted; the values are of the counts
 *
 * The stalls are always copied, or it is noted that the kernel does not count them.
 * Context: the caller keeps the task from being freed, or holds the lock of the
 * process, or thread_freed() has been called.
 */
void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups);

/*
 * process_walk_begin(), process_walk_next() - walk over the live threads of a process
 * @sum: is initialized with the totals of the threads that are gone
 *
 * The state of the walk is in p->walks.
 * Context: fold is held.  It may be released between the calls.
 * Return: the next thread, or NULL if there are no more.
 */
void process_walk_begin(struct process *p, struct sample *sum);
struct thread *process_walk_next(struct process *p);

/* Adds the counts from before tracking. */
void process_add_before(struct totals *totals, const struct before *before);

/*
 * process_sum_gone() - initialize @sum with the totals of the threads that are gone
 *
 * Context: fold is held, or the worker.
 */
void process_sum_gone(const struct process *p, struct sample *sum);

/*
 * process_fold() - move a freed thread from the list to the totals
 *
 * Context: the worker.
 */
void process_fold(struct process *p, struct thread *t);

#endif /* TASKRT_PROCESS_SUM_H */
