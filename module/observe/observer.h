/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that somebody observes event by event: its own process, which has its
 * counters mapped, or a flight recorder.  All other threads pay nothing for it:
 * that a thread is observed is said where a hook looks anyway (STATE_OBSERVED),
 * and, for faults and lock waits, in a byte beside its record.
 *
 * What is attached to a thread changes under observer_lock; the hooks look at it
 * under RCU.
 */
#ifndef TASKRT_OBSERVER_H
#define TASKRT_OBSERVER_H

#include <linux/spinlock.h>
#include "task/thread.h"

extern raw_spinlock_t observer_lock;	/* leaf; irqs off */

/*
 * observer_mark() - mark a thread as observed
 * The caller is the thread itself, under observer_lock, or a hook of @t that has
 * just dropped its last observer.
 */
void observer_mark(struct thread *t);

/*
 * observer_mark_sync() - mark a thread that may be running anywhere
 * A recorder was attached to @task's thread; each of its events is seen from the
 * return on.  The caller holds a reference to @task.  May sleep.
 */
void observer_mark_sync(struct task_struct *task);

/*
 * observer_unmark() - take the mark away, unless a new observer has come
 * For a hook of @t that found no observer.
 */
void observer_unmark(struct thread *t);

#endif /* TASKRT_OBSERVER_H */
