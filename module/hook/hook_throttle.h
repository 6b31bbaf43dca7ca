/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds throttled threads.  A throttled thread is runnable, but may not run before its CPU time is
 * replenished, even if a CPU is free:
 *
 *	its control group has used up its quota (cpu.max)
 *	it has real-time priority, and has to leave some time to other threads
 *	it is a deadline thread, and has used up its runtime
 *
 * The hooks check this when the thread leaves the CPU and when it is woken.  No hook sees a later
 * change of a real-time or deadline thread, so that result holds until it runs.  For a control
 * group, the throttled part of a wait is known exactly.  Readers count a wait in progress in the
 * same way as a completed one, so that no sum decreases.
 */
#ifndef TASKRT_HOOK_THROTTLE_H
#define TASKRT_HOOK_THROTTLE_H

#include <linux/sched.h>
#include <linux/sched/deadline.h>
#include <linux/sched/rt.h>
#include <linux/taskrt.h>
#include "compat/compat.h"
#include "hook/hook.h"
#include "hook/hook_throttle_group.h"

/* Forgets what was throttled. */
void hook_throttle_prepare(void);

/* True if THROTTLED is measured. */
static inline bool hook_throttle_seen(void)
{
#ifdef COMPAT_THROTTLES_GROUPS
	return hook_attached(HOOK_UNTHROTTLE) && hook_attached(HOOK_THROTTLE);
#else
	return true;
#endif
}

/* True if the group of a task without real-time priority may be throttled. */
static __always_inline bool hook_throttle_may_group(const struct task_struct *task)
{
#if defined(TASKRT_HAVE_TASK_THROTTLED)
	return task->throttled;
#else
	return throttle_any();
#endif
}

/* False if a task that leaves the CPU is certainly not throttled. */
static __always_inline bool hook_throttle_may_out(const struct task_struct *prev)
{
	return prev->prio < MAX_RT_PRIO || hook_throttle_may_group(prev);
}

/* True if a switch on this CPU must check for something that was throttled before. */
static __always_inline bool hook_throttle_lasts(void)
{
#if defined(COMPAT_SERVES_FAIR_TASKS) && !defined(COMPAT_THROTTLES_GROUPS)
	return false;
#else
	return __this_cpu_read(hook_counts.throttled);
#endif
}

/* hook_throttle_may_out() for a CPU where hook_throttle_lasts() is false */
static __always_inline bool hook_throttle_may_out_alone(const struct task_struct *prev)
{
#ifdef COMPAT_THROTTLES_GROUPS
	return prev->prio < MAX_RT_PRIO;
#else
	return hook_throttle_may_out(prev);
#endif
}

bool hook_throttle_left(struct thread *t, const struct task_struct *prev,
			const struct task_struct *next);

/*
 * True if @prev, which is runnable and leaves the CPU to @next, is throttled.
 * Context: the hook of a switch, before the record of its thread moves.
 */
static inline bool hook_throttle_out(struct thread *t, const struct task_struct *prev,
				     const struct task_struct *next)
{
	return hook_throttle_may_out(prev) && hook_throttle_left(t, prev, next);
}

/* True if a deadline thread has yielded its period.  It runs in the next one without a wake-up. */
static inline bool hook_throttle_yielded(const struct task_struct *prev)
{
	return prev->prio < MAX_DL_PRIO && prev->dl.dl_throttled && prev->dl.dl_yielded;
}

/* True if a woken task may be throttled.  A wake-up may itself throttle a deadline task. */
static __always_inline bool hook_throttle_may_wake(const struct task_struct *task)
{
	/* data_race(): it is set once, and a reader that is a moment too early does no harm. */
	return data_race(hook_throttle_met) || task->prio < MAX_DL_PRIO;
}

/*
 * The state of a thread that its wake-up has put into a runqueue.
 * Context: the hook of a wake-up, under the lock of that runqueue, before the record moves.
 */
u8 hook_throttle_woken(struct thread *t);

#ifdef COMPAT_SERVES_FAIR_TASKS
static inline void hook_throttle_end(const struct task_struct *next) {}
#else
/* A task gets the CPU: see hook_counts.rt_throttled. */
void hook_throttle_end(const struct task_struct *next);
#endif

#endif /* TASKRT_HOOK_THROTTLE_H */
