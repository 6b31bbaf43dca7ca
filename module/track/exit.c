// SPDX-License-Identifier: GPL-2.0-only
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include "compat/clock.h"
#include "compat/irq_work.h"
#include "task/sample.h"
#include "task/worker.h"
#include "track/exit.h"

/* Delivery to a full socket is tried again after RETRY_MS, and later less often. */
#define RETRY_MS	10
#define RETRY_MAX_MS	80

/*
 * How many are delivered before the worker does something else: it sends them, and folds.  So
 * the ended do not all wait for the last one of them, however many there are.
 */
#define AT_ONCE		1024U

/* The hook reads the clock before it adds the thread to its list, which takes less than this. */
#define LATE_NS		(100 * NSEC_PER_USEC)

static unsigned int delay_ms = 10;
module_param_named(exit_delay_ms, delay_ms, uint, 0644);
MODULE_PARM_DESC(exit_delay_ms, "Delay in ms before exits are delivered together (default 10)");

bool exit_wanted;
/* The threads that closed on this CPU.  No hook writes to the list of another CPU. */
static DEFINE_PER_CPU(struct llist_head, closed_threads);
static DEFINE_PER_CPU(struct irq_work, handed_on);

/* The threads whose exits were lost for want of room, and that are not folded yet.  Worker only. */
static unsigned int untold;

/* In the order of closing; they wait for those that closed before them.  Worker only. */
static struct llist_node *held;

static const struct exit_sink *sink;
static void exit_deliver_and_send(void);
static DEFINE_WORKER_JOB(tell_job, exit_deliver_and_send);
static DEFINE_WORKER_JOB(retry_job, exit_deliver_and_send);
static unsigned int retry_ms;

static void exit_hand_on(struct irq_work *work)
{
	/* Later exits do not postpone the job: the delay is bounded. */
	worker_queue(&tell_job, msecs_to_jiffies(READ_ONCE(delay_ms)));
}

static_assert(CONFIG_NR_CPUS <= 1 << 16);	/* thread.exit_cpu */

void exit_closed(struct thread *t)
{
	if (!t->exit.tid)
		return;
	t->exit_cpu = smp_processor_id();
	if (llist_add(&t->exit.node, this_cpu_ptr(&closed_threads)))
		irq_work_queue(this_cpu_ptr(&handed_on));
}

bool exit_note(struct task_struct *task)
{
	struct thread *t;

	if (likely(!READ_ONCE(exit_wanted)))
		return true;
	rcu_read_lock();
	t = thread_find(task);
	/* The thread may have been inserted just now, and have no process yet. */
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

/* Drops the references of exit_note(): the exit was delivered, or never will be. */
static void exit_forget(struct thread *t)
{
	put_pid(t->exit.tid);
	put_pid(t->exit.tgid);
	put_pid(t->exit.parent);
	t->exit.tid = NULL;
	put_task_struct(t->task);
}

/*
 * True if this is the last exit of the process to be delivered: no task is left that
 * could create a thread, the other noted exits have been delivered, and the threads
 * whose exit was not noted have closed as well.  A thread that is noted and closes while
 * this looks at the threads is the last one itself.
 */
static bool exit_is_last(struct thread *t)
{
	struct process *p = t->process;

	if (!atomic_dec_and_test(&p->exiting) || atomic_read(&t->task->signal->live) ||
	    !process_closed(p))
		return false;
	smp_rmb();	/* who is seen closed was noted; pairs with the barrier in schedule() */
	return !atomic_read(&p->exiting);
}

void exit_sample(struct exit *exit, u32 groups)
{
	groups |= exit->groups | TASKRT_GROUP_TIMES;
	if (groups == exit->groups)
		return;
	thread_sample(exit->thread, &exit->sample, groups);
	exit->groups = groups;
}

void exit_sample_process(struct exit *exit, u32 groups)
{
	struct process *p = exit->thread->process;

	groups = sample_groups(groups | exit->process_groups);
	if (groups == exit->process_groups)
		return;
	process_sample_closed(p, &exit->process, groups);
	/* The process ended with its last thread, not when the exit is delivered. */
	exit->process.at = p->closed_at;
	exit->process.cpu = exit->thread->exit_cpu;
	exit->process_groups = groups;
}

/* Static, because samples are large.  Only the worker uses it. */
static struct exit at_hand;

/* @tell: or else it counts as lost. */
static void exit_deliver(struct thread *t, bool tell)
{
	struct process *p = t->process;

	/* Keep the leader, which identifies the process in the record of the process. */
	if (thread_group_leader(t->task))
		process_set_leader(p, t->task);
	p->closed_at = max(p->closed_at, t->record.since);
	at_hand.groups = 0;
	at_hand.process_groups = 0;
	at_hand.thread = t;
	at_hand.task = t->task;
	/* A thread that got its record while it exited was not known to the one before. */
	at_hand.last = exit_is_last(t) && !p->told;
	p->told |= at_hand.last;
	at_hand.leader = p->leader ?: t->task;
	if (likely(tell))
		sink->tell(&at_hand);
	else
		sink->lose(&at_hand);
}

void exit_lose(struct thread *t)
{
	struct process *p = t->process;

	untold -= t->untold;
	if (likely(!t->exit.tid))
		return;
	t->exit_cpu = task_cpu(t->task);
	at_hand.thread = t;
	at_hand.task = t->task;
	at_hand.last = atomic_dec_and_test(&p->exiting) && !atomic_read(&t->task->signal->live) &&
		    !p->told;
	p->told |= at_hand.last;
	sink->lose(&at_hand);
	exit_forget(t);
	worker_queue(&tell_job, msecs_to_jiffies(READ_ONCE(delay_ms)));
}

static u64 exit_closed_at(const struct llist_node *node)
{
	return llist_entry(node, struct thread, exit.node)->record.since;
}

/* Makes one list of two, each of which is in the order of closing. */
static struct llist_node *exit_merge(struct llist_node *a, struct llist_node *b)
{
	struct llist_node *merged, **end = &merged;

	while (a && b) {
		struct llist_node **first = exit_closed_at(b) < exit_closed_at(a) ? &b : &a;

		*end = *first;
		end = &(*first)->next;
		*first = *end;
		cond_resched();
	}
	*end = a ?: b;
	return merged;
}

/* Takes the threads that have closed on all CPUs, in the order of closing. */
static struct llist_node *exit_collect(void)
{
	/* The n-th is of 2^n CPUs, and there are 2^16 at most. */
	struct llist_node *parts[16 + 1] = {}, *list;
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		struct llist_head *closed = per_cpu_ptr(&closed_threads, cpu);

		/* The line of a CPU where nothing has closed is not written to. */
		if (llist_empty(closed))
			continue;
		list = llist_reverse_order(llist_del_all(closed));
		for (i = 0; parts[i]; i++) {
			list = exit_merge(parts[i], list);
			parts[i] = NULL;
		}
		parts[i] = list;
	}
	for (i = 0, list = NULL; i < ARRAY_SIZE(parts); i++)
		list = exit_merge(parts[i], list);
	return list;
}

/*
 * Deliver the first @nr exits of the list, or as many as one pass delivers, and hold the
 * rest.  While they leave little room to those that begin, they are lost: whoever ends
 * threads on all CPUs, faster than the worker tells of them, keeps nobody from being tracked.
 * Return: were all of them delivered?
 */
static bool exit_deliver_list(struct llist_node *list, unsigned int nr)
{
	const unsigned int rest = nr - min(nr, AT_ONCE);

	for (; nr > rest; nr--) {
		struct thread *t = llist_entry(list, struct thread, exit.node);

		list = list->next;
		t->untold = thread_crowded(nr, untold);
		untold += t->untold;
		exit_deliver(t, !t->untold);
		exit_forget(t);
		cond_resched();
	}
	WRITE_ONCE(held, list);
	return !rest;
}

/*
 * Deliver the exits of the threads that closed before @end, a time that has passed.  One
 * that closed later may have been found, and one that closed before it not, on a CPU that
 * had been looked at already: the later one is held until all CPUs are looked at again.
 */
static bool exit_deliver_until(u64 end)
{
	struct llist_node *list = exit_merge(held, exit_collect()), *node;
	unsigned int nr = 0;

	for (node = list; node && exit_closed_at(node) < end; node = node->next) {
		nr++;
		cond_resched();
	}
	return exit_deliver_list(list, nr);
}

bool exit_drain(u64 end)
{
	struct llist_node *list = exit_merge(held, exit_collect()), *node;
	unsigned int nr = 0, i = 0;

	/* Where the clocks of CPUs differ, one that closed later may be first in a list. */
	for (node = list; node; node = node->next) {
		i++;
		if (exit_closed_at(node) < end)
			nr = i;
		cond_resched();
	}
	return exit_deliver_list(list, nr);
}

static void exit_deliver_and_send(void)
{
	if (!exit_deliver_until(clock_now() - LATE_NS))
		worker_queue(&tell_job, 0);
	/* Not at once, or it might do nothing else, with a real-time priority. */
	else if (held)
		worker_queue(&tell_job, msecs_to_jiffies(READ_ONCE(delay_ms)) ?: 1);
	if (!sink->send()) {
		retry_ms = RETRY_MS;
		return;
	}
	worker_queue(&retry_job, msecs_to_jiffies(retry_ms));
	retry_ms = min_t(unsigned int, 2 * retry_ms, RETRY_MAX_MS);
}

void exit_want(bool wanted)
{
	WRITE_ONCE(exit_wanted, wanted);
}

void exit_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&handed_on, cpu));
	do
		worker_finish(&tell_job);
	while (READ_ONCE(held));
}

void exit_exit(void)
{
	worker_cancel(&tell_job);
	worker_cancel(&retry_job);
}

void exit_init(const struct exit_sink *to)
{
	int cpu;

	sink = to;
	retry_ms = RETRY_MS;
	for_each_possible_cpu(cpu)
		compat_init_irq_work(per_cpu_ptr(&handed_on, cpu), exit_hand_on);
}
