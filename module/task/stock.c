// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include "task/stock.h"

/*
 * What all CPUs have in stock together, and each of them at least.  With STOCK_MUST_DO, a
 * CPU whose stock is empty takes from the others, so a burst of forks may use all of it
 * before the filler runs: it waits only for real-time tasks, and for a CPU without one if
 * there is any.
 */
#define STOCK_ALL	1024
#define STOCK_LEAST	64

struct stock_item {
	struct stock_item *next;
};

struct stock_shelf {
	raw_spinlock_t lock;		/* leaf; another CPU takes it to give back what it freed */
	struct stock_item *items;
	unsigned int count;
};

static bool stock_shelf_put(struct stock_shelf *shelf, void *object, unsigned int limit)
{
	struct stock_item *item = object;
	unsigned long flags;
	bool fits;

	/* Many CPUs may free what one has allocated: a full shelf is not written to. */
	if (READ_ONCE(shelf->count) >= limit)
		return false;
	raw_spin_lock_irqsave(&shelf->lock, flags);
	fits = shelf->count < limit;
	if (fits) {
		item->next = shelf->items;
		shelf->items = item;
		WRITE_ONCE(shelf->count, shelf->count + 1);
	}
	raw_spin_unlock_irqrestore(&shelf->lock, flags);
	return fits;
}

static void *stock_shelf_take(struct stock_shelf *shelf)
{
	struct stock_item *item;
	unsigned long flags;

	if (!READ_ONCE(shelf->count))
		return NULL;
	raw_spin_lock_irqsave(&shelf->lock, flags);
	item = shelf->items;
	if (item) {
		shelf->items = item->next;
		WRITE_ONCE(shelf->count, shelf->count - 1);
	}
	raw_spin_unlock_irqrestore(&shelf->lock, flags);
	return item;
}

static void *stock_take_anywhere(struct stock *stock)
{
	void *object = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		object = stock_shelf_take(per_cpu_ptr(stock->shelves, cpu));
		if (object)
			break;
	}
	return object;
}

void *stock_take(struct stock *stock)
{
	struct stock_shelf *shelf = raw_cpu_ptr(stock->shelves);
	void *object = stock_shelf_take(shelf);

	if (!STOCK_MUST_DO)
		return object;
	if (READ_ONCE(shelf->count) < stock->full / 2) {
		smp_mb();	/* the count was written before; pairs with stock_filler() */
		/* The flag is not written again and again, as all CPUs share it. */
		if (!READ_ONCE(stock->wanted)) {
			WRITE_ONCE(stock->wanted, true);
			wake_up_process(stock->filler);
		}
	}
	return object ?: stock_take_anywhere(stock);
}

bool stock_put(struct stock *stock, void *object, int cpu, bool spare)
{
	/* KASAN is to see uses of freed objects. */
	if (IS_ENABLED(CONFIG_KASAN) && spare)
		return false;
	return stock_shelf_put(per_cpu_ptr(stock->shelves, cpu), object,
			       spare ? stock->full : UINT_MAX);
}

/* Return: false if nothing can be allocated. */
static bool stock_shelf_fill(struct stock *stock, struct stock_shelf *shelf)
{
	while (READ_ONCE(shelf->count) < stock->full) {
		void *object = kmem_cache_alloc(stock->cache, GFP_KERNEL);

		if (!object)
			return false;
		if (!stock_shelf_put(shelf, object, stock->full))
			kmem_cache_free(stock->cache, object);
	}
	return true;
}

void stock_fill(struct stock *stock)
{
	int cpu;

	if (!STOCK_MUST_DO)
		return;
	for_each_online_cpu(cpu)
		if (!stock_shelf_fill(stock, per_cpu_ptr(stock->shelves, cpu)))
			return;
}

static int stock_filler(void *data)
{
	struct stock *stock = data;

	for (;;) {
		/* A full barrier: what is wanted from now on wakes this thread again. */
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(stock->wanted)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		/* Before the counts are read; pairs with stock_take(). */
		smp_store_mb(stock->wanted, false);
		stock_fill(stock);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int stock_filler_start(struct stock *stock, const char *name)
{
	struct task_struct *filler = kthread_create(stock_filler, stock, "%s", name);

	if (IS_ERR(filler))
		return PTR_ERR(filler);
	sched_set_fifo_low(filler);
	stock->filler = filler;
	wake_up_process(filler);
	return 0;
}

static void stock_empty(struct stock *stock)
{
	void *object;

	while ((object = stock_take_anywhere(stock)))
		kmem_cache_free(stock->cache, object);
	free_percpu(stock->shelves);
}

int stock_init(struct stock *stock, struct kmem_cache *cache, const char *name)
{
	int cpu, err;

	stock->cache = cache;
	stock->wanted = false;
	stock->full = max(STOCK_ALL / num_possible_cpus(), (unsigned int)STOCK_LEAST);
	stock->shelves = alloc_percpu(struct stock_shelf);
	if (!stock->shelves)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		raw_spin_lock_init(&per_cpu_ptr(stock->shelves, cpu)->lock);
	if (!STOCK_MUST_DO)
		return 0;
	stock_fill(stock);
	err = stock_filler_start(stock, name);
	if (err)
		stock_empty(stock);
	return err;
}

void stock_exit(struct stock *stock)
{
	if (STOCK_MUST_DO)
		kthread_stop(stock->filler);
	stock_empty(stock);
}

unsigned int stock_count(const struct stock *stock)
{
	unsigned int count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += READ_ONCE(per_cpu_ptr(stock->shelves, cpu)->count);
	return count;
}
