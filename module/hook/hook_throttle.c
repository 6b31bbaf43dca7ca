// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel throttles, as far as it shows.
 *
 * A control group: since 6.18 each of its threads is thrown out when it returns to user
 * space, and marked.  Before, its entity leaves the runqueue of the group above, with all
 * that is below it.  To look for that costs something for each group, so it begins when
 * throttle_cfs_rq() was called for the first time.
 *
 * Threads with real-time priority: since 6.12 the kernel's fair server runs a thread in
 * their place.  Before, a thread of lower priority runs although they are runnable, which
 * happens for no other reason.
 *
 * A deadline thread is marked.  If it has yielded, it has given up its time by itself, and
 * sleeps: see hook_throttle_yielded().
 */
#include <linux/kprobes.h>
#include "hook/hook_throttle.h"
#include "hook/probes.h"
#include "task/thread.h"

struct hook_throttle_met hook_throttle_met __read_mostly;

static void hook_throttle_note(bool *met)
{
	if (!READ_ONCE(*met))
		WRITE_ONCE(*met, true);
}

/* One that has yielded has given up its time by itself. */
static bool hook_throttle_of_deadline(const struct task_struct *task)
{
	return task->dl.dl_throttled && !task->dl.dl_yielded;
}

/* The entities of the groups that the task is in, from below, are in runqueues or not. */
static bool hook_throttle_of_group(const struct task_struct *task)
{
#if defined(TASKRT_HAVE_TASK_THROTTLED)
	return task->throttled && !list_empty(&task->throttle_node);
#elif defined(COMPAT_THROTTLES_GROUPS)
	const struct sched_entity *se;

	/* A task of another class than the fair one is not queued as such, nor are its groups. */
	if (!hook_throttle_may_group(task) || !task->se.on_rq)
		return false;
	for (se = task->se.parent; se; se = se->parent)
		if (!se->on_rq)
			return true;
#endif
	return false;
}

/* The kernel's stopper has the priority of a real-time task, and runs while these may not. */
static bool hook_throttle_stops(const struct task_struct *task)
{
	return !task->prio && task->flags & PF_KTHREAD;
}

#ifdef COMPAT_SERVES_FAIR_TASKS
static bool hook_throttle_of_realtime(const struct task_struct *prev,
				      const struct task_struct *next)
{
	return next->dl_server;
}

/* Is the CPU, whose runqueue is locked, taken from the real-time tasks? */
static bool hook_throttle_of_cpu(unsigned int cpu)
{
	const struct task_struct *running = READ_ONCE(per_cpu(thread_on_cpu, cpu))->task;

	return running && running->dl_server;
}
#else
/* Real-time groups are throttled one by one: then a task of lower priority may run, too. */
static bool hook_throttle_of_realtime(const struct task_struct *prev,
				      const struct task_struct *next)
{
	if (next->prio >= MAX_RT_PRIO)
		__this_cpu_write(hook_counts.rt_throttled, true);
	return next->prio > prev->prio;
}

static bool hook_throttle_of_cpu(unsigned int cpu)
{
	return READ_ONCE(per_cpu(hook_counts, cpu).rt_throttled);
}

void hook_throttle_end(const struct task_struct *next)
{
	if (next->prio < MAX_RT_PRIO && next->prio >= MAX_DL_PRIO && !hook_throttle_stops(next))
		__this_cpu_write(hook_counts.rt_throttled, false);
}
#endif

/* The rest of hook_throttle_out(). */
bool hook_throttle_left(const struct task_struct *prev, const struct task_struct *next)
{
	bool throttled;

	if (unlikely(!hook_throttle_seen()))
		return false;
	if (prev->prio >= MAX_RT_PRIO)
		return hook_throttle_of_group(prev);
	if (prev->prio >= MAX_DL_PRIO)
		throttled = hook_throttle_of_realtime(prev, next);
	else
		throttled = hook_throttle_of_deadline(prev);
	if (throttled)
		hook_throttle_note(&hook_throttle_met.any);
	return throttled;
}

static bool hook_throttle_queued(const struct task_struct *task)
{
	if (unlikely(!hook_throttle_seen()))
		return false;
	if (task->prio >= MAX_RT_PRIO)
		return hook_throttle_of_group(task);
	if (task->prio >= MAX_DL_PRIO)
		return !hook_throttle_stops(task) && hook_throttle_of_cpu(task_cpu(task));
	return hook_throttle_of_deadline(task);
}

u8 hook_throttle_woken(const struct task_struct *task)
{
	return hook_throttle_may_wake(task) && hook_throttle_queued(task) ?
	       TASKRT_STATE_THROTTLED : TASKRT_STATE_WOKEN;
}

#ifdef COMPAT_THROTTLES_GROUPS
struct kprobe hook_kprobe_throttle;

static int hook_throttle_group(struct kprobe *probe, struct pt_regs *regs)
{
	hook_hit(HOOK_THROTTLE);
	hook_throttle_note(&hook_throttle_met.group);
	hook_throttle_note(&hook_throttle_met.any);
	return 0;
}
#endif

void hook_throttle_prepare(void)
{
	int cpu;

	hook_throttle_met = (struct hook_throttle_met){};
	for_each_possible_cpu(cpu)
		per_cpu_ptr(&hook_counts, cpu)->rt_throttled = 0;
#ifdef COMPAT_THROTTLES_GROUPS
	hook_kprobe_throttle = (struct kprobe){
		.symbol_name = "throttle_cfs_rq",
		.pre_handler = hook_throttle_group,
	};
#endif
}
