// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>
#include <linux/wait.h>
#include "compat/clock.h"
#include "task/children.h"

/* Queries wait here until all reaped children are folded, but no longer than this. */
#define TIMEOUT		HZ
static DECLARE_WAIT_QUEUE_HEAD(came);

bool children_waited(const struct signal_struct *child, const struct signal_struct *waiter)
{
	struct process *p = process_find(child), *to = process_find(waiter);

	if (!p || !to || p->waiter || !refcount_inc_not_zero(&to->refs))
		return false;
	atomic_inc(&to->awaited);
	/* The worker looks at it when the child is freed, a grace period later. */
	WRITE_ONCE(p->waiter, to);
	return true;
}

/* Called with the fold lock of the waiter held. */
static void children_add(struct children *sum, const struct process *p, const struct totals *last)
{
	if (last)
		totals_add(&sum->totals, last);
	/* Most processes had one thread and are not late: then totals_gone is 0. */
	if (p->nr_gone || p->late)
		totals_add(&sum->totals, &p->totals_gone);
	sum->threads += p->nr_gone + !!last;
	if (p->children) {
		totals_add(&sum->totals, &p->children->totals);
		sum->threads += p->children->threads;
	}
}

static void children_hand_over_to(struct process *to, const struct process *p,
				  const struct totals *last)
{
	struct children *sum = to->children;

	/*
	 * It may sleep, and not fail: the memory is small.  The task that switches
	 * accounting off waits for this, or does it, and holds the lock of accounting.
	 * Nobody who frees memory for us needs that lock, or this worker.
	 */
	if (!sum)
		sum = kzalloc(sizeof(*sum), GFP_KERNEL | __GFP_NOFAIL);
	raw_spin_lock(&to->fold);
	children_add(sum, p, last);
	to->children = sum;
	raw_spin_unlock(&to->fold);
}

/*
 * A process that has ended, and whose reaped children are all folded, is complete:
 * drop its reference to its waiter.  The waiter may be complete with it, and so on.
 */
static void children_release(struct process *p)
{
	struct process *to, *done = NULL;

	while (p->ended && !atomic_read(&p->awaited) && p->waiter) {
		to = p->waiter;
		p->waiter = NULL;
		if (atomic_dec_and_test(&to->awaited))
			wake_up_all(&came);
		if (done)
			process_put(done);
		done = to;
		p = to;
	}
	if (done)
		process_put(done);
}

void children_hand_over(struct process *p, const struct totals *last)
{
	struct process *to = p->waiter;

	/*
	 * A child that was freed in the same grace period may be folded after its
	 * parent.  The parent's totals have been added to the grandparent's by
	 * then, so the child's are added to both.
	 */
	for (; to; to = to->ended ? to->waiter : NULL)
		children_hand_over_to(to, p, last);
	children_release(p);
}

void children_sample(struct process *p, struct sample *s)
{
	const long in = wait_event_killable_timeout(came, !atomic_read(&p->awaited), TIMEOUT);

	memset(s, 0, sizeof(*s));
	/* In the lock's queue, unlike in sample.c: it is held for one copy. */
	raw_spin_lock(&p->fold);
	if (p->children) {
		s->totals = p->children->totals;
		s->threads_gone = p->children->threads;
	}
	s->at = clock_now();
	raw_spin_unlock(&p->fold);
	s->tracked_since = p->tracked_since;
	s->cpu = -1;
	s->late = p->late;
	s->incomplete = in <= 0 || READ_ONCE(p->incomplete);
}
