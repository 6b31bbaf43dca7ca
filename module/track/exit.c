// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/taskrt.h>
#include "compat/compat.h"
#include "task/sample.h"
#include "task/worker.h"
#include "track/exit.h"
#include "track/fold.h"

/*
 * LEAST to MOST exits of one CPU may wait for the job, depending on max_threads: exit_init().  A
 * waiting exit keeps its thread and its task in memory, about 11 KiB: MOST of them keep 22 MiB.  A
 * CPU that does nothing else closes MOST threads in 20 ms.
 */
#define MOST		2048U
#define LEAST		256U

/* At most this many exits of one CPU are taken before the next CPU has its turn. */
#define TURN		64

static unsigned int delay_ms = 10;
module_param_named(exit_delay_ms, delay_ms, uint, 0644);
MODULE_PARM_DESC(exit_delay_ms, "Delay in ms before exits are delivered together (default 10)");

static bool exit_wanted;

struct exit_queue {
	struct llist_head closed;	/* the latest first; added by this CPU only */
	unsigned int queued;		/* all exits so far; written by this CPU only */
	struct irq_work kick;
	struct llist_head dropped;
	/* Only the job uses these, except that this CPU reads delivered. */
	struct llist_node *taken ____cacheline_aligned_in_smp;
	unsigned int delivered;
};

static DEFINE_PER_CPU(struct exit_queue, exit_queues);
static unsigned int most __read_mostly;		/* how many exits of one CPU may wait */
static struct worker_job *reporter;

/* The CPU whose turn it is, and how many of its exits were taken. */
static int turn_cpu;
static unsigned int turn_taken;

/* Later exits do not postpone the job: the delay is bounded. */
static void exit_kick(void)
{
	worker_queue(reporter, msecs_to_jiffies(READ_ONCE(delay_ms)));
}

static void exit_kick_later(struct irq_work *work)
{
	exit_kick();
}

static_assert(CONFIG_NR_CPUS <= 1 << 16);	/* thread.exit_cpu is a u16 */

void exit_closed(struct thread *t)
{
	struct exit_queue *queue = this_cpu_ptr(&exit_queues);

	if (!t->exit.tid)
		return;
	t->exit_cpu = smp_processor_id();
	if (queue->queued - READ_ONCE(queue->delivered) >= most)
		return;
	queue->queued++;
	/*
	 * One for the list and one for the task.  This does not race with exit_freed(): the task is
	 * freed a grace period later at the earliest.
	 */
	refcount_set(&t->exit.refs, 2);
	if (llist_add(&t->exit.node, &queue->closed))
		irq_work_queue(&queue->kick);
}

bool exit_note(struct task_struct *task)
{
	struct thread *t;

	if (likely(!READ_ONCE(exit_wanted)))
		return true;
	rcu_read_lock();
	t = thread_find(task);
	/* A thread that is just being inserted may have no process yet: take it for untracked. */
	if (t && !READ_ONCE(t->process))
		t = NULL;
	if (t && !t->exit.tid) {
		get_task_struct(task);
		t->exit.tgid = get_pid(task_tgid(task));
		t->exit.parent = get_pid(task_tgid(rcu_dereference(task->real_parent)));
		t->exit.tid = get_pid(task_pid(task));
		atomic_inc(&t->process->exiting);
	}
	rcu_read_unlock();
	return t;
}

static void exit_drop(struct thread *t)
{
	t->exit.dropped = true;
	t->exit_cpu = task_cpu(t->task);
	if (llist_add(&t->exit.node, &raw_cpu_ptr(&exit_queues)->dropped))
		exit_kick();
}

void exit_freed(struct thread *t)
{
	if (!refcount_dec_and_test(&t->exit.refs))
		return;
	if (likely(!t->exit.tid)) {
		fold_thread(t);
		return;
	}
	/* The exit was noted, but never added to a list. */
	refcount_set(&t->exit.refs, 1);
	exit_drop(t);
}

/* Drops the references of exit_note(). */
static void exit_forget(struct thread *t)
{
	put_pid(t->exit.tid);
	put_pid(t->exit.tgid);
	put_pid(t->exit.parent);
	t->exit.tid = NULL;
	put_task_struct(t->task);
}

/*
 * True if no task is left that could create a thread of the process, and all noted exits were
 * taken.  Unless this exit was dropped, the threads whose exits were not noted must have closed as
 * well.  If a thread is noted and closes during this check, exiting is no longer 0, and that
 * thread's exit is the last one.
 */
static bool exit_is_last(struct thread *t)
{
	struct process *p = t->process;

	if (!atomic_dec_and_test(&p->exiting) || atomic_read(&t->task->signal->live) ||
	    p->reported)
		return false;
	if (t->exit.dropped)
		return true;
	if (!process_closed(p))
		return false;
	smp_rmb();	/* a thread seen closed was noted; pairs with the barrier in schedule() */
	return !atomic_read(&p->exiting);
}

/* Dropped exits come first, because their memory can be reused once they are counted. */
static struct llist_node *exit_take_list(struct exit_queue *queue)
{
	if (!llist_empty(&queue->dropped))
		return llist_del_all(&queue->dropped);
	/* Do not write to the cache line of a CPU where nothing has closed. */
	if (!llist_empty(&queue->closed))
		return llist_reverse_order(llist_del_all(&queue->closed));
	return NULL;
}

static struct thread *exit_take_of(struct exit_queue *queue)
{
	struct llist_node *node = queue->taken ?: exit_take_list(queue);

	if (!node)
		return NULL;
	queue->taken = node->next;
	return llist_entry(node, struct thread, exit.node);
}

static struct thread *exit_take(void)
{
	struct thread *t = NULL;
	unsigned int i;

	/* One CPU is tried twice: it may have used up its turn at the first try. */
	for (i = 0; i <= nr_cpu_ids && !t; i++) {
		if (turn_taken++ < TURN && cpu_possible(turn_cpu))
			t = exit_take_of(per_cpu_ptr(&exit_queues, turn_cpu));
		if (!t) {
			turn_cpu = turn_cpu + 1 < nr_cpu_ids ? turn_cpu + 1 : 0;
			turn_taken = 0;
		}
	}
	return t;
}

struct exit *exit_next(void)
{
	/* Static, because samples are large.  Only the job uses it. */
	static struct exit exit;
	struct thread *t = exit_take();
	struct process *p;

	if (!t)
		return NULL;
	p = t->process;
	if (thread_group_leader(t->task))
		process_set_leader(p, t->task);
	p->closed_at = max(p->closed_at, t->record.since);
	exit.thread = t;
	exit.task = t->task;
	exit.dropped = t->exit.dropped;
	/* The process may already be reported, if a walk found this thread while it was exiting. */
	exit.last = exit_is_last(t);
	p->reported |= exit.last;
	exit.leader = p->leader ?: t->task;
	return &exit;
}

void exit_done(struct exit *exit)
{
	struct exit_queue *queue = per_cpu_ptr(&exit_queues, exit->thread->exit_cpu);

	exit_forget(exit->thread);
	if (!exit->dropped)
		WRITE_ONCE(queue->delivered, queue->delivered + 1);
	if (refcount_dec_and_test(&exit->thread->exit.refs))
		fold_thread(exit->thread);
}

void exit_sample(struct exit *exit, u32 entities, u32 groups)
{
	struct process *p = exit->thread->process;

	if (entities & TASKRT_ENTITIES_THREADS)
		thread_sample(exit->thread, &exit->sample, groups | TASKRT_GROUP_TIMES);
	if (!(entities & TASKRT_ENTITIES_PROCESSES))
		return;
	process_sample_closed(p, &exit->process, groups);
	/* The process closed with its last thread, not when the exit is reported. */
	exit->process.at = p->closed_at;
	exit->process.cpu = exit->thread->exit_cpu;
}

void exit_want(bool wanted)
{
	WRITE_ONCE(exit_wanted, wanted);
}

static bool exit_any(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct exit_queue *queue = per_cpu_ptr(&exit_queues, cpu);

		if (!llist_empty(&queue->closed) || !llist_empty(&queue->dropped) || queue->taken)
			return true;
	}
	return false;
}

/* Runs in the worker, so no other job has taken an exit without returning it. */
static void exit_flush_all(void)
{
	while (exit_any())
		reporter->run();
}

static DEFINE_WORKER_JOB(flush_job, exit_flush_all);

void exit_flush(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(exit_queues, cpu).kick);
	worker_finish(&flush_job);
}

/* The task keeps its own reference, because it is not freed yet: take one for the list. */
static void exit_drop_noted(struct thread *t)
{
	if (!t->exit.tid)
		return;
	refcount_inc(&t->exit.refs);
	exit_drop(t);
}

void exit_drop_rest(void)
{
	thread_table_each(exit_drop_noted);
	exit_flush();
}

u64 exit_most(void)
{
	return (u64)most * num_possible_cpus();
}

void exit_init(struct worker_job *job, u64 max_threads)
{
	int cpu;

	reporter = job;
	most = clamp_t(u64, max_threads / 32, LEAST, MOST);
	for_each_possible_cpu(cpu)
		compat_init_irq_work(&per_cpu(exit_queues, cpu).kick, exit_kick_later);
}
