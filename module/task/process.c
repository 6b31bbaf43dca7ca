// SPDX-License-Identifier: GPL-2.0-only
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "task/bucket_lock.h"
#include "task/pool.h"
#include "task/process.h"
#include "task/stalls.h"
#include "task/values.h"

#define LEAST_BUCKETS	256UL

/* For one process a bucket if each has four threads when max_threads is reached. */
static struct hlist_head *process_table __read_mostly;
static unsigned int process_table_bits __read_mostly;
static struct bucket_lock locks[NR_BUCKET_LOCKS];	/* leaves; inside a process's lock */

/* Processes inserted on this CPU, less those removed on it. */
static DEFINE_PER_CPU(long, nr_processes);

/* Bytes attached to processes on this CPU, less those freed on it. */
static DEFINE_PER_CPU(long, attached);

static struct pool pool;

/* Of struct totals, for which the kernel's next general size would be twice as large. */
static struct kmem_cache *totals_cache;

static size_t process_table_buckets(void)
{
	return 1UL << process_table_bits;
}

static size_t process_table_size(void)
{
	return process_table_buckets() * sizeof(*process_table);
}

static int process_buckets_init(u64 max_threads)
{
	bucket_locks_init(locks);
	process_table_bits = order_base_2(max(thread_most(max_threads) / 4, LEAST_BUCKETS));
	process_table = kvzalloc(process_table_size(), GFP_KERNEL);
	return process_table ? 0 : -ENOMEM;
}

static int process_pool_init(void)
{
	int err;

	totals_cache = kmem_cache_create("taskrt_totals", sizeof(struct totals), 0, 0, NULL);
	if (!totals_cache)
		return -ENOMEM;
	err = pool_init(&pool, "taskrt_process", sizeof(struct process));
	if (err)
		kmem_cache_destroy(totals_cache);
	return err;
}

int process_table_init(u64 max_threads)
{
	int err = process_buckets_init(max_threads);

	if (err)
		return err;
	err = process_pool_init();
	if (err)
		kvfree(process_table);
	return err;
}

void process_table_exit(void)
{
	pool_exit(&pool);
	kmem_cache_destroy(totals_cache);
	kvfree(process_table);
}

struct process *process_alloc(void)
{
	return pool_get_atomic(&pool);
}

void process_give_back(struct process *p)
{
	pool_give_back(&pool, p);
}

void process_stock(void)
{
	pool_fill(&pool);
}

/* Most processes have one thread, and end with it.  As for children_hand_over_to(). */
struct totals *process_totals_alloc(void)
{
	return kmem_cache_zalloc(totals_cache, GFP_KERNEL | __GFP_NOFAIL);
}

void process_attach(struct process *p, unsigned int size)
{
	p->attached += size;
	this_cpu_add(attached, (long)size);
}

void process_free(struct process *p)
{
	if (p->attached) {
		if (p->totals_gone)
			kmem_cache_free(totals_cache, p->totals_gone);
		kfree(p->children);
		kfree(p->walks);
		this_cpu_sub(attached, (long)p->attached);
	}
	pool_put(&pool, p, p->home);
}

static struct hlist_head *process_bucket(const struct signal_struct *signal)
{
	return &process_table[hash_ptr(signal, process_table_bits)];
}

static raw_spinlock_t *process_bucket_lock(const struct signal_struct *signal)
{
	return bucket_lock(locks, process_bucket(signal) - process_table);
}

struct process *process_find(const struct signal_struct *signal)
{
	struct process *p;

	hlist_for_each_entry_rcu_notrace(p, process_bucket(signal), node)
		if (p->signal == signal)
			return p;
	return NULL;
}

struct process *process_find_get(const struct signal_struct *signal)
{
	struct process *p;

	rcu_read_lock();
	p = process_find(signal);
	if (p && !refcount_inc_not_zero(&p->refs))
		p = NULL;
	rcu_read_unlock();
	return p;
}

static void process_free_rcu(struct rcu_head *rcu)
{
	process_free(container_of(rcu, struct process, rcu));
}

void process_put(struct process *p)
{
	if (refcount_dec_and_test(&p->refs))
		call_rcu(&p->rcu, process_free_rcu);
}

void process_init(struct process *p, const struct signal_struct *signal)
{
	memset(p, 0, sizeof(*p));
	p->signal = signal;
	p->home = raw_smp_processor_id();
	refcount_set(&p->refs, 1);
	raw_spin_lock_init(&p->fold);
	raw_spin_lock_init(&p->lock);
	INIT_LIST_HEAD(&p->live);
}

struct process *process_insert(struct process *p)
{
	raw_spinlock_t *lock = process_bucket_lock(p->signal);
	struct process *there;
	unsigned long flags;

	raw_spin_lock_irqsave(lock, flags);
	there = process_find(p->signal);
	if (!there) {
		hlist_add_head_rcu(&p->node, process_bucket(p->signal));
		this_cpu_inc(nr_processes);
	}
	raw_spin_unlock_irqrestore(lock, flags);
	return there ?: p;
}

void process_set_leader(struct process *p, struct task_struct *leader)
{
	if (leader)
		get_task_struct(leader);
	if (p->leader)
		put_task_struct(p->leader);
	p->leader = leader;
}

/* Under p->lock. */
static void process_unlink_if_gone(struct process *p)
{
	raw_spinlock_t *lock = process_bucket_lock(p->signal);

	/* The leader is released last: no thread can join after that. */
	if (!p->leader_gone || p->nr_tasks || p->unlinked)
		return;
	p->unlinked = true;
	raw_spin_lock(lock);
	hlist_del_rcu(&p->node);
	this_cpu_dec(nr_processes);
	raw_spin_unlock(lock);
}

void process_leader_freed(struct process *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	p->leader_gone = true;
	process_unlink_if_gone(p);
	raw_spin_unlock_irqrestore(&p->lock, flags);
}

void process_join(struct process *p, struct thread *t)
{
	const struct walks *walks;
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	walks = smp_load_acquire(&p->walks);	/* initialized; pairs with sample_walks_make() */
	t->walked = walks && walks->walk.mark;
	list_add_tail_rcu(&t->live, &p->live);
	p->nr_live++;
	p->nr_tasks++;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	/* Pairs with process_thread(): a reader that sees p finds the thread in its sums. */
	smp_store_release(&t->process, p);
	smp_mb();	/* pairs with thread_missed() */
	if (READ_ONCE(t->incomplete))
		WRITE_ONCE(p->incomplete, true);
}

struct thread *process_thread(const struct task_struct *task)
{
	struct thread *t = thread_find_alive(task);

	/* Pairs with process_join(). */
	return t && smp_load_acquire(&t->process) && thread_settled(t) ? t : NULL;
}

void thread_missed(struct thread *t)
{
	struct process *p;

	WRITE_ONCE(t->incomplete, true);
	smp_mb();	/* either the process is seen here, or process_join() sees the mark */
	p = READ_ONCE(t->process);
	if (p)
		WRITE_ONCE(p->incomplete, true);
}

void thread_freed(struct thread *t)
{
	struct process *p = t->process;
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	values_of_task(&t->values, t->task);
	/* Of the stalls, which few kernels count, no copy is made. */
	t->task_kept = stalls_counted(t->task);
	if (t->task_kept)
		get_task_struct(t->task);
	/* The copy is whole when it is used instead: pairs with thread_of_kernel(). */
	smp_store_release(&t->freed, true);
	p->nr_tasks--;
	if (thread_group_leader(t->task))
		p->leader_gone = true;
	process_unlink_if_gone(p);
	raw_spin_unlock_irqrestore(&p->lock, flags);
}

bool process_closed(struct process *p)
{
	bool closed = true;
	struct thread *t;

	/* No lock is needed: only the worker shortens the list. */
	list_for_each_entry_rcu(t, &p->live, live, true) {
		closed = record_state(&t->record) == TASKRT_STATE_EXITED;
		if (!closed)
			break;
		cond_resched();
	}
	return closed;
}

/* What came and went during the sum may have been counted only when it went. */
static u64 process_sum_cpus(const long __percpu *count)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(count, cpu));
	return max(sum, 0L);
}

u64 process_count(void)
{
	return process_sum_cpus(&nr_processes);
}

u64 process_memory(u64 count)
{
	return process_table_size() + (count + pool_stock(&pool)) * sizeof(struct process) +
	       process_sum_cpus(&attached);
}

void process_table_reset(void (*end)(struct process *p))
{
	struct hlist_node *next;
	struct process *p;
	size_t i;

	for (i = 0; i < process_table_buckets(); i++) {
		hlist_for_each_entry_safe(p, next, &process_table[i], node) {
			p->nr_tasks = 0;
			process_leader_freed(p);
			end(p);
		}
		cond_resched();
	}
}
