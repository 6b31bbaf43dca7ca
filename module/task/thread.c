// SPDX-License-Identifier: GPL-2.0-only
#include <linux/spinlock.h>
#include "task/pool.h"
#include "task/thread.h"

struct hlist_head thread_table[1 << THREAD_TABLE_BITS];
DEFINE_PER_CPU(struct thread *, thread_on_cpu);

/* Leaf; held for one insertion or removal, which may be in an RCU callback. */
static DEFINE_RAW_SPINLOCK(table_lock);
static struct thread_counts counted;	/* under table_lock */

static struct pool pool;

int thread_pool_init(void)
{
	return pool_init(&pool, "taskrt_thread", sizeof(struct thread));
}

void thread_pool_exit(void)
{
	pool_exit(&pool);
}

struct thread *thread_alloc(void)
{
	return pool_get_atomic(&pool);
}

void thread_give_back(struct thread *t)
{
	pool_give_back(&pool, t);
}

void thread_stock(void)
{
	pool_fill(&pool);
}

void thread_free(struct thread *t)
{
	pool_put(&pool, t);
}

static struct hlist_head *thread_bucket(const struct task_struct *task)
{
	return &thread_table[hash_ptr(task, THREAD_TABLE_BITS)];
}

int thread_insert(struct thread *t, u64 max)
{
	unsigned long flags;
	int err = 0;

	raw_spin_lock_irqsave(&table_lock, flags);
	if (thread_find(t->task)) {
		err = -EEXIST;
	} else if (counted.made - counted.gone >= max) {
		err = -EDQUOT;
	} else {
		hlist_add_head_rcu(&t->node, thread_bucket(t->task));
		counted.made++;
	}
	raw_spin_unlock_irqrestore(&table_lock, flags);
	return err;
}

void thread_remove(struct thread *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	hlist_del_rcu(&t->node);
	counted.removed++;
	raw_spin_unlock_irqrestore(&table_lock, flags);
}

void thread_gone(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	counted.gone++;
	raw_spin_unlock_irqrestore(&table_lock, flags);
}

static void thread_counts_read(struct thread_counts *counts)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	*counts = counted;
	raw_spin_unlock_irqrestore(&table_lock, flags);
}

static u64 thread_table_count(void)
{
	struct thread *t;
	u64 n = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(thread_table); i++) {
		if (hlist_empty(&thread_table[i]))
			continue;
		rcu_read_lock();
		hlist_for_each_entry_rcu(t, &thread_table[i], node)
			n++;
		rcu_read_unlock();
	}
	return n;
}

#define COUNT_TRIES	32

u64 thread_count(struct thread_counts *counts)
{
	struct thread_counts after;
	int tries = COUNT_TRIES;
	u64 n;

	/* The counts are of one instant only if no thread came or went meanwhile. */
	do {
		thread_counts_read(counts);
		n = thread_table_count();
		thread_counts_read(&after);
	} while (memcmp(&after, counts, sizeof(after)) && --tries);
	return n + counts->removed - counts->gone;
}

u64 thread_memory(u64 count)
{
	return sizeof(thread_table) + (count + pool_stock(&pool)) * sizeof(struct thread);
}

void thread_table_reset(void (*drop)(struct thread *t))
{
	struct hlist_node *next;
	struct thread *t;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(thread_table); i++)
		hlist_for_each_entry_safe(t, next, &thread_table[i], node) {
			hlist_del_rcu(&t->node);
			drop(t);
		}
	for_each_possible_cpu(i)
		per_cpu(thread_on_cpu, i) = NULL;
	memset(&counted, 0, sizeof(counted));
}
