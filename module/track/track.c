// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "observe/recorder.h"
#include "task/process.h"
#include "track/exit.h"
#include "track/fold.h"
#include "track/track.h"
#include "track/wait.h"

#define REPAIR_DELAY	HZ
#define WALK_BATCH	512		/* records made under one RCU read lock */

static u64 max_threads;
static atomic64_t refused;
static atomic64_t no_memory;
static atomic64_t repaired;
static atomic_t generation = ATOMIC_INIT(1);

static struct delayed_work repair_work;
static bool lacking;			/* a task is not tracked, for want of memory or room */

/* Begin with what the kernel has counted for threads that are gone already. */
static void track_seed_process(struct process *p, struct signal_struct *signal)
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

static void track_setup_thread(struct thread *t, struct task_struct *task, bool late, u64 now)
{
	t->task = task;
	t->process = NULL;
	t->late = late;
	t->freed = false;
	t->dumpable = false;
	t->observed = false;
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

/* The repair does not run in the worker: it waits for a grace period, which may take long. */
static void track_repair_later(void)
{
	schedule_delayed_work(&repair_work, REPAIR_DELAY);
}

/*
 * Make a record for a task.
 * Context: RCU read lock held, so that track_free() is not called for the task before
 * its thread is in the table.  Its process cannot end before either, because the
 * task belongs to it.
 */
static int track_task(struct task_struct *task, bool late)
{
	struct process *p = process_find(task->signal), *fresh = NULL;
	struct thread *t = thread_alloc();
	const u64 now = clock_now();
	int err = -ENOMEM;

	if (!p)
		fresh = process_alloc();
	if (!t || (!p && !fresh))
		goto give_back;

	track_setup_thread(t, task, late, now);
	if (!p) {
		process_init(fresh, task->signal, now);
		if (late)
			track_seed_process(fresh, task->signal);
	}
	/*
	 * Until it has joined, whoever finds the thread on another CPU finds it without a
	 * process, and takes it for untracked: process_thread(), exit_note().  That must
	 * not last, and from 7.0 on a hook may be preempted.
	 */
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
		thread_give_back(t);
	if (fresh)
		process_give_back(fresh);
	return err;
}

/* The task could not be tracked: mark its process, and remember to try again. */
static void track_note_lack(struct task_struct *task)
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
	err = track_task(task, false);
	if (err == -ENOMEM || err == -EDQUOT) {
		atomic64_inc(err == -ENOMEM ? &no_memory : &refused);
		track_note_lack(task);
		track_repair_later();
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
		/* A new task may get the same address, which is the key, at once. */
		thread_remove(t);
		fold_thread(t);
	} else if (thread_group_leader(task)) {
		p = process_find_get(task->signal);
		if (p) {
			process_leader_freed(p);
			fold_process(p);
		}
	}
	rcu_read_unlock();
	return t;
}

/* Called after threads were folded: there may be room for tasks that are not tracked. */
static void track_repair_if_lacking(void)
{
	if (READ_ONCE(lacking))
		track_repair_later();
}

/*
 * Walk over all tasks once.
 * Return: the number of tasks that are not tracked because of max_threads; -EAGAIN if
 * a full batch of records was made, and another walk is needed; -ENOMEM if the stock
 * is used up and nothing could be allocated.
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
		err = track_task(task, true);
		if (err == -ENOMEM)
			goto stop;
		if (err == -EDQUOT) {
			track_note_lack(task);
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

/* Return: as track_missing(), but -ENOMEM only if refilling the stock did not help. */
static int track_everybody(u64 *made)
{
	u64 before;
	int left;

	do {
		before = *made;
		WRITE_ONCE(lacking, false);
		left = track_missing(made);
		if (left == -ENOMEM) {
			thread_stock();
			process_stock();
		}
		cond_resched();
	} while (left == -EAGAIN || (left == -ENOMEM && *made > before));
	if (left == -ENOMEM)
		WRITE_ONCE(lacking, true);
	return left;
}

/*
 * The guess may be wrong for a task that was being switched while its record was
 * added to the table.  After a grace period all such switches are over, and the guess
 * is right for a task that still has had no event.
 */
static void track_settle_guesses(void)
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

static void track_repair(struct work_struct *work)
{
	u64 made = 0;

	track_everybody(&made);
	atomic64_add(made, &repaired);
	track_settle_guesses();
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
	track_settle_guesses();
	track_renumbered();
}

void track_stop(void)
{
	cancel_delayed_work_sync(&repair_work);
	exit_stop();
	recorder_stop();
	fold_flush();
	/* Folding may have scheduled the repair again. */
	cancel_delayed_work_sync(&repair_work);
	fold_rest();
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

int track_init(void)
{
	int err;

	INIT_DELAYED_WORK(&repair_work, track_repair);
	fold_init(track_repair_if_lacking);
	err = thread_pool_init();
	if (err)
		return err;
	err = process_pool_init();
	if (err)
		thread_pool_exit();
	return err;
}

void track_exit(void)
{
	rcu_barrier();
	process_pool_exit();
	thread_pool_exit();
}
