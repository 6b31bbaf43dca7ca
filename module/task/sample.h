/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples: the totals of a thread, or the sum over several, at one instant. */
#ifndef TASKRT_SAMPLE_H
#define TASKRT_SAMPLE_H

#include "engine/totals.h"
#include "task/thread.h"

/* Declare it __uninitialized on a stack: it is large, and many kernels would clear it first. */
struct sample {
	struct totals totals;
	u64 at;			/* the instant the totals are for */
	u64 tracked_since;
	u64 threads;		/* of a sum: threads that are not closed */
	u64 threads_gone;
	s32 cpu;		/* where a thread runs or closed; negative: none */
	u8 state;		/* a thread's */
	bool preexisting;
	bool incomplete;
	bool queue_unknown;	/* queue_ns lacks threads that were reaped before tracking */
	bool pending;		/* of children: some were reaped and are not folded yet */
};

/* A sum over several threads has the times alone, or all groups. */
static inline u32 sample_groups(u32 groups)
{
	return groups & ~TASKRT_GROUP_TIMES ? TOTALS_ALL : TASKRT_GROUP_TIMES;
}

/*
 * thread_sample() - sample one thread for a reader
 * @groups: TASKRT_GROUP_* that are requested, as in totals_of()
 * Context: RCU read lock held; or the worker, with a reference to the task.
 */
void thread_sample(struct thread *t, struct sample *sample, u32 groups);

/* Samples only what the engine has measured.  Return: false if the thread changes too often. */
bool sample_thread_totals(struct thread *t, struct totals *totals, u32 groups);

/* Adds the kernel's totals from before tracking. */
static inline void thread_add_before(const struct thread *t, struct totals *totals)
{
	totals->cpu_ns += t->cpu_before_ns;
	totals->queue_ns += t->queue_before_ns;
}

/*
 * Copies the kernel's counters if @groups has TASKRT_GROUP_COUNTS.  Always adds the delays, or
 * marks them as unknown if the kernel does not count them.
 * Context: the caller keeps the task from being freed, or holds the lock of the process's group,
 * or thread_freed() was called.
 */
void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups);

/* Adds the final totals of a thread, since its creation.  Context: the worker; it was freed. */
void thread_add_last(const struct thread *t, struct totals *sum);

#endif /* TASKRT_SAMPLE_H */
