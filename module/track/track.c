// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat/clock.h"
#include "observe/recorder.h"
#include "task/process.h"
#include "task/throttle.h"
#include "task/wait.h"
#include "track/exit.h"
#include "track/fold.h"
#include "track/repair.h"
#include "track/track.h"

/*
 * A record was made before a task if it is older by this at least: two clocks may differ
 * by less.  Between two tasks of the same address lies a grace period.
 */
#define SURELY_OLDER_NS		10000

static atomic64_t refused;
static atomic64_t no_memory;
static atomic64_t lost;
static atomic_t generation = ATOMIC_INIT(1);

static void track_seed_children(struct before *b, const struct signal_struct *signal)
{
	b->cpu_ns = signal->cutime + signal->cstime;
	b->values = (struct values){
		.voluntary_switches = signal->cnvcsw,
		.involuntary_switches = signal->cnivcsw,
		.minor_faults = signal->cmin_flt,
		.major_faults = signal->cmaj_flt,
		.user_ns = signal->cutime,
		.system_ns = signal->cstime,
	};
	b->any = signal->cutime || signal->cstime || signal->cnvcsw || signal->cnivcsw ||
		 signal->cmin_flt || signal->cmaj_flt;
}

/* Each thread that is gone has used some CPU time. */
static void track_seed_threads(struct before *b, const struct signal_struct *signal)
{
	b->cpu_ns = signal->sum_sched_runtime;
	b->values = (struct values){
		.voluntary_switches = signal->nvcsw,
		.involuntary_switches = signal->nivcsw,
		.minor_faults = signal->min_flt,
		.major_faults = signal->maj_flt,
		.user_ns = signal->utime,
		.system_ns = signal->stime,
	};
	b->any = b->cpu_ns;
}

/* Begin with what the kernel has counted for the threads and the children that are gone. */
static void track_seed_process(struct process *p, struct signal_struct *signal)
{
	unsigned int seq = 0;

	do {
		seq = read_seqbegin(&signal->stats_lock);
		track_seed_threads(&p->before, signal);
		track_seed_children(&p->children_before, signal);
	} while (read_seqretry(&signal->stats_lock, seq));
}

/* On PREEMPT_RT a reader of the lock of the kernel's sums may sleep; before 7.0 no hook may. */
static bool track_may_seed(bool late)
{
	return late || !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

/*
 * A process gets its record with its first thread.  If that is not its leader, or not in
 * the fork hook, the process is older than the record: it creates a thread before the first
 * walk has come to it, or threads of it were refused.
 */
static void track_setup_process(struct process *p, struct task_struct *task, bool late)
{
	process_init(p, task->signal);
	p->late = late || !thread_group_leader(task);
	if (p->late && track_may_seed(late)) {
		track_seed_process(p, task->signal);
		p->incomplete = repair_has_gaps();
	} else if (p->late) {
		p->before.any = true;
		p->children_before.any = true;
		p->incomplete = true;
	}
}

/*
 * The kernel's sum is as old as the last tick, which with nohz_full= may be a second ago.  This
 * makes it renew that of a task that runs without ticks.
 */
static void track_renew_runtime(struct task_struct *task)
{
	u64 user, system;

	task_cputime_adjusted(task, &user, &system);
}

static void track_setup_thread(struct thread *t, struct task_struct *task, bool late, u64 now)
{
	t->task = task;
	t->process = NULL;
	t->late = late;
	t->unsettled = late ? THREAD_GUESSED : THREAD_NEW;
	t->home = smp_processor_id();
	t->freed = false;
	t->task_kept = false;
	t->ended = false;
	t->dumpable = false;
	t->incomplete = false;
	t->mapping = NULL;
	t->recorder = NULL;
	t->fault = (struct thread_fault){};
	t->freeing.depth = 0;
	t->throttle_group = NULL;
	t->throttle_cpu = 0;
	t->throttle_before = 0;
	t->alert_due = 0;
	t->exit.tid = NULL;
	refcount_set(&t->exit.refs, 1);
	t->exit.dropped = false;
	t->cpu_before_ns = 0;
	t->queue_before_ns = 0;
	if (!late) {
		/* wake_up_new_task() follows, perhaps after a page fault of the creator. */
		record_init(&t->record, STATE_UNSEEN, TASKRT_STATE_BLOCKED_OTHER, now);
		return;
	}
	record_init(&t->record, STATE_UNSEEN, wait_guess(task), now);
	track_renew_runtime(task);
	t->cpu_before_ns = READ_ONCE(task->se.sum_exec_runtime);
	t->queue_before_ns = READ_ONCE(task->sched_info.run_delay);
}

/*
 * A task that was released has no id, so the walk that settles does not find it.  Its last
 * switch may have been before the thread was in the table; if not, that event is stronger
 * than the guess.
 */
static void track_see_released(struct thread *t)
{
	smp_mb();	/* the table before the id; pairs with the barrier in schedule() */
	if (!pid_alive(t->task))
		WRITE_ONCE(t->record.guess, TASKRT_STATE_EXITED);
}

/*
 * Make a record for a task.
 * Context: RCU read lock held, so that track_free() is not called for the task before
 * its thread is in the table.  Its process cannot end before either, because the
 * task belongs to it.
 */
static int track_task(struct task_struct *task, bool late)
{
	struct process *p, *fresh = NULL;
	struct thread *t;
	int err = -ENOMEM;
	u64 now;

	/* The walk over all tasks may have made it already. */
	if (!thread_has_room())
		return thread_find(task) ? -EEXIST : -EDQUOT;
	p = process_find(task->signal);
	t = thread_alloc();
	if (!p)
		fresh = process_alloc();
	if (!t || (!p && !fresh))
		goto give_back;

	if (!p)
		track_setup_process(fresh, task, late);
	/*
	 * It was released, and is in the sums with which the process begins; or perhaps with
	 * which it has begun: then track_free() marks the process as incomplete.
	 */
	if ((!p || p->late) && !pid_alive(task)) {
		err = -ESRCH;
		goto give_back;
	}
	/*
	 * The time, the kernel's counters and the state are those of one instant: what
	 * the thread does between that and its insertion is not seen.  Until it has
	 * joined, whoever finds the thread on another CPU finds it without a process, and
	 * takes it for untracked: process_thread(), exit_note().  Neither must last, and
	 * the walk may be preempted, as from 7.0 on a hook may be.
	 */
	preempt_disable();
	now = clock_now();
	track_setup_thread(t, task, late, now);
	err = thread_insert(t);
	if (err)
		goto enable;
	if (!p) {
		fresh->tracked_since = now;
		p = process_insert(fresh);
		if (p == fresh)
			fresh = NULL;
	}
	process_join(p, t);
	if (late) {
		track_see_released(t);
		/* It passed the exit hook before, and may never be waited for. */
		if (READ_ONCE(task->exit_state))
			thread_ended(t);
	}
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

static int track_existing(struct task_struct *task)
{
	return track_task(task, true);
}

/* The task was freed, or is about to be; a new one may get the same address, the key, at once. */
static void track_end(struct thread *t)
{
	thread_freed(t);
	thread_remove(t);
	exit_freed(t);
}

/*
 * A task that is just being created has no record, unless the walk has just made one: an older
 * one is of an earlier task of this address, whose end no hook saw.
 * Return: true if there was one.
 */
static bool track_replace(struct task_struct *task)
{
	struct thread *t = thread_find(task);

	/* Pairs with process_join(). */
	if (!t || !smp_load_acquire(&t->process) ||
	    t->record.tracked_since + SURELY_OLDER_NS >= task->start_time)
		return false;
	atomic64_inc(&lost);
	track_end(t);
	return true;
}

bool track_fork(struct task_struct *task)
{
	int err;

	rcu_read_lock();
	err = track_task(task, false);
	if (err == -EEXIST && track_replace(task))
		err = track_task(task, false);
	if (err == -ENOMEM || err == -EDQUOT) {
		atomic64_inc(err == -ENOMEM ? &no_memory : &refused);
		repair_note_lack(task);
		repair_later();
	}
	rcu_read_unlock();
	return !err || err == -EEXIST;
}

/* What it did is missing from its process, if that has a record. */
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
		track_end(t);
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
	struct repair_counts counts = {};

	/*
	 * Threads that were reaped before the walk are in the sums of their processes: wait
	 * until they are freed, so that track_free() takes none of them for a missing one.
	 */
	rcu_barrier();
	repair_first_walk(&counts);
	atomic64_add(counts.refused, &refused);
	atomic64_add(counts.no_memory, &no_memory);
	track_generation_next();
}

void track_drain(void)
{
	repair_stop();
	exit_flush();
	recorder_stop();
}

void track_stop(void)
{
	exit_flush();	/* of tasks that were freed since */
	fold_flush();
	/* Folding may have scheduled the repair again. */
	repair_stop();
	exit_drop_rest();
	fold_rest();
	atomic64_set(&refused, 0);
	atomic64_set(&no_memory, 0);
	atomic64_set(&lost, 0);
	track_generation_next();
}

void track_renumbered(struct task_struct *task)
{
	repair_renumbered(task);
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
	counts->repaired = repair_count();
	counts->lost = atomic64_read(&lost);
}

int track_init(u64 max_threads)
{
	int err;

	repair_init(track_existing);
	fold_init(repair_folded);
	err = thread_init(max_threads, exit_most());
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
