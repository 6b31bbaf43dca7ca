/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The observers of a thread see each of its events.  There are two kinds: mapped
 * counters, which the thread's own process reads, and a flight recorder.  Threads
 * without an observer have no extra cost: the mark of an observed thread is in the
 * state, which each hook loads anyway (STATE_OBSERVED), and, for faults and lock
 * waits, in a byte beside the record.
 *
 * The observers of a thread are changed under observer_lock.  The hooks read them
 * under RCU.
 */
#ifndef TASKRT_OBSERVER_H
#define TASKRT_OBSERVER_H

#include <linux/spinlock.h>
#include "task/thread.h"

extern raw_spinlock_t observer_lock;	/* leaf; irqs off */

/*
 * observer_mark() - mark a thread as observed
 *
 * Context: the thread itself, under observer_lock; or a hook of @t that has just dropped
 * its last observer.
 */
void observer_mark(struct thread *t);

/*
 * observer_mark_sync() - mark a thread that may be running on any CPU
 * @task: the caller holds a reference, and has attached a recorder to its thread
 *
 * After the return, each event of the thread is dispatched to the recorder.
 * Context: may sleep.
 */
void observer_mark_sync(struct task_struct *task);

/*
 * observer_unmark() - remove the mark, unless a recorder has been attached meanwhile
 *
 * Context: a hook of @t that has found no observer.
 */
void observer_unmark(struct thread *t);

#endif /* TASKRT_OBSERVER_H */
