// SPDX-License-Identifier: GPL-2.0-only
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "compat/compat.h"
#include "task/group.h"
#include "task/worker.h"

/* At most this many threads are summed with preemption off at a time. */
#define STRIDE			16

/*
 * A walk sums all threads of a group, a few at a time.  All readers continue the same walk, and
 * only one is in progress.  A thread was visited if its walk_mark equals the mark of the walk.  A
 * thread that joins during the walk gets this mark at once, and is not part of the sum.  If a
 * thread is folded before it was visited, group_fold() adds its last totals to the sum.
 */
struct walks {
	struct thread *next;	/* the first thread not visited yet; NULL: none is left */
	bool mark;		/* written with both fold and lock held */
	u64 started;		/* walks started; one is in progress if started != finished */
	u64 finished;
	atomic_t all;		/* the number of readers that want more than times */
	u32 groups;		/* TASKRT_GROUP_* of the walk in progress */
	struct sample sums[2];	/* the n-th walk has sums[n & 1] */
};

/* kmalloc() would round struct totals up to about twice its size. */
static struct kmem_cache *totals_cache;

/* Bytes that were attached to groups on this CPU, minus bytes that were freed on it. */
static DEFINE_PER_CPU(long, attached);

int groups_init(void)
{
	totals_cache = kmem_cache_create("taskrt_totals", sizeof(struct totals), 0, 0, NULL);
	return totals_cache ? 0 : -ENOMEM;
}

void groups_exit(void)
{
	kmem_cache_destroy(totals_cache);
}

void group_init(struct group *g)
{
	raw_spin_lock_init(&g->fold);
	raw_spin_lock_init(&g->lock);
	INIT_LIST_HEAD(&g->live);
}

void group_free(struct group *g)
{
	if (!g->attached)
		return;
	if (g->folded)
		kmem_cache_free(totals_cache, g->folded);
	kfree(g->walks);
	this_cpu_sub(attached, (long)g->attached);
}

/*
 * The sum may be negative: memory may be attached on a CPU that was read before, and then freed on
 * a CPU that is read later.
 */
u64 groups_memory(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(attached, cpu));
	return max(sum, 0L);
}

void group_attach(struct group *g, unsigned int size)
{
	lockdep_assert_held(&g->fold);
	g->attached += size;
	this_cpu_add(attached, (long)size);
}

void group_join(struct group *g, struct thread *t)
{
	const struct walks *walks;

	lockdep_assert_held(&g->lock);
	walks = smp_load_acquire(&g->walks);	/* pairs with group_walks_make() */
	t->walk_mark = walks && walks->mark;
	list_add_tail_rcu(&t->live, &g->live);
	g->nr_live++;
}

static void group_sum_folded(const struct group *g, struct sample *sum)
{
	memset(sum, 0, sizeof(*sum));
	if (g->folded)
		sum->totals = *g->folded;
	sum->threads_gone = g->nr_folded;
}

static struct sample *group_walk_sum(struct walks *walks)
{
	return &walks->sums[walks->started & 1];
}

static void group_walk_begin(struct group *g)
{
	struct walks *w = g->walks;
	unsigned long flags;

	lockdep_assert_held(&g->fold);
	w->started++;
	w->groups = atomic_read(&w->all) ? TOTALS_ALL : TASKRT_GROUP_TIMES;
	group_sum_folded(g, group_walk_sum(w));
	raw_spin_lock_irqsave(&g->lock, flags);
	w->mark = !w->mark;
	w->next = list_first_or_null_rcu(&g->live, struct thread, live);
	raw_spin_unlock_irqrestore(&g->lock, flags);
}

/* Marks w->next, which was just added to the sum, and goes on to the thread after it. */
static void group_walk_on(struct group *g)
{
	struct walks *w = g->walks;
	struct thread *t = w->next, *next;

	lockdep_assert_held(&g->fold);
	t->walk_mark = w->mark;
	next = list_next_or_null_rcu(&g->live, &t->live, struct thread, live);
	/* Threads join at the tail: if the next one has the mark, all behind it have it too. */
	w->next = next && next->walk_mark != w->mark ? next : NULL;
}

/* If the walk has not visited a thread that leaves the list, adds the thread's last totals. */
static void group_walk_leave(struct group *g, const struct thread *t)
{
	struct walks *w = g->walks;

	lockdep_assert_held(&g->fold);
	if (!w || !w->next || t->walk_mark == w->mark)
		return;
	thread_add_last(t, &group_walk_sum(w)->totals);
	group_walk_sum(w)->threads_gone++;
	if (w->next == t)
		group_walk_on(g);
}

void group_fold(struct group *g, struct thread *t)
{
	struct totals *sum = g->folded;
	unsigned long flags;

	/* __GFP_NOFAIL as in children_hand_over_to().  Most processes never need this memory. */
	if (!sum)
		sum = kmem_cache_zalloc(totals_cache, GFP_KERNEL | __GFP_NOFAIL);
	raw_spin_lock(&g->fold);
	group_walk_leave(g, t);
	if (!g->folded)
		group_attach(g, sizeof(*sum));
	thread_add_last(t, sum);
	g->folded = sum;
	raw_spin_lock_irqsave(&g->lock, flags);
	list_del_rcu(&t->live);
	g->nr_live--;
	raw_spin_unlock_irqrestore(&g->lock, flags);
	g->nr_folded++;
	raw_spin_unlock(&g->fold);
}

/* @groups: from sample_groups().  Return: false if the thread changes too often to be added. */
static bool group_add_thread(struct group *g, struct sample *sum, struct thread *t, u32 groups)
{
	struct totals one __uninitialized;
	unsigned long flags;

	/* Readers may not have this thread's times yet: only count it.  A new one has no delays. */
	if (!thread_initial_state_known(t)) {
		sum->threads++;
		sum->totals.delays_unknown |= READ_ONCE(t->initial_state) != INITIAL_STATE_NEW;
		return true;
	}
	if (!sample_thread_totals(t, &one, groups))
		return false;
	thread_add_before(t, &one);
	one.delays_unknown = sum->totals.delays_unknown;
	/* Skip this if only the delays are needed, and their sum is unknown already. */
	if (groups != TASKRT_GROUP_TIMES || !one.delays_unknown) {
		/* The task is not freed while this is held: see thread_freed(). */
		raw_spin_lock_irqsave(&g->lock, flags);
		thread_of_kernel(t, &one, groups);
		raw_spin_unlock_irqrestore(&g->lock, flags);
	}
	if (groups == TASKRT_GROUP_TIMES)
		totals_add_times(&sum->totals, &one);
	else
		totals_add(&sum->totals, &one);
	sum->threads += one.state != TASKRT_STATE_EXITED;
	sum->threads_gone += one.state == TASKRT_STATE_EXITED;
	return true;
}

/*
 * Readers use trylock instead of queueing for fold, so that the worker waits for at most one of
 * them.  Callers of children_sample() do queue, at most one on each CPU, but only for a copy.
 * Return: 0; -EINTR.
 */
static int group_wait_for_fold(void)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	cpu_relax();
	cond_resched();
	return 0;
}

/* Sums all threads at once.  Return: 0; -EINTR; -E2BIG: too many; -EAGAIN: one changes too fast. */
static int group_sample_few(struct group *g, struct sample *s, u32 groups)
{
	struct thread *t;
	int err = 0, n = 0;

	while (!raw_spin_trylock(&g->fold))
		if (group_wait_for_fold())
			return -EINTR;
	group_sum_folded(g, s);
	list_for_each_entry_rcu(t, &g->live, live, lockdep_is_held(&g->fold)) {
		if (n++ == STRIDE) {
			err = -E2BIG;
			break;
		}
		if (!group_add_thread(g, s, t, groups)) {
			err = -EAGAIN;
			break;
		}
	}
	s->at = clock_now();
	raw_spin_unlock(&g->fold);
	return err;
}

static void group_walk_stride(struct group *g)
{
	struct walks *w = g->walks;
	int n;

	lockdep_assert_held(&g->fold);
	if (w->started == w->finished)
		group_walk_begin(g);
	for (n = 0; n < STRIDE && w->next; n++) {
		if (!group_add_thread(g, group_walk_sum(w), w->next, w->groups))
			return;
		group_walk_on(g);
	}
	if (w->next)
		return;
	group_walk_sum(w)->at = clock_now();
	w->finished = w->started;
}

static int group_walks_make(struct group *g)
{
	struct walks *fresh;

	if (READ_ONCE(g->walks))
		return 0;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return -ENOMEM;
	while (!raw_spin_trylock(&g->fold)) {
		if (group_wait_for_fold()) {
			kfree(fresh);
			return -EINTR;
		}
	}
	if (!g->walks) {
		/* Pairs with group_join() and group_sample_many(), which do not hold fold. */
		smp_store_release(&g->walks, fresh);
		group_attach(g, sizeof(*fresh));
		fresh = NULL;
	}
	raw_spin_unlock(&g->fold);
	kfree(fresh);
	return 0;
}

static int group_sample_walk(struct group *g, struct sample *s)
{
	struct walks *walks = READ_ONCE(g->walks);
	u64 number;

	while (!raw_spin_trylock(&g->fold))
		if (group_wait_for_fold())
			return -EINTR;
	/* Wait for the next walk: one in progress may miss what the reader has seen. */
	number = walks->started + 1;
	while (walks->finished < number) {
		group_walk_stride(g);
		raw_spin_unlock(&g->fold);
		/* There may be thousands of threads: let others have fold in between. */
		do {
			if (group_wait_for_fold())
				return -EINTR;
		} while (!raw_spin_trylock(&g->fold));
	}
	*s = walks->sums[walks->finished & 1];
	raw_spin_unlock(&g->fold);
	return 0;
}

/*
 * While a reader that wants more than times is waiting, every new walk sums all groups, because
 * the reader may copy the sum of any of them.
 */
static int group_sample_many(struct group *g, struct sample *s, u32 groups)
{
	const bool all = groups != TASKRT_GROUP_TIMES;
	int err = group_walks_make(g);
	struct walks *walks;

	if (err)
		return err;
	walks = READ_ONCE(g->walks);
	if (all)
		atomic_inc(&walks->all);
	err = group_sample_walk(g, s);
	if (all)
		atomic_dec(&walks->all);
	return err;
}

int group_sample(struct group *g, struct sample *s, u32 groups)
{
	int err;

	groups = sample_groups(groups);
	do
		err = READ_ONCE(g->nr_live) <= STRIDE ? group_sample_few(g, s, groups) : -E2BIG;
	while (err == -EAGAIN);
	return err == -E2BIG ? group_sample_many(g, s, groups) : err;
}

void group_sample_closed(struct group *g, struct sample *s, u32 groups)
{
	struct thread *t;

	groups = sample_groups(groups);
	group_sum_folded(g, s);
	/* No lock is needed, because only the worker removes threads from the list. */
	list_for_each_entry_rcu(t, &g->live, live, worker_is_current()) {
		group_add_thread(g, s, t, groups);
		cond_resched();
	}
	s->at = clock_now();
}
