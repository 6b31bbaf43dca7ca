// SPDX-License-Identifier: GPL-2.0-only
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include "task/process_sum.h"
#include "task/stalls.h"
#include "task/values.h"

static void thread_stalls(const struct thread *t, bool freed, struct totals *totals)
{
	totals->stalls_unknown = freed ? !t->task_kept : !stalls_counted(t->task);
	if (!totals->stalls_unknown)
		stalls_of_task(totals->stalls, t->task);
}

void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups)
{
	const bool freed = smp_load_acquire(&t->freed);	/* pairs with thread_freed() */
	struct values values;

	thread_stalls(t, freed, totals);
	if (!(groups & TASKRT_GROUP_COUNTS))
		return;
	if (freed) {
		values_put(totals->values, &t->values);
	} else {
		values_of_task(&values, t->task);
		values_put(totals->values, &values);
	}
}

/* The task has had its last switch, and the record no longer changes. */
static void thread_add_stalls(const struct thread *t, struct totals *sum)
{
	struct record_sum stalls[NR_STALLS];

	if (!t->task_kept) {
		sum->stalls_unknown = true;
		return;
	}
	stalls_of_task(stalls, t->task);
	totals_add_stalls(sum, stalls);
}

void thread_add_last(const struct thread *t, struct totals *sum)
{
	totals_add_record(sum, &t->record);
	thread_add_before(t, sum);
	values_add(sum->values, &t->values);
	thread_add_stalls(t, sum);
}

void process_add_before(struct totals *totals, const struct before *before)
{
	if (!before->any)
		return;
	totals->cpu_ns += before->cpu_ns;
	values_add(totals->values, &before->values);
}

void process_sum_gone(const struct process *p, struct sample *sum)
{
	memset(sum, 0, sizeof(*sum));
	if (p->totals_gone)
		sum->totals = *p->totals_gone;
	process_add_before(&sum->totals, &p->before);
	sum->threads_gone = p->nr_gone;
}

void process_walk_begin(struct process *p, struct sample *sum)
{
	struct walk *w = &p->walks->walk;
	unsigned long flags;

	process_sum_gone(p, sum);
	w->sum = sum;
	raw_spin_lock_irqsave(&p->lock, flags);
	w->mark = !w->mark;
	w->next = list_first_or_null_rcu(&p->live, struct thread, live);
	raw_spin_unlock_irqrestore(&p->lock, flags);
}

struct thread *process_walk_next(struct process *p)
{
	struct walk *w = &p->walks->walk;
	struct thread *t = w->next, *next;

	if (!t)
		return NULL;
	t->walked = w->mark;
	next = list_next_or_null_rcu(&p->live, &t->live, struct thread, live);
	/* The list is in the order of joining: behind a thread with the mark, all have it. */
	w->next = next && next->walked != w->mark ? next : NULL;
	return t;
}

/* A thread leaves the list: add its last totals to a walk that has not visited it yet. */
static void process_walk_leave(struct process *p, const struct thread *t)
{
	struct walk *w = p->walks ? &p->walks->walk : NULL;

	if (!w || !w->next || t->walked == w->mark)
		return;
	thread_add_last(t, &w->sum->totals);
	w->sum->threads_gone++;
	if (w->next == t)
		process_walk_next(p);
}

void process_fold(struct process *p, struct thread *t)
{
	struct totals *sum = p->totals_gone;
	unsigned long flags;

	if (!sum)
		sum = process_totals_alloc();
	raw_spin_lock(&p->fold);
	process_walk_leave(p, t);
	if (!p->totals_gone)
		process_attach(p, sizeof(*sum));
	thread_add_last(t, sum);
	p->totals_gone = sum;
	raw_spin_lock_irqsave(&p->lock, flags);
	list_del_rcu(&t->live);
	p->nr_live--;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	p->nr_gone++;
	raw_spin_unlock(&p->fold);
}
