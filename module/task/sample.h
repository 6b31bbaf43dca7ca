/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples: the totals of a thread, or the sum over several, at one instant. */
#ifndef TASKRT_SAMPLE_H
#define TASKRT_SAMPLE_H

#include "engine/totals.h"
#include "task/thread.h"

/* On a stack it is __uninitialized: it is large, and many kernels would clear it first. */
struct sample {
	struct totals totals;
	u64 at;			/* the instant the totals are for */
	u64 tracked_since;
	u64 threads;		/* of a sum: not closed */
	u64 threads_gone;
	s32 cpu;		/* where a thread runs or closed; negative: does not apply */
	u8 state;		/* a thread's */
	bool preexisting;
	bool incomplete;
	bool queue_unknown;	/* queue_ns lacks threads that were reaped before */
	bool pending;		/* children's: some are reaped, and not folded yet */
};

/* What is summed for a reader that wants these groups: times alone, or all. */
static inline u32 sample_groups(u32 groups)
{
	return groups & ~TASKRT_GROUP_TIMES ? TOTALS_ALL : TASKRT_GROUP_TIMES;
}

/*
 * thread_sample() - what a reader sees of one thread
 * @groups: TASKRT_GROUP_* for which the totals are wanted, as in totals_of()
 *
 * Context: the RCU read lock is held; or the caller is the worker, which has a
 * reference to the task and folds the thread itself, later.
 */
void thread_sample(struct thread *t, struct sample *sample, u32 groups);

/*
 * sample_thread_totals() - what the engine has measured of one thread
 *
 * Return: false: the thread changes too often.
 */
bool sample_thread_totals(struct thread *t, struct totals *totals, u32 groups);

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
 * The delays are always copied, or it is noted that the kernel does not count them.
 * Context: the caller keeps the task from being freed, or holds the lock of the
 * process's group, or thread_freed() has been called.
 */
void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups);

/*
 * thread_add_last() - add the final totals of a thread, since its creation
 *
 * Context: the worker, after thread_freed().
 */
void thread_add_last(const struct thread *t, struct totals *sum);

#endif /* TASKRT_SAMPLE_H */
