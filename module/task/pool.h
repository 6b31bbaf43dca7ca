/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects that are there when a hook needs one.  Before 7.0 a fork hook runs with
 * preemption off, where PREEMPT_RT cannot allocate, and on all kernels it may not
 * sleep: it takes from a stock that a work item keeps filled.
 */
#ifndef TASKRT_POOL_H
#define TASKRT_POOL_H

#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct pool_item;

struct pool {
	struct kmem_cache *cache;
	raw_spinlock_t lock;	/* leaf; also taken in RCU callbacks */
	struct pool_item *stock;
	unsigned int nr_stock;
	struct work_struct refill;
};

int pool_init(struct pool *pool, const char *name, size_t size);

/* All objects were returned, and no RCU callback that returns one is pending. */
void pool_exit(struct pool *pool);

/* An object, not initialized, or NULL.  Never sleeps; for a hook in process context. */
void *pool_get_atomic(struct pool *pool);

/* Refills the stock.  May sleep. */
void pool_fill(struct pool *pool);

/* Returns an object of pool_get_atomic() that was not used.  Never sleeps. */
void pool_give_back(struct pool *pool, void *object);

/* Frees an object that no reader can reach any more.  Context: process or RCU callback. */
void pool_put(struct pool *pool, void *object);

static inline unsigned int pool_stock(const struct pool *pool)
{
	return READ_ONCE(pool->nr_stock);
}

#endif /* TASKRT_POOL_H */
