/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of objects for hooks, which may not sleep.  An object comes from the CPU's cache of free
 * objects or, where it may be called, from the slab allocator (see cpu_cache.h).
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

/* Waits for memory, so that the next calls of pool_get_atomic() probably succeed.  May sleep. */
void pool_refill(struct pool *pool);

/* Takes back an unused object.  Context: as pool_get_atomic(). */
void pool_give_back(struct pool *pool, void *object);

/*
 * Frees an object that no reader can reach.  Context: process or RCU callback.
 * @cpu: the CPU that allocated the object, and may soon need another one
 */
void pool_put(struct pool *pool, void *object, int cpu);

/* The number of free objects in the caches. */
unsigned int pool_cached(const struct pool *pool);

#endif /* TASKRT_POOL_H */
