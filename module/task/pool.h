/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects for hooks that may not sleep: from the cache of free ones of the CPU, or from the slab
 * allocator.  Where that cannot be called, see cpu_cache.h.
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

/* All objects were returned, and no RCU callback that returns one is pending. */
void pool_exit(struct pool *pool);

/* An object, not initialized, or NULL.  Never sleeps; for a hook in process context. */
void *pool_get_atomic(struct pool *pool);

/* Waits for memory, so that pool_get_atomic() succeeds a number of times.  May sleep. */
void pool_refill(struct pool *pool);

/* Returns an object of pool_get_atomic() that was not used, in the same context. */
void pool_give_back(struct pool *pool, void *object);

/*
 * pool_put() - free an object that no reader can reach
 * @cpu: the CPU that got it, which may need another one soon
 *
 * Context: process or RCU callback.
 */
void pool_put(struct pool *pool, void *object, int cpu);

/* The number of objects that are in memory for later use. */
unsigned int pool_cached(const struct pool *pool);

#endif /* TASKRT_POOL_H */
