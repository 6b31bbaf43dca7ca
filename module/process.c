// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "children.h"
#include "clock.h"
#include "process.h"
#include "track.h"

#define PROCESS_TABLE_BITS	14

/*
 * A reader on another CPU takes its sample this far in the past.  A hook's
 * store is visible long before that, so a switch that the reader did not see
 * cannot take back what the reader was told.
 */
#define READ_GUARD_NS		1000

static struct hlist_head process_table[1 << PROCESS_TABLE_BITS];
static DEFINE_RAW_SPINLOCK(table_lock);	/* leaf, irqs off; inside a process's lock */
static u64 nr_processes;		/* under table_lock */

static struct hlist_head *bucket_of(const struct signal_struct *signal)
{
	return &process_table[hash_ptr(signal, PROCESS_TABLE_BITS)];
}

struct process *process_find(const struct signal_struct *signal)
{
	struct process *p;

	hlist_for_each_entry_rcu_notrace(p, bucket_of(signal), node)
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
	track_process_free(container_of(rcu, struct process, rcu));
}

void process_put(struct process *p)
{
	if (refcount_dec_and_test(&p->refs))
		call_rcu(&p->rcu, process_free_rcu);
}

void process_init(struct process *p, const struct signal_struct *signal, u64 now)
{
	memset(p, 0, sizeof(*p));
	p->signal = signal;
	p->tracked_since = now;
	refcount_set(&p->refs, 1);
	mutex_init(&p->fold);
	raw_spin_lock_init(&p->lock);
	INIT_LIST_HEAD(&p->live);
}

struct process *process_insert(struct process *p)
{
	struct process *there;
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	there = process_find(p->signal);
	if (!there) {
		hlist_add_head_rcu(&p->node, bucket_of(p->signal));
		nr_processes++;
	}
	raw_spin_unlock_irqrestore(&table_lock, flags);
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
static void unlink_if_gone(struct process *p)
{
	/* The leader is released last: after it nobody can join. */
	if (!p->leader_gone || p->nr_tasks || p->unlinked)
		return;
	p->unlinked = true;
	raw_spin_lock(&table_lock);
	hlist_del_rcu(&p->node);
	nr_processes--;
	raw_spin_unlock(&table_lock);
}

void process_leader_freed(struct process *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	p->leader_gone = true;
	unlink_if_gone(p);
	raw_spin_unlock_irqrestore(&p->lock, flags);
}

/* All but the last thread, whose totals these are, were folded. */
static void process_end(struct process *p, const struct totals *last)
{
	p->ended = true;
	process_set_leader(p, NULL);
	children_hand_over(p, last);
}

void process_join(struct process *p, struct thread *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	list_add_tail_rcu(&t->live, &p->live);
	p->nr_live++;
	p->nr_tasks++;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	/* Pairs with process_thread(): who has seen this finds the thread in the sums. */
	smp_store_release(&t->process, p);
}

struct thread *process_thread(const struct task_struct *task)
{
	struct thread *t = thread_find(task);

	return t && smp_load_acquire(&t->process) ? t : NULL;
}

static void counters_of(struct thread_counters *counters, const struct task_struct *task)
{
	counters->nvcsw = READ_ONCE(task->nvcsw);
	counters->nivcsw = READ_ONCE(task->nivcsw);
	counters->min_flt = READ_ONCE(task->min_flt);
	counters->maj_flt = READ_ONCE(task->maj_flt);
}

void thread_freed(struct thread *t)
{
	struct process *p = t->process;
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	counters_of(&t->last, t->task);
	t->freed = true;
	p->nr_tasks--;
	if (thread_group_leader(t->task))
		p->leader_gone = true;
	unlink_if_gone(p);
	raw_spin_unlock_irqrestore(&p->lock, flags);
}

/*
 * What lies before tracking, and what the kernel counts itself.  Its task is
 * there, or it was freed, and the caller keeps that from changing.
 */
static void thread_since_creation(const struct thread *t, struct totals *totals)
{
	struct thread_counters counters;

	if (t->freed)
		counters = t->last;
	else
		counters_of(&counters, t->task);
	totals->cpu_ns += t->cpu_before_ns;
	totals->queue_ns += t->queue_before_ns;
	totals->nvcsw = counters.nvcsw;
	totals->nivcsw = counters.nivcsw;
	totals->min_flt = counters.min_flt;
	totals->maj_flt = counters.maj_flt;
}

/* Measured totals at one instant, which is returned. */
static u64 thread_totals(struct thread *t, struct totals *totals, u8 *state)
{
	struct record copy;
	u64 seq, now;

	do {
		seq = record_read_begin(&t->record);
		now = clock_now();
		shared_copy(&copy, &t->record);
	} while (record_read_retry(&t->record, seq));

	if (t->task != current)
		now -= READ_GUARD_NS;
	*state = record_state(&copy);
	return totals_of(totals, &copy, now);
}

/* The caller holds on to the task. */
void thread_sample(struct thread *t, struct sample *s)
{
	s->at = thread_totals(t, &s->totals, &s->state);
	thread_since_creation(t, &s->totals);
	s->tracked_since = t->record.tracked_since;
	s->threads = 0;
	s->threads_gone = 0;
	s->late = t->late;
	s->incomplete = false;
}

void process_sample(struct process *p, struct sample *s)
{
	struct totals one;
	unsigned long flags;
	struct thread *t;
	u8 state;

	memset(s, 0, sizeof(*s));
	mutex_lock(&p->fold);
	s->totals = p->totals_gone;
	/* A thread may join meanwhile; none can leave. */
	list_for_each_entry_rcu(t, &p->live, live, lockdep_is_held(&p->fold)) {
		thread_totals(t, &one, &state);
		/* The task is not freed before its hook had the lock. */
		raw_spin_lock_irqsave(&p->lock, flags);
		thread_since_creation(t, &one);
		raw_spin_unlock_irqrestore(&p->lock, flags);
		totals_add(&s->totals, &one);
		s->threads += state != STATE_EXITED;
		s->threads_gone += state == STATE_EXITED;
		/* There may be thousands, and others want the CPU. */
		cond_resched();
	}
	s->threads_gone += p->nr_gone;
	s->at = clock_now();
	mutex_unlock(&p->fold);
	s->tracked_since = p->tracked_since;
	s->late = p->late;
	s->incomplete = READ_ONCE(p->incomplete);
}

bool process_closed(struct process *p)
{
	bool closed = true;
	struct thread *t;

	rcu_read_lock();
	list_for_each_entry_rcu(t, &p->live, live) {
		closed = record_state(&t->record) == STATE_EXITED;
		if (!closed)
			break;
	}
	rcu_read_unlock();
	return closed;
}

/* The thread is dead: nobody writes to its record any more. */
static void thread_last_totals(const struct thread *t, struct totals *last)
{
	totals_of(last, &t->record, t->record.since);
	thread_since_creation(t, last);
}

static void fold(struct process *p, struct thread *t, const struct totals *last)
{
	unsigned long flags;

	mutex_lock(&p->fold);
	totals_add(&p->totals_gone, last);
	raw_spin_lock_irqsave(&p->lock, flags);
	list_del_rcu(&t->live);
	p->nr_live--;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	p->nr_gone++;
	mutex_unlock(&p->fold);
}

bool process_leave(struct thread *t)
{
	struct process *p = t->process;
	struct totals last;

	thread_last_totals(t, &last);
	if (!READ_ONCE(p->unlinked) || READ_ONCE(p->nr_live) > 1) {
		fold(p, t, &last);
		return false;
	}
	process_end(p, &last);
	if (refcount_dec_if_one(&p->refs))
		return true;
	fold(p, t, &last);
	process_put(p);
	return false;
}

void process_end_if_gone(struct process *p)
{
	if (p->ended || !READ_ONCE(p->unlinked) || !list_empty(&p->live))
		return;
	process_end(p, NULL);
	process_put(p);
}

u64 process_count(void)
{
	unsigned long flags;
	u64 n;

	raw_spin_lock_irqsave(&table_lock, flags);
	n = nr_processes;
	raw_spin_unlock_irqrestore(&table_lock, flags);
	return n;
}

void process_table_reset(void)
{
	struct hlist_node *next;
	struct process *p;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(process_table); i++)
		hlist_for_each_entry_safe(p, next, &process_table[i], node) {
			p->nr_tasks = 0;
			process_leader_freed(p);
			process_end(p, NULL);
			process_put(p);
		}
}
