/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a runnable thread throttled?  It is, if it may not run before somebody renews its CPU
 * time, although a CPU might be free:
 *
 *	its control group has used up its quota (cpu.max)
 *	it has real-time priority, and has to leave some time to threads without
 *	it is a deadline thread, and has used up its runtime
 *
 * This is looked at when the thread leaves the CPU and when it is woken.  What was told of a
 * queued thread may not be taken back, so a thread is throttled until it runs.
 */
#ifndef TASKRT_HOOK_THROTTLE_H
#define TASKRT_HOOK_THROTTLE_H

#include "compat/compat.h"
#include "hook/hook.h"
#include "task/thread.h"

/* Something was throttled since the hooks were attached.  Until then a wake-up looks no further. */
extern bool hook_throttle_any;

/* Is THROTTLED measured? */
static inline bool hook_throttle_seen(void)
{
#ifdef COMPAT_THROTTLES_GROUPS
	return hook_attached(HOOK_THROTTLE);
#else
	return true;
#endif
}

/*
 * hook_throttle_out() - is @prev throttled, which leaves the CPU to @next, and is runnable?
 *
 * Context: the hook of a switch.
 */
bool hook_throttle_out(struct task_struct *prev, const struct task_struct *next);

/*
 * hook_throttle_queued() - is a task throttled that was put into a runqueue by its wake-up?
 *
 * Context: the hook of a wake-up, under the lock of that runqueue; hook_throttle_any is set.
 */
bool hook_throttle_queued(struct task_struct *task);

/* The state of a task that was woken.  Context: likewise, but hook_throttle_any may be clear. */
static __always_inline u8 hook_throttle_woken(struct task_struct *task)
{
	if (likely(!READ_ONCE(hook_throttle_any)) || !hook_throttle_queued(task))
		return TASKRT_STATE_WOKEN;
	return TASKRT_STATE_THROTTLED;
}

/* A real-time thread gets the CPU: see hook_counts.rt_throttled. */
void hook_throttle_end(const struct task_struct *next);

static __always_inline void hook_throttle_in(const struct task_struct *next)
{
	if (unlikely(__this_cpu_read(hook_counts.rt_throttled)))
		hook_throttle_end(next);
}

#endif /* TASKRT_HOOK_THROTTLE_H */
