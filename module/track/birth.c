// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include "compat/clock.h"
#include "task/process.h"
#include "task/wait.h"
#include "track/birth.h"
#include "track/gaps.h"

static void birth_seed_children(struct before *b, const struct signal_struct *signal)
{
	b->cpu_ns = signal->cutime + signal->cstime;
	b->counters = (struct counters){
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

/* Each reaped thread has used some CPU time: if cpu_ns is 0, there was none. */
static void birth_seed_threads(struct before *b, const struct signal_struct *signal)
{
	b->cpu_ns = signal->sum_sched_runtime;
	b->counters = (struct counters){
		.voluntary_switches = signal->nvcsw,
		.involuntary_switches = signal->nivcsw,
		.minor_faults = signal->min_flt,
		.major_faults = signal->maj_flt,
		.user_ns = signal->utime,
		.system_ns = signal->stime,
	};
	b->any = b->cpu_ns;
}

/* Takes over the kernel's sums for threads and children that were reaped. */
static void birth_seed_process(struct process *p, struct signal_struct *signal)
{
	unsigned int seq = 0;

	do {
		seq = read_seqbegin(&signal->stats_lock);
		birth_seed_threads(&p->before, signal);
		birth_seed_children(&p->children_before, signal);
	} while (read_seqretry(&signal->stats_lock, seq));
}

/* Reading stats_lock may sleep on PREEMPT_RT, and hooks may not sleep before 7.0. */
static bool birth_may_seed(bool preexisting)
{
	return preexisting || !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

/*
 * A process gets its record with its first tracked thread.  If a walk has found this thread, or if
 * it is not the leader, the process is older than its record.  A thread that is not the leader
 * comes first if a walk has not reached the leader yet, or if the leader could not be tracked.
 */
static void birth_setup_process(struct process *p, struct task_struct *task, bool preexisting)
{
	process_init(p, task->signal);
	p->preexisting = preexisting || !thread_group_leader(task);
	if (p->preexisting && birth_may_seed(preexisting)) {
		birth_seed_process(p, task->signal);
		p->incomplete = gaps_ever();
	} else if (p->preexisting) {
		p->before.any = true;
		p->children_before.any = true;
		p->incomplete = true;
	}
}

/*
 * The kernel's sum_exec_runtime is as old as the last tick, which with nohz_full= may be a second
 * ago.  task_cputime_adjusted() makes the kernel update it for a task that runs without ticks.
 */
static void birth_renew_runtime(struct task_struct *task)
{
	u64 user, system;

	task_cputime_adjusted(task, &user, &system);
}

static void birth_setup_thread(struct thread *t, struct task_struct *task, bool preexisting,
			       u64 now)
{
	t->task = task;
	t->process = NULL;
	t->preexisting = preexisting;
	t->initial_state = preexisting ? INITIAL_STATE_GUESSED : INITIAL_STATE_NEW;
	t->home = smp_processor_id();
	t->freed = false;
	t->task_kept = false;
	t->exiting = false;
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
	if (!preexisting) {
		/* Blocked until wake_up_new_task(), which a fault of the creator may delay. */
		record_init(&t->record, STATE_UNSEEN, TASKRT_STATE_BLOCKED_OTHER, now);
		return;
	}
	record_init(&t->record, STATE_UNSEEN, wait_guess(task), now);
	birth_renew_runtime(task);
	t->cpu_before_ns = READ_ONCE(task->se.sum_exec_runtime);
	t->queue_before_ns = READ_ONCE(task->sched_info.run_delay);
}

/*
 * A reaped task has no id, so rescan_guess_task() does not find it: guess EXITED here.  If its last
 * switch came after the thread was in the table, the event of that switch overrides this guess.
 */
static void birth_see_released(struct thread *t)
{
	smp_mb();	/* the table before the id; pairs with the barrier in schedule() */
	if (!pid_alive(t->task))
		WRITE_ONCE(t->record.guess, TASKRT_STATE_EXITED);
}

/*
 * The time, the kernel's counters and the state are read at one instant.  What the thread does
 * between that and its insertion is not seen.  Until the thread has joined its process,
 * process_thread() and exit_note() take it for untracked.  Preemption is off to keep both windows
 * short, because walks are preemptible, and since 7.0 so are hooks.
 * @p: its process; if NULL, *@fresh is inserted, and set to NULL unless another one is there first
 */
static int birth_insert(struct thread *t, struct task_struct *task, struct process *p,
			struct process **fresh, bool preexisting)
{
	u64 now;
	int err;

	preempt_disable();
	now = clock_now();
	birth_setup_thread(t, task, preexisting, now);
	err = thread_insert(t);
	if (err)
		goto enable;
	if (!p) {
		(*fresh)->tracked_since = now;
		p = process_insert(*fresh);
		if (p == *fresh)
			*fresh = NULL;
	}
	process_join(p, t);
	if (preexisting) {
		birth_see_released(t);
		/* A zombie has passed the exit hook, and may stay for long: do not count it. */
		if (READ_ONCE(task->exit_state))
			thread_exiting(t);
	}
enable:
	preempt_enable();
	return err;
}

int birth_record(struct task_struct *task, bool preexisting)
{
	struct process *p, *fresh = NULL;
	struct thread *t;
	int err = -ENOMEM;

	/* A walk may have made the record already. */
	if (!thread_below_limits())
		return thread_find(task) ? -EEXIST : -EDQUOT;
	p = process_find(task->signal);
	t = thread_alloc();
	if (!p)
		fresh = process_alloc();
	if (!t || (!p && !fresh))
		goto give_back;

	if (!p)
		birth_setup_process(fresh, task, preexisting);
	/*
	 * The task was reaped.  A new process starts with the kernel's sums, which include it.  A
	 * process in the table may lack it: then track_free() marks that process as incomplete.
	 */
	if ((!p || p->preexisting) && !pid_alive(task)) {
		err = -ESRCH;
		goto give_back;
	}
	err = birth_insert(t, task, p, &fresh, preexisting);
	if (!err)
		t = NULL;
give_back:
	if (t)
		thread_give_back(t);
	if (fresh)
		process_give_back(fresh);
	return err;
}
