// SPDX-License-Identifier: GPL-2.0-only
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "task/bucket_lock.h"
#include "task/counters.h"
#include "task/delays.h"
#include "task/pool.h"
#include "task/process.h"
#include "task/worker.h"

#define LEAST_BUCKETS	256UL

/* A bucket has one process, if there are max_threads threads, four in each process. */
static struct hlist_head *process_table __read_mostly;
static unsigned int process_table_bits __read_mostly;
/* Leaf locks, also taken inside group->lock. */
static struct bucket_lock process_bucket_locks[NR_BUCKET_LOCKS];

/* Processes that were inserted on this CPU, minus processes that were removed on it. */
static DEFINE_PER_CPU(long, nr_processes);

static struct pool pool;

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
	bucket_locks_init(process_bucket_locks);
	process_table_bits = order_base_2(max(thread_most(max_threads) / 4, LEAST_BUCKETS));
	process_table = kvzalloc(process_table_size(), GFP_KERNEL);
	return process_table ? 0 : -ENOMEM;
}

int process_table_init(u64 max_threads)
{
	int err = process_buckets_init(max_threads);

	if (err)
		return err;
	err = groups_init();
	if (err)
		goto free_table;
	err = pool_init(&pool, "taskrt_process", sizeof(struct process));
	if (err)
		goto exit_groups;
	return 0;

exit_groups:
	groups_exit();
free_table:
	kvfree(process_table);
	return err;
}

void process_table_exit(void)
{
	pool_exit(&pool);
	groups_exit();
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

void process_refill(void)
{
	pool_refill(&pool);
}

void process_free(struct process *p)
{
	group_free(&p->group);
	kfree(p->children);
	pool_put(&pool, p, p->home);
}

static struct hlist_head *process_bucket(const struct signal_struct *signal)
{
	return &process_table[hash_ptr(signal, process_table_bits)];
}

static raw_spinlock_t *process_bucket_lock(const struct signal_struct *signal)
{
	return bucket_lock(process_bucket_locks, process_bucket(signal) - process_table);
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
	group_init(&p->group);
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

static void process_unlink_if_freed(struct process *p)
{
	raw_spinlock_t *lock = process_bucket_lock(p->signal);

	lockdep_assert_held(&p->group.lock);
	/* The kernel reaps the leader last, and no thread can join after that. */
	if (!p->leader_freed || p->nr_tasks || p->unlinked)
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

	raw_spin_lock_irqsave(&p->group.lock, flags);
	p->leader_freed = true;
	process_unlink_if_freed(p);
	raw_spin_unlock_irqrestore(&p->group.lock, flags);
}

void process_join(struct process *p, struct thread *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&p->group.lock, flags);
	group_join(&p->group, t);
	p->nr_tasks++;
	raw_spin_unlock_irqrestore(&p->group.lock, flags);
	/* Pairs with process_thread(): a reader that sees p finds the thread in the sums of p. */
	smp_store_release(&t->process, p);
	smp_mb();	/* pairs with thread_missed() */
	if (READ_ONCE(t->incomplete))
		WRITE_ONCE(p->incomplete, true);
}

struct thread *process_thread(const struct task_struct *task)
{
	struct thread *t = thread_find_alive(task);

	/* Pairs with process_join(). */
	return t && smp_load_acquire(&t->process) && thread_initial_state_known(t) ? t : NULL;
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

	raw_spin_lock_irqsave(&p->group.lock, flags);
	counters_of_task(&t->counters, t->task);
	/* Keep the task instead of copying its delays, which few kernels count. */
	t->task_kept = delays_counted(t->task);
	if (t->task_kept)
		get_task_struct(t->task);
	/* A reader that sees freed uses t->counters; pairs with thread_of_kernel(). */
	smp_store_release(&t->freed, true);
	p->nr_tasks--;
	if (thread_group_leader(t->task))
		p->leader_freed = true;
	process_unlink_if_freed(p);
	raw_spin_unlock_irqrestore(&p->group.lock, flags);
}

bool process_closed(struct process *p)
{
	bool closed = true;
	struct thread *t;

	/* No lock is needed, because only the worker removes threads from the list. */
	list_for_each_entry_rcu(t, &p->group.live, live, worker_is_current()) {
		closed = record_state(&t->record) == TASKRT_STATE_EXITED;
		if (!closed)
			break;
		cond_resched();
	}
	return closed;
}

void process_add_before(struct totals *totals, const struct before *before)
{
	if (!before->any)
		return;
	totals->cpu_ns += before->cpu_ns;
	counters_add(totals->values, &before->counters);
}

void process_sample_finish(const struct process *p, const struct before *before, struct sample *s)
{
	process_add_before(&s->totals, before);
	s->tracked_since = p->tracked_since;
	s->cpu = -1;
	s->preexisting = p->preexisting;
	s->incomplete |= READ_ONCE(p->incomplete);
	s->queue_unknown |= before->any;
}

int process_sample(struct process *p, struct sample *s, u32 groups)
{
	int err = group_sample(&p->group, s, groups);

	if (!err)
		process_sample_finish(p, &p->before, s);
	return err;
}

void process_sample_closed(struct process *p, struct sample *s, u32 groups)
{
	group_sample_closed(&p->group, s, groups);
	process_sample_finish(p, &p->before, s);
}

/*
 * The sum may be negative: a process may be inserted on a CPU that was read before, and then
 * removed on a CPU that is read later.
 */
u64 process_count(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(nr_processes, cpu));
	return max(sum, 0L);
}

u64 process_memory(u64 count)
{
	return process_table_size() + (count + pool_cached(&pool)) * sizeof(struct process) +
	       groups_memory();
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
