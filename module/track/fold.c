// SPDX-License-Identifier: GPL-2.0-only
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/sched/task.h>
#include "observe/dispatch.h"
#include "compat/compat.h"
#include "task/children.h"
#include "task/process.h"
#include "task/worker.h"
#include "track/fold.h"
#include "track/rescan.h"

#define FOLD_DELAY	(HZ / 100)

/* At most this many threads are freed by one RCU callback, which may run in a softirq. */
#define BATCH		32

/*
 * Threads and processes that hooks and the worker have queued on this CPU.  The worker folds them.
 * The threads of a process come in any order.
 */
static DEFINE_PER_CPU(struct llist_head, freed_threads);
static DEFINE_PER_CPU(struct llist_head, freed_processes);
static void fold_all(void);
static void fold_drop_all(void);
static DEFINE_WORKER_JOB(fold_job, fold_all);
static DEFINE_WORKER_JOB(drop_job, fold_drop_all);

struct fold_batch {
	struct thread *first;
	unsigned int count;
};

void fold_thread(struct thread *t)
{
	if (llist_add(&t->fold, raw_cpu_ptr(&freed_threads)))
		worker_queue(&fold_job, FOLD_DELAY);
}

void fold_process(struct process *p)
{
	if (llist_add(&p->fold, raw_cpu_ptr(&freed_processes)))
		worker_queue(&fold_job, FOLD_DELAY);
}

static struct llist_node *fold_take(struct llist_head __percpu *lists)
{
	struct llist_node *node, *next, *all = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct llist_head *list = per_cpu_ptr(lists, cpu);

		if (llist_empty(list))
			continue;
		llist_for_each_safe(node, next, llist_del_all(list)) {
			node->next = all;
			all = node;
		}
	}
	return all;
}

static void fold_free(struct thread *t)
{
	if (t->process)
		process_free(t->process);
	if (t->task_kept)
		put_task_struct(t->task);
	thread_free(t);
}

static void fold_free_rcu(struct rcu_head *rcu)
{
	struct thread *first = container_of(rcu, struct thread, rcu), *t, *next;

	llist_for_each_entry_safe(t, next, &first->fold, fold)
		fold_free(t);
}

static void fold_batch_free(struct fold_batch *batch)
{
	if (!batch->first)
		return;
	thread_folded(batch->count);
	call_rcu(&batch->first->rcu, fold_free_rcu);
	*batch = (struct fold_batch){};
}

static void fold_batch_add(struct fold_batch *batch, struct thread *t)
{
	t->fold.next = batch->first ? &batch->first->fold : NULL;
	batch->first = t;
	if (++batch->count == BATCH)
		fold_batch_free(batch);
}

/* @last: the last thread, if it is not folded yet; or NULL. */
static void fold_finish_process(struct process *p, const struct thread *last)
{
	p->folded = true;
	process_set_leader(p, NULL);
	children_hand_over(p, last);
}

/*
 * Adds the final totals of a thread, whose record is closed, to its process.
 * Return: true if this was the last thread, and nothing else refers to the process: then the totals
 * need not be added, and fold_free() frees both.
 */
static bool fold_leave_process(struct thread *t)
{
	struct process *p = t->process;

	if (!READ_ONCE(p->unlinked) || READ_ONCE(p->group.nr_live) > 1) {
		group_fold(&p->group, t);
		return false;
	}
	fold_finish_process(p, t);
	if (refcount_dec_if_one(&p->refs))
		return true;
	group_fold(&p->group, t);
	process_put(p);
	return false;
}

static void fold_one(struct thread *t, struct fold_batch *batch)
{
	dispatch_untracked(t);
	if (!fold_leave_process(t))
		t->process = NULL;
	fold_batch_add(batch, t);
}

static void fold_threads(void)
{
	struct fold_batch batch = {};
	struct thread *t, *next;

	llist_for_each_entry_safe(t, next, fold_take(&freed_threads), fold) {
		fold_one(t, &batch);
		cond_resched();
	}
	fold_batch_free(&batch);
}

/* Folds the processes whose leader was not tracked. */
static void fold_processes(void)
{
	struct process *p, *next;

	llist_for_each_entry_safe(p, next, fold_take(&freed_processes), fold) {
		if (!p->folded && READ_ONCE(p->unlinked) && list_empty(&p->group.live)) {
			fold_finish_process(p, NULL);
			process_put(p);
		}
		process_put(p);
	}
}

static void fold_all(void)
{
	fold_threads();
	fold_processes();
	rescan_folded();
}

static void fold_drop_process(struct process *p)
{
	fold_finish_process(p, NULL);
	process_put(p);
}

static void fold_drop_thread(struct thread *t)
{
	dispatch_untracked(t);
	t->process = NULL;
	t->fold.next = NULL;
	call_rcu(&t->rcu, fold_free_rcu);
}

void fold_flush(void)
{
	worker_finish(&fold_job);
}

static void fold_drop_all(void)
{
	thread_table_reset(fold_drop_thread);
	process_table_reset(fold_drop_process);
}

void fold_rest(void)
{
	worker_finish(&drop_job);
	rcu_barrier();
}
