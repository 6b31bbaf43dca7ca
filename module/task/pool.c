// SPDX-License-Identifier: GPL-2.0-only
#include <linux/preempt.h>
#include <linux/smp.h>
#include "task/pool.h"

#define BATCH	64

int pool_init(struct pool *pool, const char *name, size_t size)
{
	int err;

	/* Objects are aligned to cache lines: see the layout of struct thread. */
	pool->cache = kmem_cache_create(name, size, 0, SLAB_HWCACHE_ALIGN, NULL);
	if (!pool->cache)
		return -ENOMEM;
	err = cpu_cache_init(&pool->cached, pool->cache, name);
	if (err)
		kmem_cache_destroy(pool->cache);
	return err;
}

void pool_exit(struct pool *pool)
{
	cpu_cache_exit(&pool->cached);
	kmem_cache_destroy(pool->cache);
}

/* On PREEMPT_RT the allocator takes sleeping locks, even with GFP_NOWAIT. */
static bool pool_may_allocate(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

void *pool_get_atomic(struct pool *pool)
{
	void *object;

	/* Leave the cached objects to callers that may not allocate. */
	if (CPU_CACHE_ONLY && pool_may_allocate())
		return kmem_cache_alloc(pool->cache, GFP_NOWAIT | __GFP_NOWARN);
	object = cpu_cache_take(&pool->cached);
	if (object || !pool_may_allocate())
		return object;
	return kmem_cache_alloc(pool->cache, GFP_NOWAIT | __GFP_NOWARN);
}

void pool_refill(struct pool *pool)
{
	void *objects[BATCH];

	cpu_cache_refill(&pool->cached);
	/*
	 * Objects freed here stay in the allocator's list of this CPU.  The bulk call allocates all
	 * objects or none.  It returns their number; later kernels return true.
	 */
	if (kmem_cache_alloc_bulk(pool->cache, GFP_KERNEL, BATCH, objects))
		kmem_cache_free_bulk(pool->cache, BATCH, objects);
}

void pool_give_back(struct pool *pool, void *object)
{
	if (pool_may_allocate())
		kmem_cache_free(pool->cache, object);
	else
		cpu_cache_put(&pool->cached, object, raw_smp_processor_id(), false);
}

void pool_put(struct pool *pool, void *object, int cpu)
{
	if (!cpu_cache_put(&pool->cached, object, cpu, true))
		kmem_cache_free(pool->cache, object);
}

unsigned int pool_cached(const struct pool *pool)
{
	return cpu_cache_count(&pool->cached);
}
