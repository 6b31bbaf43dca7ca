// SPDX-License-Identifier: GPL-2.0-only
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/percpu_counter.h>
#include <linux/sched/signal.h>
#include <linux/thread_info.h>
#include <linux/threads.h>
#include "task/bucket_lock.h"
#include "task/pool.h"
#include "task/thread.h"

#define LEAST_BUCKETS	1024UL
#define NR_SLOTS	ARRAY_SIZE(((struct thread_bucket *)NULL)->slots)

struct thread_table thread_table __read_mostly;
struct thread thread_nobody;
DEFINE_PER_CPU(struct thread *, thread_on_cpu);

static_assert(sizeof(struct thread_bucket) == 64);

static struct bucket_lock thread_bucket_locks[NR_BUCKET_LOCKS];	/* leaves */

static DEFINE_PER_CPU(u64, nr_made);	/* threads made on this CPU; no other CPU writes it */
static u64 nr_folded;			/* written by the worker */
static struct percpu_counter nr_live;	/* made and not exiting; limited by max_live */
static struct percpu_counter nr_kept;	/* made and not folded; limited by max_kept */
static u64 max_live;
static u64 max_kept;
static s32 live_batch;

static struct pool pool;

/*
 * Each CPU keeps up to live_batch changes of a counter to itself.  thread_fits() sums all CPUs,
 * under a global lock, only when about a 64th of the maximum or less is left.
 */
static int thread_limit(u64 max, u64 waiting)
{
	int err;

	max_live = max;
	max_kept = 2 * max + waiting;
	live_batch = clamp_t(u64, div_u64(max, 64 * num_possible_cpus()), 1, 1024);
	err = percpu_counter_init(&nr_live, 0, GFP_KERNEL);
	if (err)
		return err;
	err = percpu_counter_init(&nr_kept, 0, GFP_KERNEL);
	if (err)
		percpu_counter_destroy(&nr_live);
	return err;
}

static void thread_unlimit(void)
{
	percpu_counter_destroy(&nr_kept);
	percpu_counter_destroy(&nr_live);
}

static size_t thread_table_size(void)
{
	return thread_table.mask + sizeof(struct thread_bucket);
}

unsigned long thread_most(u64 max)
{
	const u64 stacks = (u64)totalram_pages() * PAGE_SIZE / THREAD_SIZE;

	return min_t(u64, min(max, stacks), PID_MAX_LIMIT);
}

/* kvzalloc() prefers the direct map, so lookups share the TLB entries of its large pages. */
static int thread_table_init(u64 max)
{
	const unsigned long buckets = roundup_pow_of_two(max(thread_most(max) / 2, LEAST_BUCKETS));

	bucket_locks_init(thread_bucket_locks);
	thread_table.mask = (buckets - 1) * sizeof(struct thread_bucket);
	thread_table.buckets = kvzalloc(thread_table_size(), GFP_KERNEL);
	return thread_table.buckets ? 0 : -ENOMEM;
}

static void thread_forget_running(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(thread_on_cpu, cpu) = &thread_nobody;
}

int thread_init(u64 max, u64 waiting)
{
	int err = thread_limit(max, waiting);

	if (err)
		return err;
	err = thread_table_init(max);
	if (err)
		goto unlimit;
	/* An initializer cannot do this: a module's per-CPU variables are not relocated. */
	thread_forget_running();
	err = pool_init(&pool, "taskrt_thread", sizeof(struct thread));
	if (err)
		goto free_table;
	return 0;

free_table:
	kvfree(thread_table.buckets);
unlimit:
	thread_unlimit();
	return err;
}

void thread_exit(void)
{
	pool_exit(&pool);
	kvfree(thread_table.buckets);
	thread_unlimit();
}

struct thread *thread_alloc(void)
{
	return pool_get_atomic(&pool);
}

void thread_give_back(struct thread *t)
{
	pool_give_back(&pool, t);
}

void thread_refill(void)
{
	pool_refill(&pool);
}

void thread_free(struct thread *t)
{
	pool_put(&pool, t, t->home);
}

static raw_spinlock_t *thread_bucket_lock(const struct thread_bucket *bucket)
{
	return bucket_lock(thread_bucket_locks, bucket - thread_table.buckets);
}

static struct thread_slot *thread_slot_find(struct thread_bucket *bucket,
					    const struct task_struct *task)
{
	struct thread_slot *slot;

	for (slot = bucket->slots; slot < bucket->slots + NR_SLOTS; slot++)
		if (slot->task == task)
			return slot;
	return NULL;
}

static void thread_put(struct thread_bucket *bucket, struct thread *t)
{
	struct thread_slot *slot = thread_slot_find(bucket, NULL);

	lockdep_assert_held(thread_bucket_lock(bucket));
	t->key = t->task;
	if (!slot) {
		t->more = bucket->more;
		/* Pairs with thread_find_in(). */
		smp_store_release(&bucket->more, t);
		return;
	}
	/* A reader that saw the slot's former key may load this thread: it must be initialized. */
	smp_store_release(&slot->thread, t);
	/* Pairs with thread_of_slot(). */
	smp_store_release(&slot->task, t->task);
}

/* Keeps slot->thread and t->more, because a reader that found a key may still read them. */
static void thread_take(struct thread_bucket *bucket, struct thread *t)
{
	struct thread_slot *slot = thread_slot_find(bucket, t->task);
	struct thread **at;

	lockdep_assert_held(thread_bucket_lock(bucket));
	if (slot) {
		WRITE_ONCE(slot->task, NULL);
		return;
	}
	for (at = &bucket->more; *at != t; at = &(*at)->more)
		;
	WRITE_ONCE(*at, t->more);
}

int thread_insert(struct thread *t)
{
	struct thread_bucket *bucket = thread_bucket(&thread_table, t->task);
	raw_spinlock_t *lock = thread_bucket_lock(bucket);
	unsigned long flags;
	int err = 0;

	raw_spin_lock_irqsave(lock, flags);
	if (thread_find(t->task)) {
		err = -EEXIST;
	} else {
		thread_put(bucket, t);
		this_cpu_inc(nr_made);
		percpu_counter_add_batch(&nr_live, 1, live_batch);
		percpu_counter_add_batch(&nr_kept, 1, live_batch);
	}
	raw_spin_unlock_irqrestore(lock, flags);
	return err;
}

static bool thread_fits(struct percpu_counter *counter, u64 max)
{
	const s64 unknown = (s64)live_batch * num_possible_cpus();

	return percpu_counter_read(counter) + unknown < (s64)max ||
	       percpu_counter_sum(counter) < (s64)max;
}

bool thread_below_limits(void)
{
	return thread_fits(&nr_live, max_live) && thread_fits(&nr_kept, max_kept);
}

void thread_exiting(struct thread *t)
{
	if (!READ_ONCE(t->exiting) && !xchg(&t->exiting, true))
		percpu_counter_add_batch(&nr_live, -1, live_batch);
}

void thread_remove(struct thread *t)
{
	struct thread_bucket *bucket = thread_bucket(&thread_table, t->task);
	raw_spinlock_t *lock = thread_bucket_lock(bucket);
	unsigned long flags;

	thread_exiting(t);
	raw_spin_lock_irqsave(lock, flags);
	thread_take(bucket, t);
	raw_spin_unlock_irqrestore(lock, flags);
}

void thread_folded(unsigned int nr)
{
	smp_wmb();	/* made before folded; pairs with thread_counts() */
	WRITE_ONCE(nr_folded, nr_folded + nr);
	percpu_counter_add_batch(&nr_kept, -(s64)nr, live_batch);
}

void thread_counts(struct thread_counts *counts)
{
	int cpu;

	counts->folded = READ_ONCE(nr_folded);
	smp_rmb();	/* folded before made; pairs with thread_folded() */
	counts->made = 0;
	for_each_possible_cpu(cpu)
		counts->made += READ_ONCE(per_cpu(nr_made, cpu));
	/* During a reset, while accounting is off, made may be less than folded. */
	counts->kept = counts->made > counts->folded ? counts->made - counts->folded : 0;
}

static struct thread_bucket *thread_table_end(void)
{
	return (void *)thread_table.buckets + thread_table_size();
}

u64 thread_memory(u64 count)
{
	return thread_table_size() + (count + pool_cached(&pool)) * sizeof(struct thread);
}

static void thread_bucket_each(struct thread_bucket *bucket, void (*visit)(struct thread *t))
{
	struct thread_slot *slot;
	struct thread *t, *next;

	for (slot = bucket->slots; slot < bucket->slots + NR_SLOTS; slot++)
		if (slot->task)
			visit(slot->thread);
	for (t = bucket->more; t; t = next) {
		next = t->more;
		visit(t);
	}
}

void thread_table_each(void (*visit)(struct thread *t))
{
	struct thread_bucket *bucket;

	for (bucket = thread_table.buckets; bucket < thread_table_end(); bucket++) {
		thread_bucket_each(bucket, visit);
		cond_resched();
	}
}

void thread_table_reset(void (*drop)(struct thread *t))
{
	int cpu;

	thread_table_each(drop);
	memset(thread_table.buckets, 0, thread_table_size());
	thread_forget_running();
	for_each_possible_cpu(cpu)
		per_cpu(nr_made, cpu) = 0;
	nr_folded = 0;
	percpu_counter_set(&nr_live, 0);
	percpu_counter_set(&nr_kept, 0);
}
