// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "clock.h"
#include "exit.h"
#include "pool.h"
#include "process.h"
#include "recorder.h"
#include "track.h"
#include "wait.h"
#include "watch.h"
#include "worker.h"

#define FOLD_DELAY	(HZ / 100)	/* many tasks are folded for one wake-up of the worker */
#define REPAIR_DELAY	HZ
#define WALK_BATCH	512		/* records made under one RCU read lock */

static struct pool threads;
static struct pool processes;
static u64 max_threads;
static atomic64_t refused;
static atomic64_t no_memory;
static atomic64_t repaired;
static atomic_t generation = ATOMIC_INIT(1);

/* Freed tasks, handed from the hook to process context. */
static LLIST_HEAD(gone_threads);
static LLIST_HEAD(gone_processes);
static struct delayed_work fold_work;
static struct delayed_work repair_work;
static bool lacking;			/* somebody is not tracked for want of something */

static void thread_free_rcu(struct rcu_head *rcu)
{
	struct thread *t = container_of(rcu, struct thread, rcu);

	if (t->process)
		track_process_free(t->process);
	pool_put(&threads, t);
}

void track_process_free(struct process *p)
{
	kfree(p->children);
	kfree(p->walks);
	pool_put(&processes, p);
}

/* What the kernel counted before anybody watched. */
static void process_seed(struct process *p, struct signal_struct *signal)
{
	struct totals *t = &p->totals_gone;
	unsigned int seq = 0;

	do {
		seq = read_seqbegin(&signal->stats_lock);
		t->cpu_ns = signal->sum_sched_runtime;
		t->values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = signal->nvcsw;
		t->values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] = signal->nivcsw;
		t->values[TASKRT_VALUE_MINOR_FAULTS] = signal->min_flt;
		t->values[TASKRT_VALUE_MAJOR_FAULTS] = signal->maj_flt;
	} while (read_seqretry(&signal->stats_lock, seq));
	p->late = true;
}

static void thread_setup(struct thread *t, struct task_struct *task, bool late, u64 now)
{
	t->task = task;
	t->process = NULL;
	t->late = late;
	t->freed = false;
	t->dumpable = false;
	t->watched = false;
	t->mapping = NULL;
	t->recorder = NULL;
	t->alert_due = 0;
	t->exit.tid = NULL;
	t->cpu_before_ns = 0;
	t->queue_before_ns = 0;
	if (!late) {
		/* Not started yet; wake_up_new_task() follows. */
		record_init(&t->record, TASKRT_STATE_BLOCKED_OTHER, 0, now);
		return;
	}
	record_init(&t->record, STATE_UNSEEN, wait_guess(task), now);
	t->cpu_before_ns = READ_ONCE(task->se.sum_exec_runtime);
	t->queue_before_ns = READ_ONCE(task->sched_info.run_delay);
}

/*
 * Not in the worker: it waits for a grace period, which anybody may make long.
 */
static void repair_later(void)
{
	schedule_delayed_work(&repair_work, REPAIR_DELAY);
}

/*
 * Under RCU, so that the task cannot reach track_free() before it is known.
 * Its process cannot end before that either: the task is one of it.
 */
static int track(struct task_struct *task, bool late)
{
	struct process *p = process_find(task->signal), *fresh = NULL;
	struct thread *t = pool_get_atomic(&threads);
	const u64 now = clock_now();
	int err = -ENOMEM;

	if (!p)
		fresh = pool_get_atomic(&processes);
	if (!t || (!p && !fresh))
		goto give_back;

	thread_setup(t, task, late, now);
	if (!p) {
		process_init(fresh, task->signal, now);
		if (late)
			process_seed(fresh, task->signal);
	}
	/* From 7.0 on a hook may be preempted: nobody shall find a thread without a process. */
	preempt_disable();
	err = thread_insert(t, max_threads);
	if (err)
		goto enable;
	if (!p) {
		p = process_insert(fresh);
		if (p == fresh)
			fresh = NULL;
	}
	process_join(p, t);
	t = NULL;
enable:
	preempt_enable();
give_back:
	if (t)
		pool_give_back(&threads, t);
	if (fresh)
		pool_give_back(&processes, fresh);
	return err;
}

/* Somebody could not be tracked: its process says so, and we try again later. */
static void lack(struct task_struct *task)
{
	struct process *p = process_find(task->signal);

	if (p)
		WRITE_ONCE(p->incomplete, true);
	WRITE_ONCE(lacking, true);
}

bool track_fork(struct task_struct *task)
{
	int err;

	rcu_read_lock();
	err = track(task, false);
	if (err == -ENOMEM || err == -EDQUOT) {
		atomic64_inc(err == -ENOMEM ? &no_memory : &refused);
		lack(task);
		repair_later();
	}
	rcu_read_unlock();
	return !err || err == -EEXIST;
}

bool track_free(struct task_struct *task)
{
	struct thread *t;
	struct process *p;

	rcu_read_lock();
	t = thread_find(task);
	if (t) {
		thread_freed(t);
		/* Its address, our key, may be another's at once. */
		thread_remove(t);
		if (llist_add(&t->gone, &gone_threads))
			worker_queue(&fold_work, FOLD_DELAY);
	} else if (thread_group_leader(task)) {
		p = process_find_get(task->signal);
		if (p) {
			process_leader_freed(p);
			if (llist_add(&p->gone, &gone_processes))
				worker_queue(&fold_work, FOLD_DELAY);
		}
	}
	rcu_read_unlock();
	return t;
}

static void fold_threads(void)
{
	struct llist_node *gone = llist_reverse_order(llist_del_all(&gone_threads));
	struct thread *t, *next;

	/* Who is gone has closed before, and is told of before it is let go. */
	exit_drain();
	llist_for_each_entry_safe(t, next, gone, gone) {
		exit_forget(t);
		watch_gone(t, false);
		if (!process_leave(t))
			t->process = NULL;
		thread_gone();
		call_rcu(&t->rcu, thread_free_rcu);
		cond_resched();
	}
}

static void fold_processes(void)
{
	struct process *p, *next;

	llist_for_each_entry_safe(p, next, llist_del_all(&gone_processes), gone) {
		process_end_if_gone(p);
		process_put(p);
	}
}

static void fold(struct work_struct *work)
{
	fold_threads();
	fold_processes();
	/* Where there was no room for somebody, there may be some now. */
	if (READ_ONCE(lacking))
		repair_later();
}

/*
 * One walk.  Return: how many are still not tracked because there are too many;
 * -EAGAIN, if there is more to do than should be done in one go; or -ENOMEM,
 * which may only mean that the stock is used up.
 */
static int track_missing(u64 *made)
{
	struct task_struct *group, *task;
	const u64 enough = *made + WALK_BATCH;
	int err = 0, untracked = 0;

	rcu_read_lock();
	for_each_process_thread(group, task) {
		if (thread_find(task))
			continue;
		err = track(task, true);
		if (err == -ENOMEM)
			goto stop;
		if (err == -EDQUOT) {
			lack(task);
			untracked++;
		}
		*made += !err;
		if (*made == enough) {
			err = -EAGAIN;
			goto stop;
		}
	}
	rcu_read_unlock();
	return untracked;

stop:
	rcu_read_unlock();
	return err;
}

/* Return: as track_missing(), and -ENOMEM only if there is none. */
static int track_everybody(u64 *made)
{
	u64 before;
	int left;

	do {
		before = *made;
		WRITE_ONCE(lacking, false);
		left = track_missing(made);
		if (left == -ENOMEM) {
			pool_fill(&threads);
			pool_fill(&processes);
		}
		cond_resched();
	} while (left == -EAGAIN || (left == -ENOMEM && *made > before));
	if (left == -ENOMEM)
		WRITE_ONCE(lacking, true);
	return left;
}

/*
 * A task that was being switched while its record was made known may be
 * guessed wrong.  When all such switches are over, who still has seen no event
 * is truly doing what it seems to do.
 */
static void settle_guesses(void)
{
	struct task_struct *group, *task;
	struct thread *t;

	synchronize_rcu();
	rcu_read_lock();
	for_each_process_thread(group, task) {
		t = thread_find(task);
		if (t && record_present(&t->record) == STATE_UNSEEN)
			WRITE_ONCE(t->record.guess, wait_guess(task));
	}
	rcu_read_unlock();
}

static void repair(struct work_struct *work)
{
	u64 made = 0;

	track_everybody(&made);
	atomic64_add(made, &repaired);
	settle_guesses();
}

void track_prepare(u64 max)
{
	max_threads = max;
}

void track_start(void)
{
	u64 made = 0;
	int left = track_everybody(&made);

	if (left > 0)
		atomic64_add(left, &refused);
	else if (left == -ENOMEM)
		atomic64_inc(&no_memory);
	settle_guesses();
	track_renumbered();
}

static void drop(struct thread *t)
{
	exit_forget(t);
	watch_gone(t, true);
	t->process = NULL;
	call_rcu(&t->rcu, thread_free_rcu);
}

void track_stop(void)
{
	cancel_delayed_work_sync(&repair_work);
	exit_stop();
	recorder_stop();
	worker_finish(&fold_work);
	/* It may have been asked for by the last of these. */
	cancel_delayed_work_sync(&repair_work);
	thread_table_reset(drop);
	process_table_reset();
	rcu_barrier();
	atomic64_set(&refused, 0);
	atomic64_set(&no_memory, 0);
	atomic64_set(&repaired, 0);
	lacking = false;
	track_renumbered();
}

void track_renumbered(void)
{
	if (!atomic_inc_return(&generation))
		atomic_inc(&generation);
}

u32 track_generation(void)
{
	return atomic_read(&generation);
}

void track_counts(struct track_counts *counts)
{
	counts->refused = atomic64_read(&refused);
	counts->no_memory = atomic64_read(&no_memory);
	counts->repaired = atomic64_read(&repaired);
}

u64 track_memory(u64 nr_threads, u64 nr_processes)
{
	return sizeof(thread_table) +
	       (nr_threads + pool_stock(&threads)) * sizeof(struct thread) +
	       (nr_processes + pool_stock(&processes)) * sizeof(struct process);
}

int track_init(void)
{
	int err;

	INIT_DELAYED_WORK(&fold_work, fold);
	INIT_DELAYED_WORK(&repair_work, repair);
	err = pool_init(&threads, "taskrt_thread", sizeof(struct thread));
	if (err)
		return err;
	err = pool_init(&processes, "taskrt_process", sizeof(struct process));
	if (err)
		pool_exit(&threads);
	return err;
}

void track_exit(void)
{
	rcu_barrier();
	pool_exit(&processes);
	pool_exit(&threads);
}
