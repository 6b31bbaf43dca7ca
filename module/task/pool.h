/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects for hooks that may not sleep: from the CPU's cache of free objects, or from the slab
 * allocator, if that may be called (see cpu_cache.h).
 */
#ifndef TASKRT_POOL_H
#define TASKRT_POOL_H

#include <linux/slab.h>
#include "task/cpu_cache.h"

struct pool {
	struct kmem_cache *cache;
	struct cpu_cache cached;
};

int pool_init(struct pool *pool, const char *name, size_t size);

/* Call when all objects were returned, and no RCU callback that returns one is pending. */
void pool_exit(struct pool *pool);

/* Return: an object that is not initialized, or NULL.  Never sleeps.  Context: process. */
void *pool_get_atomic(struct pool *pool);

/* Waits for memory, so that the next pool_get_atomic() are likely to succeed.  May sleep. */
void pool_refill(struct pool *pool);

/* Returns an unused object of pool_get_atomic(), in the same context. */
void pool_give_back(struct pool *pool, void *object);

/*
 * Frees an object that no reader can reach.  Context: process or RCU callback.
 * @cpu: the CPU that allocated it, which may soon need another one
 */
void pool_put(struct pool *pool, void *object, int cpu);

/* The number of free objects in the caches. */
unsigned int pool_cached(const struct pool *pool);

#endif /* TASKRT_POOL_H */
