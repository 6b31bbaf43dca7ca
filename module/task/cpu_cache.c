// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include "task/cpu_cache.h"

/*
 * The limit of spare objects: CPU_CACHE_ALL on all CPUs together, but at least CPU_CACHE_LEAST on
 * each.  With CPU_CACHE_ONLY, a CPU whose cache is empty takes objects from the others, so a burst
 * of forks may use all objects before the refiller runs.  The refiller has to wait for real-time
 * tasks only if each CPU that it may use runs one.
 */
#define CPU_CACHE_ALL	1024
#define CPU_CACHE_LEAST	64

struct cpu_cache_item {
	struct cpu_cache_item *next;
};

struct cpu_cache_list {
	raw_spinlock_t lock;		/* a leaf; other CPUs take it too */
	struct cpu_cache_item *items;
	unsigned int count;
};

static bool cpu_cache_list_put(struct cpu_cache_list *list, void *object, unsigned int limit)
{
	struct cpu_cache_item *item = object;
	unsigned long flags;
	bool fits;

	/* Many CPUs may free objects of one CPU: do not contend for the lock of a full list. */
	if (READ_ONCE(list->count) >= limit)
		return false;
	raw_spin_lock_irqsave(&list->lock, flags);
	fits = list->count < limit;
	if (fits) {
		item->next = list->items;
		list->items = item;
		WRITE_ONCE(list->count, list->count + 1);
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	return fits;
}

static void *cpu_cache_list_take(struct cpu_cache_list *list)
{
	struct cpu_cache_item *item;
	unsigned long flags;

	if (!READ_ONCE(list->count))
		return NULL;
	raw_spin_lock_irqsave(&list->lock, flags);
	item = list->items;
	if (item) {
		list->items = item->next;
		WRITE_ONCE(list->count, list->count - 1);
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	return item;
}

static void *cpu_cache_take_anywhere(struct cpu_cache *cache)
{
	void *object = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		object = cpu_cache_list_take(per_cpu_ptr(cache->lists, cpu));
		if (object)
			break;
	}
	return object;
}

void *cpu_cache_take(struct cpu_cache *cache)
{
	struct cpu_cache_list *list = raw_cpu_ptr(cache->lists);
	void *object = cpu_cache_list_take(list);

	if (!CPU_CACHE_ONLY)
		return object;
	if (READ_ONCE(list->count) < cache->full / 2) {
		smp_mb();	/* the count before wanted; pairs with cpu_cache_refiller() */
		/* All CPUs share the flag: write it only if it changes. */
		if (!READ_ONCE(cache->wanted)) {
			WRITE_ONCE(cache->wanted, true);
			wake_up_process(cache->refiller);
		}
	}
	return object ?: cpu_cache_take_anywhere(cache);
}

bool cpu_cache_put(struct cpu_cache *cache, void *object, int cpu, bool spare)
{
	/* Do not cache freed objects under KASAN, which would miss a use after free. */
	if (IS_ENABLED(CONFIG_KASAN) && spare)
		return false;
	return cpu_cache_list_put(per_cpu_ptr(cache->lists, cpu), object,
				  spare ? cache->full : UINT_MAX);
}

/* Return: false if there is no memory. */
static bool cpu_cache_list_refill(struct cpu_cache *cache, struct cpu_cache_list *list)
{
	while (READ_ONCE(list->count) < cache->full) {
		void *object = kmem_cache_alloc(cache->slab, GFP_KERNEL);

		if (!object)
			return false;
		if (!cpu_cache_list_put(list, object, cache->full))
			kmem_cache_free(cache->slab, object);
	}
	return true;
}

void cpu_cache_refill(struct cpu_cache *cache)
{
	int cpu;

	if (!CPU_CACHE_ONLY)
		return;
	for_each_online_cpu(cpu)
		if (!cpu_cache_list_refill(cache, per_cpu_ptr(cache->lists, cpu)))
			return;
}

static int cpu_cache_refiller(void *data)
{
	struct cpu_cache *cache = data;

	for (;;) {
		/* The state is set before wanted is read, so that no wake-up is lost. */
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(cache->wanted)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		/* Clear wanted before the counts are read; pairs with cpu_cache_take(). */
		smp_store_mb(cache->wanted, false);
		cpu_cache_refill(cache);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int cpu_cache_start(struct cpu_cache *cache, const char *name)
{
	struct task_struct *refiller = kthread_create(cpu_cache_refiller, cache, "%s", name);

	if (IS_ERR(refiller))
		return PTR_ERR(refiller);
	sched_set_fifo_low(refiller);
	cache->refiller = refiller;
	wake_up_process(refiller);
	return 0;
}

static void cpu_cache_empty(struct cpu_cache *cache)
{
	void *object;

	while ((object = cpu_cache_take_anywhere(cache)))
		kmem_cache_free(cache->slab, object);
	free_percpu(cache->lists);
}

int cpu_cache_init(struct cpu_cache *cache, struct kmem_cache *slab, const char *name)
{
	int cpu, err;

	cache->slab = slab;
	cache->wanted = false;
	cache->full = max(CPU_CACHE_ALL / num_possible_cpus(), (unsigned int)CPU_CACHE_LEAST);
	cache->lists = alloc_percpu(struct cpu_cache_list);
	if (!cache->lists)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		raw_spin_lock_init(&per_cpu_ptr(cache->lists, cpu)->lock);
	if (!CPU_CACHE_ONLY)
		return 0;
	cpu_cache_refill(cache);
	err = cpu_cache_start(cache, name);
	if (err)
		cpu_cache_empty(cache);
	return err;
}

void cpu_cache_exit(struct cpu_cache *cache)
{
	if (CPU_CACHE_ONLY)
		kthread_stop(cache->refiller);
	cpu_cache_empty(cache);
}

unsigned int cpu_cache_count(const struct cpu_cache *cache)
{
	unsigned int count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += READ_ONCE(per_cpu_ptr(cache->lists, cpu)->count);
	return count;
}
