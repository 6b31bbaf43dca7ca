/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a runnable thread throttled?  It is, if it may not run before somebody renews its CPU
 * time, although a CPU might be free:
 *
 *	its control group has used up its quota (cpu.max)
 *	it has real-time priority, and has to leave some time to threads without
 *	it is a deadline thread, and has used up its runtime
 *
 * This is looked at when the thread leaves the CPU and when it is woken.  For a real-time or a
 * deadline thread no hook sees a change after that: what it was then, it is until it runs.  How
 * much of a wait a group was throttled is known exactly, see hook_throttle_group.h: readers
 * count a wait in progress as it is counted when it ends, so nothing is taken back.
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

/* Nothing has been throttled yet. */
void hook_throttle_prepare(void);

/* Is THROTTLED measured? */
static inline bool hook_throttle_seen(void)
{
#ifdef COMPAT_THROTTLES_GROUPS
	return hook_attached(HOOK_UNTHROTTLE) && hook_attached(HOOK_THROTTLE);
#else
	return true;
#endif
}

/* May the group of a task without real-time priority be throttled? */
static __always_inline bool hook_throttle_may_group(const struct task_struct *task)
{
#if defined(TASKRT_HAVE_TASK_THROTTLED)
	return task->throttled;
#else
	return throttle_any();
#endif
}

/* False if it is certain that a task which leaves the CPU is not throttled. */
static __always_inline bool hook_throttle_may_out(const struct task_struct *prev)
{
	return prev->prio < MAX_RT_PRIO || hook_throttle_may_group(prev);
}

/* hook_throttle_lasts() - may a switch on this CPU concern what was throttled before? */
static __always_inline bool hook_throttle_lasts(void)
{
#if defined(COMPAT_SERVES_FAIR_TASKS) && !defined(COMPAT_THROTTLES_GROUPS)
	return false;
#else
	return __this_cpu_read(hook_counts.throttled);
#endif
}

/* The same where hook_throttle_lasts() is false. */
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
 * hook_throttle_out() - is @prev throttled, which leaves the CPU to @next, and is runnable?
 *
 * Context: the hook of a switch, before the record of its thread moves.
 */
static inline bool hook_throttle_out(struct thread *t, const struct task_struct *prev,
				     const struct task_struct *next)
{
	return hook_throttle_may_out(prev) && hook_throttle_left(t, prev, next);
}

/*
 * hook_throttle_yielded() - has @prev, which leaves the CPU, given up the rest of its period?
 *
 * Only a deadline thread can.  It goes on with its next period, without being woken.
 */
static inline bool hook_throttle_yielded(const struct task_struct *prev)
{
	return prev->prio < MAX_DL_PRIO && prev->dl.dl_throttled && prev->dl.dl_yielded;
}

/*
 * hook_throttle_may_wake() - may a task be throttled that is woken?
 *
 * A deadline task may be throttled because it is woken, before anything else was.
 */
static __always_inline bool hook_throttle_may_wake(const struct task_struct *task)
{
	/* It is set once, and a reader that is a moment too early has not met anything yet. */
	return data_race(hook_throttle_met) || task->prio < MAX_DL_PRIO;
}

/*
 * hook_throttle_woken() - the state of a thread that was put into a runqueue by its wake-up
 *
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
