// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "compat/compat.h"
#include "task/process_sum.h"
#include "task/sample.h"
#include "task/throttle.h"

/*
 * A sample of another thread is taken as of this long ago.  A store of a hook is
 * visible long before, although the hook may read the clock early (clock_read_early()),
 * so a switch that the reader has not seen yet cannot take back time that the reader has
 * reported.
 */
#define READ_GUARD_NS		2000

/* The number of threads that are summed with preemption off. */
#define STRIDE			16

/* A thread may have an event with each try.  With fold held, it is not tried more often. */
#define TRIES			1000

/* Measured totals at one instant.  Return: the instant; 0: the thread has changed. */
static u64 sample_thread_once(struct thread *t, struct totals *totals, u32 groups)
{
	const u64 guard = t->task == current ? 0 : READ_GUARD_NS;
	struct totals_wait wait = {};
	u64 seq, now, at;

	seq = record_read_begin(&t->record);
	now = clock_now() - guard;
	if (unlikely(throttle_any()))
		wait = throttle_wait(t, now);
	at = totals_of_wait(totals, &t->record, &wait, now, groups);
	return record_read_retry(&t->record, seq) ? 0 : at;
}

static bool sample_thread_tries(struct thread *t, struct totals *totals, u32 groups)
{
	int tries = TRIES;

	while (!sample_thread_once(t, totals, groups))
		if (!--tries)
			return false;
	return true;
}

void thread_sample(struct thread *t, struct sample *s, u32 groups)
{
	do
		s->at = sample_thread_once(t, &s->totals, groups);
	while (!s->at);
	s->state = s->totals.state;
	thread_add_before(t, &s->totals);
	thread_of_kernel(t, &s->totals, groups);
	s->tracked_since = t->record.tracked_since;
	s->cpu = task_cpu(t->task);
	s->threads = 0;
	s->threads_gone = 0;
	s->late = t->late;
	s->incomplete = READ_ONCE(t->incomplete);
	s->queue_unknown = false;
	s->pending = false;
}

/*
 * @groups: of sample_groups()
 * Return: false: the thread changes too often, and was not added.
 */
static bool sample_add_thread(struct sample *sum, struct process *p, struct thread *t, u32 groups)
{
	struct totals one __uninitialized;
	unsigned long flags;

	/* Its times and its stalls join later.  A new thread has none yet. */
	if (!thread_settled(t)) {
		sum->threads++;
		sum->totals.stalls_unknown |= READ_ONCE(t->unsettled) != THREAD_NEW;
		return true;
	}
	if (!sample_thread_tries(t, &one, groups))
		return false;
	thread_add_before(t, &one);
	one.stalls_unknown = sum->totals.stalls_unknown;
	/* If a stall of one thread is not known, the sum is not known. */
	if (groups != TASKRT_GROUP_TIMES || !one.stalls_unknown) {
		/* The task is not freed before its hook had the lock. */
		raw_spin_lock_irqsave(&p->lock, flags);
		thread_of_kernel(t, &one, groups);
		raw_spin_unlock_irqrestore(&p->lock, flags);
	}
	if (groups == TASKRT_GROUP_TIMES)
		totals_add_times(&sum->totals, &one);
	else
		totals_add(&sum->totals, &one);
	sum->threads += one.state != TASKRT_STATE_EXITED;
	sum->threads_gone += one.state == TASKRT_STATE_EXITED;
	return true;
}

static void sample_finish(struct sample *sum, const struct process *p)
{
	sum->at = clock_now();
	sum->tracked_since = p->tracked_since;
	sum->cpu = -1;
	sum->late = p->late;
	sum->incomplete = READ_ONCE(p->incomplete);
	sum->queue_unknown = p->before.any;
}

/*
 * A reader does not wait for fold in its queue, so that the worker waits for one of us at
 * most; and for those that children_sample() has in the queue, one a CPU at most, each of
 * which only copies.  It calls this until raw_spin_trylock() succeeds.  Return: 0; -EINTR.
 */
static int sample_wait_for_fold(void)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	cpu_relax();
	cond_resched();
	return 0;
}

/* Sums all threads at once.  Return: 0; -EINTR; -E2BIG: there are too many; -EAGAIN. */
static int sample_few(struct process *p, struct sample *s, u32 groups)
{
	struct thread *t;
	int err = 0, n = 0;

	while (!raw_spin_trylock(&p->fold))
		if (sample_wait_for_fold())
			return -EINTR;
	process_sum_gone(p, s);
	list_for_each_entry_rcu(t, &p->live, live, true) {
		if (n++ == STRIDE) {
			err = -E2BIG;
			break;
		}
		if (!sample_add_thread(s, p, t, groups)) {
			err = -EAGAIN;
			break;
		}
	}
	sample_finish(s, p);
	raw_spin_unlock(&p->fold);
	return err;
}

/* Continues the walk that is in progress, or starts one.  Called with fold held. */
static void sample_walks_go_on(struct process *p)
{
	struct walks *walks = p->walks;
	struct thread *t;
	int n;

	if (walks->begun == walks->ended) {
		walks->begun++;
		walks->groups = atomic_read(&walks->all) ? TOTALS_ALL : TASKRT_GROUP_TIMES;
		process_walk_begin(p, &walks->sums[walks->begun & 1]);
	}
	for (n = 0; n < STRIDE && (t = walks->walk.next); n++) {
		if (!sample_add_thread(walks->walk.sum, p, t, walks->groups))
			return;
		process_walk_next(p);
	}
	if (walks->walk.next)
		return;
	sample_finish(walks->walk.sum, p);
	walks->ended = walks->begun;
}

static int sample_walks_make(struct process *p)
{
	struct walks *fresh;

	if (READ_ONCE(p->walks))
		return 0;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return -ENOMEM;
	while (!raw_spin_trylock(&p->fold)) {
		if (sample_wait_for_fold()) {
			kfree(fresh);
			return -EINTR;
		}
	}
	if (!p->walks) {
		/* Pairs with process_join() and sample_many(), which read it without fold. */
		smp_store_release(&p->walks, fresh);
		process_attach(p, sizeof(*fresh));
		fresh = NULL;
	}
	raw_spin_unlock(&p->fold);
	kfree(fresh);
	return 0;
}

static int sample_walk(struct process *p, struct walks *walks, struct sample *s)
{
	u64 number;

	while (!raw_spin_trylock(&p->fold))
		if (sample_wait_for_fold())
			return -EINTR;
	/* An earlier walk may miss what the reader has already seen. */
	number = walks->begun + 1;
	while (walks->ended < number) {
		sample_walks_go_on(p);
		raw_spin_unlock(&p->fold);
		/* There may be thousands of threads. */
		do {
			if (sample_wait_for_fold())
				return -EINTR;
		} while (!raw_spin_trylock(&p->fold));
	}
	*s = walks->sums[walks->ended & 1];
	raw_spin_unlock(&p->fold);
	return 0;
}

/*
 * While a reader that wants more than times waits, each new walk sums all groups: the walk that
 * answers the reader, and any walk that ends before the reader looks.
 */
static int sample_many(struct process *p, struct sample *s, u32 groups)
{
	const bool all = groups != TASKRT_GROUP_TIMES;
	int err = sample_walks_make(p);
	struct walks *walks;

	if (err)
		return err;
	walks = READ_ONCE(p->walks);
	if (all)
		atomic_inc(&walks->all);
	err = sample_walk(p, walks, s);
	if (all)
		atomic_dec(&walks->all);
	return err;
}

int process_sample(struct process *p, struct sample *s, u32 groups)
{
	int err;

	groups = sample_groups(groups);
	do
		err = READ_ONCE(p->nr_live) <= STRIDE ? sample_few(p, s, groups) : -E2BIG;
	while (err == -EAGAIN);
	return err == -E2BIG ? sample_many(p, s, groups) : err;
}

void process_sample_closed(struct process *p, struct sample *s, u32 groups)
{
	struct thread *t;

	groups = sample_groups(groups);
	process_sum_gone(p, s);
	/* No lock is needed: only the worker shortens the list. */
	list_for_each_entry_rcu(t, &p->live, live, true) {
		sample_add_thread(s, p, t, groups);
		cond_resched();
	}
	sample_finish(s, p);
}
