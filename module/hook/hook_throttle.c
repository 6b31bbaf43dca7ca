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
 * A deadline thread is marked.  If it has yielded, it has given up its time by itself.
 */
#include <linux/kprobes.h>
#include <linux/sched/deadline.h>
#include <linux/sched/rt.h>
#include "hook/hook_throttle.h"
#include "hook/probes.h"

bool hook_throttle_any __read_mostly;

static void hook_throttle_note(void)
{
	if (!READ_ONCE(hook_throttle_any))
		WRITE_ONCE(hook_throttle_any, true);
}

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
	if (likely(!READ_ONCE(hook_throttle_any)) || !task->se.on_rq)
		return false;
	for (se = task->se.parent; se; se = se->parent)
		if (!se->on_rq)
			return true;
#endif
	return false;
}

/* Does @next run in place of tasks with real-time priority? */
static bool hook_throttle_serves(const struct task_struct *next)
{
#ifdef COMPAT_SERVES_FAIR_TASKS
	return next->dl_server;
#else
	return next->prio >= MAX_RT_PRIO;
#endif
}

static bool hook_throttle_of_realtime(const struct task_struct *next)
{
	if (likely(!hook_throttle_serves(next)))
		return false;
	__this_cpu_write(hook_counts.rt_throttled, true);
	return true;
}

bool hook_throttle_out(struct task_struct *prev, const struct task_struct *next)
{
	bool throttled;

	if (unlikely(!hook_throttle_seen()))
		return false;
	if (likely(prev->prio >= MAX_RT_PRIO))
		return hook_throttle_of_group(prev);
	if (prev->prio >= MAX_DL_PRIO)
		throttled = hook_throttle_of_realtime(next);
	else
		throttled = hook_throttle_of_deadline(prev);
	if (throttled)
		hook_throttle_note();
	return throttled;
}

bool hook_throttle_queued(struct task_struct *task)
{
	if (likely(task->prio >= MAX_RT_PRIO))
		return hook_throttle_of_group(task);
	if (task->prio >= MAX_DL_PRIO)
		return READ_ONCE(per_cpu(hook_counts, task_cpu(task)).rt_throttled);
	return hook_throttle_of_deadline(task);
}

/*
 * The kernel's stopper has the priority of a real-time thread, and runs while these are
 * throttled.
 */
void hook_throttle_end(const struct task_struct *next)
{
	if (next->prio < MAX_RT_PRIO && next->prio >= MAX_DL_PRIO &&
	    (next->prio || !(next->flags & PF_KTHREAD)))
		__this_cpu_write(hook_counts.rt_throttled, false);
}

#ifdef COMPAT_THROTTLES_GROUPS
struct kprobe hook_kprobe_throttle;

static int hook_throttle_group(struct kprobe *probe, struct pt_regs *regs)
{
	hook_hit(HOOK_THROTTLE);
	hook_throttle_note();
	return 0;
}
#endif

void hook_throttle_prepare(void)
{
	int cpu;

	hook_throttle_any = false;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(&hook_counts, cpu)->rt_throttled = false;
#ifdef COMPAT_THROTTLES_GROUPS
	hook_kprobe_throttle = (struct kprobe){
		.symbol_name = "throttle_cfs_rq",
		.pre_handler = hook_throttle_group,
	};
#endif
}
