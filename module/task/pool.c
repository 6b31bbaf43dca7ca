// SPDX-License-Identifier: GPL-2.0-only
#include "task/pool.h"

/*
 * When tasks come and go quickly, many objects are on their way back through a grace
 * period.  STOCK_FULL has to cover these, and STOCK_LOW is so low that they do not
 * cause a refill.
 */
#define STOCK_LOW	64
#define STOCK_FULL	512

struct pool_item {
	struct pool_item *next;
};

static bool pool_stock_push(struct pool *pool, void *object, unsigned int limit)
{
	struct pool_item *item = object;
	unsigned long flags;
	bool room;

	raw_spin_lock_irqsave(&pool->lock, flags);
	room = pool->nr_stock < limit;
	if (room) {
		item->next = pool->stock;
		pool->stock = item;
		WRITE_ONCE(pool->nr_stock, pool->nr_stock + 1);
	}
	raw_spin_unlock_irqrestore(&pool->lock, flags);
	return room;
}

static void *pool_stock_pop(struct pool *pool)
{
	struct pool_item *item;
	unsigned long flags;

	raw_spin_lock_irqsave(&pool->lock, flags);
	item = pool->stock;
	if (item) {
		pool->stock = item->next;
		WRITE_ONCE(pool->nr_stock, pool->nr_stock - 1);
	}
	raw_spin_unlock_irqrestore(&pool->lock, flags);
	return item;
}

void pool_fill(struct pool *pool)
{
	while (pool_stock(pool) < STOCK_FULL) {
		void *object = kmem_cache_alloc(pool->cache, GFP_KERNEL);

		if (!object)
			return;
		if (!pool_stock_push(pool, object, STOCK_FULL)) {
			kmem_cache_free(pool->cache, object);
			return;
		}
	}
}

static void pool_refill(struct work_struct *work)
{
	pool_fill(container_of(work, struct pool, refill));
}

int pool_init(struct pool *pool, const char *name, size_t size)
{
	memset(pool, 0, sizeof(*pool));
	/* An object must begin with a cache line: see the layout of struct thread. */
	pool->cache = kmem_cache_create(name, size, 0, SLAB_HWCACHE_ALIGN, NULL);
	if (!pool->cache)
		return -ENOMEM;
	raw_spin_lock_init(&pool->lock);
	INIT_WORK(&pool->refill, pool_refill);
	pool_fill(pool);
	return 0;
}

void pool_exit(struct pool *pool)
{
	void *object;

	cancel_work_sync(&pool->refill);
	while ((object = pool_stock_pop(pool)))
		kmem_cache_free(pool->cache, object);
	kmem_cache_destroy(pool->cache);
}

void *pool_get_atomic(struct pool *pool)
{
	void *object = pool_stock_pop(pool);

	if (unlikely(pool_stock(pool) < STOCK_LOW))
		schedule_work(&pool->refill);
	/* Even the non-sleeping allocator takes sleeping locks on PREEMPT_RT. */
	if (unlikely(!object) && !IS_ENABLED(CONFIG_PREEMPT_RT))
		object = kmem_cache_alloc(pool->cache, GFP_NOWAIT | __GFP_NOWARN);
	return object;
}

void pool_give_back(struct pool *pool, void *object)
{
	/* The stock may exceed STOCK_FULL: kmem_cache_free() may sleep on PREEMPT_RT. */
	pool_stock_push(pool, object, UINT_MAX);
}

void pool_put(struct pool *pool, void *object)
{
	if (!pool_stock_push(pool, object, STOCK_FULL))
		kmem_cache_free(pool->cache, object);
}
