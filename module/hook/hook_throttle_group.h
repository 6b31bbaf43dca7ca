/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups that use up their quota, before 6.18.  The kernel throttles such a group on one
 * CPU after the other, with all groups in it: tg_throttle_down() and tg_unthrottle_up() are
 * called for each of these, under the lock of the runqueue.  Threads in it stay queued, in
 * what has left the runqueue, so nothing happens to each of them.
 *
 * From the first such call on, each thread that is queued notes what the clock of its group
 * shows (see throttle.h), and when it gets a CPU, the time by which that has advanced is taken
 * from its wait.  A thread that is moved while it is queued goes on with another clock.
 */
#ifndef TASKRT_HOOK_THROTTLE_GROUP_H
#define TASKRT_HOOK_THROTTLE_GROUP_H

#include "task/thread.h"
#include "task/throttle.h"

/*
 * Something was throttled since the hooks were attached: until then a wake-up need not look.
 * Since 6.18 no thread is asleep when its group throttles it, so groups do not count.
 */
extern bool hook_throttle_met;

static inline void hook_throttle_note(bool *met)
{
	if (!READ_ONCE(*met))
		WRITE_ONCE(*met, true);
}

#ifdef COMPAT_THROTTLES_GROUPS
/*
 * hook_throttle_group_queued() - the thread waits for a CPU from now on
 *
 * Context: the runqueue lock of its CPU, before its record moves.
 * Return: is its group throttled?
 */
bool hook_throttle_group_queued(struct thread *t, const struct task_struct *task);

/*
 * hook_throttle_group_ran() - the thread gets the CPU
 *
 * Context: the hook of a switch, before its record moves.
 */
void hook_throttle_group_ran(struct thread *t, const struct task_struct *task);

/*
 * hook_throttle_group_move() - the thread, if it is queued, goes on in the queue of @cpu
 *
 * Context: a hook, under the lock that keeps the thread from being queued or dequeued.
 */
void hook_throttle_group_move(struct thread *t, const struct task_struct *task,
			      unsigned int cpu);

/* Called before the hooks are registered: initializes the kprobes, and forgets all groups. */
void hook_throttle_group_prepare(void);
#else
static inline void hook_throttle_group_ran(struct thread *t, const struct task_struct *task) {}
static inline void hook_throttle_group_move(struct thread *t, const struct task_struct *task,
					    unsigned int cpu) {}
static inline void hook_throttle_group_prepare(void) {}
#endif

#endif /* TASKRT_HOOK_THROTTLE_GROUP_H */
