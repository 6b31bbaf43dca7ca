/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The observers of a thread see each of its events: the mapped counters, for its own process, and
 * the flight recorder.  A thread without an observer has no extra cost: the mark is in the state,
 * which each hook loads anyway (STATE_OBSERVED), and in a byte for faults and lock waits.
 *
 * The observers change under the lock of the thread's bucket, and hooks read them under RCU.
 */
#ifndef TASKRT_OBSERVER_H
#define TASKRT_OBSERVER_H

#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include "task/thread.h"

#define OBSERVER_BITS	6

/* For the tasks with one hash.  The lock is a leaf, and is held with irqs off. */
struct observer_bucket {
	raw_spinlock_t lock;
	struct list_head mappings;	/* of these tasks: see mapping.c */
} ____cacheline_aligned_in_smp;

extern struct observer_bucket observer_buckets[1 << OBSERVER_BITS];

/* Module load, before anything can be observed. */
void observer_init(void);
bool observer_ready(void);

static inline struct observer_bucket *observer_bucket_of(const struct task_struct *task)
{
	return &observer_buckets[hash_ptr(task, OBSERVER_BITS)];
}

/* Context: the thread itself, under its bucket's lock; or a hook of @t, in observer_unmark(). */
void observer_mark(struct thread *t);

/*
 * observer_mark_sync() - mark a thread that may be running on any CPU
 * @task: the caller holds a reference, and has attached a recorder to its thread
 *
 * Each event after the return is dispatched to the recorder.  Context: may sleep.
 */
void observer_mark_sync(struct task_struct *task);

/* Remove the mark, unless a recorder is attached.  Context: a hook of @t that saw no observer. */
void observer_unmark(struct thread *t);

#endif /* TASKRT_OBSERVER_H */
