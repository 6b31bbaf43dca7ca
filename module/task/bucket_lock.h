/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The locks of a hash table.  Only writers take them.  Bucket n uses the lock n % NR_BUCKET_LOCKS,
 * so concurrent forks and exits rarely wait for each other.
 */
#ifndef TASKRT_BUCKET_LOCK_H
#define TASKRT_BUCKET_LOCK_H

#include <linux/cache.h>
#include <linux/spinlock.h>

#define NR_BUCKET_LOCKS	256

/* Held with interrupts off, for one insertion or removal.  RCU callbacks take it too. */
struct bucket_lock {
	raw_spinlock_t lock;
} ____cacheline_aligned_in_smp;

/* This is a macro, so that lockdep prints the name of the array. */
#define bucket_locks_init(locks)						\
do {										\
	int i;									\
										\
	for (i = 0; i < NR_BUCKET_LOCKS; i++)					\
		raw_spin_lock_init(&(locks)[i].lock);				\
} while (0)

static inline raw_spinlock_t *bucket_lock(struct bucket_lock *locks, unsigned long bucket)
{
	return &locks[bucket % NR_BUCKET_LOCKS].lock;
}

#endif /* TASKRT_BUCKET_LOCK_H */
