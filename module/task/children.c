// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "task/children.h"

bool children_waited(const struct signal_struct *child, const struct signal_struct *waiter)
{
	struct process *p = process_find(child), *to = process_find(waiter);

	/* The child was not tracked, so the waiter's sum lacks it. */
	if (!p && to)
		WRITE_ONCE(to->children_incomplete, true);
	if (!p || !to || p->waiter || !refcount_inc_not_zero(&to->refs))
		return false;
	atomic_inc(&to->awaited);
	/* The worker reads p->waiter when the child is freed, at least a grace period later. */
	WRITE_ONCE(p->waiter, to);
	return true;
}

static void children_add(struct children *sum, const struct process *p, const struct thread *last)
{
	if (last)
		thread_add_last(last, &sum->totals);
	if (p->group.folded)
		totals_add(&sum->totals, p->group.folded);
	process_add_before(&sum->totals, &p->before);
	sum->threads += p->group.nr_folded + !!last;
	if (p->children) {
		totals_add(&sum->totals, &p->children->totals);
		sum->threads += p->children->threads;
		sum->queue_unknown |= p->children->queue_unknown;
		sum->incomplete |= p->children->incomplete;
	}
	process_add_before(&sum->totals, &p->children_before);
	sum->queue_unknown |= p->before.any || p->children_before.any;
	sum->incomplete |= READ_ONCE(p->incomplete) || READ_ONCE(p->children_incomplete);
}

static void children_hand_over_to(struct process *to, const struct process *p,
				  const struct thread *last)
{
	struct children *sum = to->children;

	/*
	 * The allocation must not fail, or the child's totals would be lost.  It cannot deadlock: a
	 * task may hold accounting_rwsem while it waits for the worker, but reclaim needs neither.
	 */
	if (!sum)
		sum = kzalloc(sizeof(*sum), GFP_KERNEL | __GFP_NOFAIL);
	raw_spin_lock(&to->group.fold);
	if (!to->children)
		group_attach(&to->group, sizeof(*sum));
	children_add(sum, p, last);
	to->children = sum;
	raw_spin_unlock(&to->group.fold);
}

/*
 * A process is complete when it and all its reaped children are folded.  Then it drops its
 * reference to its waiter, which may now be complete, and so on.
 */
static void children_complete(struct process *p)
{
	struct process *to, *done = NULL;

	while (p->folded && !atomic_read(&p->awaited) && p->waiter) {
		to = p->waiter;
		p->waiter = NULL;
		atomic_dec(&to->awaited);
		if (done)
			process_put(done);
		done = to;
		p = to;
	}
	if (done)
		process_put(done);
}

void children_hand_over(struct process *p, const struct thread *last)
{
	struct process *to = p->waiter;

	/*
	 * A child may be folded after its parent if both were freed in the same grace period.  The
	 * parent's totals are then part of the grandparent's, and are no longer read: add the
	 * child's totals to the sum of the first ancestor that is not folded.
	 */
	while (to && to->folded) {
		to = to->waiter;
		cond_resched();
	}
	if (to)
		children_hand_over_to(to, p, last);
	children_complete(p);
}

void children_sample(struct process *p, struct sample *s)
{
	memset(s, 0, sizeof(*s));
	/* Unlike group.c's readers, spin for the lock: this holds it for one copy only. */
	raw_spin_lock(&p->group.fold);
	if (p->children) {
		s->totals = p->children->totals;
		s->threads_gone = p->children->threads;
		s->queue_unknown = p->children->queue_unknown;
		s->incomplete = p->children->incomplete;
	}
	/* The worker adds a child before it decrements awaited: 0 means that the sum has all. */
	s->pending = atomic_read(&p->awaited);
	s->at = clock_now();
	raw_spin_unlock(&p->group.fold);
	process_sample_finish(p, &p->children_before, s);
	s->incomplete |= READ_ONCE(p->children_incomplete);
}
