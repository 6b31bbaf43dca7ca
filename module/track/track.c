// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/signal.h>
#include "observe/recorder.h"
#include "task/process.h"
#include "task/throttle.h"
#include "track/birth.h"
#include "track/exit.h"
#include "track/fold.h"
#include "track/gaps.h"
#include "track/rescan.h"
#include "track/track.h"

/*
 * A record that was made this long before its task started is the record of an earlier task at the
 * same address.  The clocks of two CPUs differ by less, and an address is not reused within a grace
 * period.
 */
#define SURELY_OLDER_NS		10000

static atomic64_t refused;
static atomic64_t no_memory;
static atomic64_t free_missed;
static atomic_t generation = ATOMIC_INIT(1);

/* The task was freed, or is about to be: a new task may get its address, which is the key. */
static void track_freed(struct thread *t)
{
	thread_freed(t);
	thread_remove(t);
	exit_freed(t);
}

/*
 * Removes the record of an earlier task at this address, if no hook saw that task freed.  A new
 * task has no record of its own yet, unless a walk has just made it.  Return: true if removed.
 */
static bool track_replace(struct task_struct *task)
{
	struct thread *t = thread_find(task);

	/* Pairs with process_join(). */
	if (!t || !smp_load_acquire(&t->process) ||
	    t->record.tracked_since + SURELY_OLDER_NS >= task->start_time)
		return false;
	atomic64_inc(&free_missed);
	WRITE_ONCE(t->process->incomplete, true);
	track_freed(t);
	return true;
}

bool track_fork(struct task_struct *task)
{
	int err;

	rcu_read_lock();
	err = birth_record(task, false);
	if (err == -EEXIST && track_replace(task))
		err = birth_record(task, false);
	if (err == -ENOMEM || err == -EDQUOT) {
		atomic64_inc(err == -ENOMEM ? &no_memory : &refused);
		gaps_note(task);
		rescan_later();
	}
	rcu_read_unlock();
	return !err || err == -EEXIST;
}

/* If the process has a record, its totals lack what the task did. */
static void track_free_untracked(struct task_struct *task)
{
	struct process *p = process_find(task->signal);

	if (p)
		WRITE_ONCE(p->incomplete, true);
	if (!p || !thread_group_leader(task) || !refcount_inc_not_zero(&p->refs))
		return;
	process_leader_freed(p);
	fold_process(p);
}

bool track_free(struct task_struct *task)
{
	struct thread *t;

	rcu_read_lock();
	t = thread_find(task);
	if (t)
		track_freed(t);
	else
		track_free_untracked(task);
	rcu_read_unlock();
	return t;
}

static void track_generation_next(void)
{
	if (!atomic_inc_return(&generation))
		atomic_inc(&generation);
}

void track_start(void)
{
	struct rescan_counts counts = {};

	/*
	 * The kernel's sums include threads that were reaped before the walk.  Wait until these
	 * are freed, so that track_free() does not mark their processes as incomplete.
	 */
	rcu_barrier();
	rescan_first(&counts);
	atomic64_add(counts.refused, &refused);
	atomic64_add(counts.no_memory, &no_memory);
	track_generation_next();
}

void track_drain(void)
{
	rescan_stop();
	exit_flush();
	recorder_stop();
}

void track_stop(void)
{
	exit_flush();	/* exits of tasks that were freed since track_drain() */
	fold_flush();
	/* Folding may have scheduled a rescan. */
	rescan_stop();
	exit_drop_rest();
	fold_rest();
	atomic64_set(&refused, 0);
	atomic64_set(&no_memory, 0);
	atomic64_set(&free_missed, 0);
	track_generation_next();
}

void track_renumbered(struct task_struct *task)
{
	rescan_renumbered(task);
	track_generation_next();
}

u32 track_generation(void)
{
	return atomic_read(&generation);
}

void track_counts(struct track_counts *counts)
{
	counts->refused = atomic64_read(&refused);
	counts->no_memory = atomic64_read(&no_memory);
	counts->repaired = rescan_count();
	counts->free_missed = atomic64_read(&free_missed);
}

int track_init(u64 max_threads)
{
	int err = thread_init(max_threads, exit_most());

	if (err)
		return err;
	err = throttle_init();
	if (err)
		goto exit_thread;
	err = process_table_init(max_threads);
	if (err)
		goto exit_throttle;
	return 0;

exit_throttle:
	throttle_exit();
exit_thread:
	thread_exit();
	return err;
}

void track_exit(void)
{
	rcu_barrier();
	process_table_exit();
	throttle_exit();
	thread_exit();
}
