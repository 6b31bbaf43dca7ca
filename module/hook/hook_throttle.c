// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the kernel shows that it throttles a thread:
 *
 *	control group	since 6.18 it dequeues and marks each thread when that returns to user
 *			space; for older kernels see hook_throttle_group.h
 *	real-time	since 6.12 its fair server runs a thread instead; before, a thread of
 *			lower priority runs, which happens for no other reason
 *	deadline	it marks the thread
 */
#include "hook/hook_throttle.h"
#include "task/thread.h"

/* A task that has yielded has given up its runtime by itself. */
static bool hook_throttle_of_deadline(const struct task_struct *task)
{
	return task->dl.dl_throttled && !task->dl.dl_yielded;
}

static bool hook_throttle_of_group(struct thread *t, const struct task_struct *task)
{
#if defined(TASKRT_HAVE_TASK_THROTTLED)
	return task->throttled && !list_empty(&task->throttle_node);
#elif defined(COMPAT_THROTTLES_GROUPS)
	return throttle_any() && hook_throttle_group_queued(t, task);
#else
	return false;
#endif
}

/* The quota of its group does not apply to a real-time or deadline thread. */
static void hook_throttle_alone(struct thread *t)
{
	if (throttle_any())
		WRITE_ONCE(t->throttle_group, THREAD_NO_GROUP);
}

/* The stopper has the priority of a real-time task, but is never throttled. */
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

/* True if the real-time tasks of the CPU are throttled.  Context: its runqueue lock. */
static bool hook_throttle_of_cpu(unsigned int cpu)
{
	const struct task_struct *running = READ_ONCE(per_cpu(thread_on_cpu, cpu))->task;

	return running && running->dl_server;
}
#else
/* Real-time groups are throttled one by one, so the next task may be real-time as well. */
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

/* The slow path of hook_throttle_out(). */
bool hook_throttle_left(struct thread *t, const struct task_struct *prev,
			const struct task_struct *next)
{
	bool throttled;

	if (unlikely(!hook_throttle_seen()))
		return false;
	if (prev->prio >= MAX_RT_PRIO)
		return hook_throttle_of_group(t, prev);
	hook_throttle_alone(t);
	if (prev->prio >= MAX_DL_PRIO)
		throttled = hook_throttle_of_realtime(prev, next);
	else
		throttled = hook_throttle_of_deadline(prev);
	if (throttled)
		hook_throttle_note(&hook_throttle_met);
	return throttled;
}

static bool hook_throttle_queued(struct thread *t)
{
	const struct task_struct *task = t->task;

	if (unlikely(!hook_throttle_seen()))
		return false;
	if (task->prio >= MAX_RT_PRIO)
		return hook_throttle_of_group(t, task);
	hook_throttle_alone(t);
	if (task->prio >= MAX_DL_PRIO)
		return !hook_throttle_stops(task) && hook_throttle_of_cpu(task_cpu(task));
	return hook_throttle_of_deadline(task);
}

u8 hook_throttle_woken(struct thread *t)
{
	return hook_throttle_may_wake(t->task) && hook_throttle_queued(t) ?
	       TASKRT_STATE_THROTTLED : TASKRT_STATE_WOKEN;
}

void hook_throttle_prepare(void)
{
	int cpu;

	hook_throttle_met = false;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(&hook_counts, cpu)->throttled = 0;
	hook_throttle_group_prepare();
}
