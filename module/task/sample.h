/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: what a thread or a process has come to.
 *
 * Whoever asks may be anybody, and lose the CPU at any moment for as long as
 * others want it.  So nobody waits for one who asks: threads are summed under a
 * lock that is held for a few of them, and a process with more is summed by all
 * who ask for it together.  The walk under way goes on with whoever comes, and
 * one that began after the question answers it.
 */
#ifndef TASKRT_SAMPLE_H
#define TASKRT_SAMPLE_H

#include "task/process.h"

/*
 * The caller holds on to the task: RCU read lock held.  @groups: TASKRT_GROUP_* that the
 * totals are wanted for, as in totals_of().
 */
void thread_sample(struct thread *t, struct sample *sample, u32 groups);

/* With a reference.  May sleep.  Return: 0; -ENOMEM; -EINTR: the asker is being killed. */
int process_sample(struct process *p, struct sample *sample);

/* In the worker, when all its threads have closed. */
void process_sample_closed(struct process *p, struct sample *sample);

#endif /* TASKRT_SAMPLE_H */
