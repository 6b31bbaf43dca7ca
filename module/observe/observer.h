/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The observers of a thread see each of its events.  There are two kinds: mapped
 * counters, which the thread's own process reads, and a flight recorder.  Threads
 * without an observer have no extra cost: the mark of an observed thread is in the
 * state, which each hook loads anyway (STATE_OBSERVED), and, for faults and lock
 * waits, in a byte beside the record.
 *
 * The observers of a thread are changed under its lock, which it shares with the threads
 * whose tasks have the same hash.  The hooks read them under RCU.
 */
#ifndef TASKRT_OBSERVER_H
#define TASKRT_OBSERVER_H

#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include "task/thread.h"

#define OBSERVER_BITS	6

/* The lock of a task's observers; a leaf, irqs off, held for one thread or mapping. */
struct observer_bucket {
	raw_spinlock_t lock;
	struct list_head mappings;	/* of the tasks that have this lock, see mapping.c */
} ____cacheline_aligned_in_smp;

extern struct observer_bucket observer_buckets[1 << OBSERVER_BITS];

/* Module load, before anything can be observed. */
void observer_init(void);
bool observer_ready(void);

static inline struct observer_bucket *observer_bucket_of(const struct task_struct *task)
{
	return &observer_buckets[hash_ptr(task, OBSERVER_BITS)];
}

/*
 * observer_mark() - mark a thread as observed
 *
 * Context: the thread itself, under its lock; or a hook of @t that has just dropped
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
