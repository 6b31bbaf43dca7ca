/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups that use up their quota, before 6.18.  The kernel throttles such a group, with
 * all groups in it, on one CPU after the other: it calls tg_throttle_down() and tg_unthrottle_up()
 * for each of these, under the runqueue lock.  The threads stay queued in their group, which leaves
 * the runqueue, so none of their events shows it.
 *
 * After the first such call, each thread that is queued notes what the clock of its group shows
 * (throttle.h).  When it gets a CPU, the advance of that clock is subtracted from its wait.  A
 * queued thread that is moved continues with another clock.
 */
#ifndef TASKRT_HOOK_THROTTLE_GROUP_H
#define TASKRT_HOOK_THROTTLE_GROUP_H

#include "task/thread.h"
#include "task/throttle.h"

/*
 * True once something was throttled after the hooks were attached: before, a wake-up need not check
 * its thread.  Since 6.18 groups do not set this, because they throttle no sleeping thread.
 */
extern bool hook_throttle_met;

static inline void hook_throttle_note(bool *met)
{
	if (!READ_ONCE(*met))
		WRITE_ONCE(*met, true);
}

#ifdef COMPAT_THROTTLES_GROUPS
/*
 * The thread starts to wait for a CPU.  Return: true if its group is throttled.
 * Context: the runqueue lock of its CPU, before its record moves.
 */
bool hook_throttle_group_queued(struct thread *t, const struct task_struct *task);

/* The thread gets the CPU.  Context: the hook of a switch, before its record moves. */
void hook_throttle_group_ran(struct thread *t, const struct task_struct *task);

/*
 * The thread, if it is queued, moves to the queue of @cpu.
 * Context: a hook, under the lock that keeps the thread from being queued or dequeued.
 */
void hook_throttle_group_move(struct thread *t, const struct task_struct *task,
			      unsigned int cpu);

/* Initializes the kprobes and forgets all groups.  Called before the hooks are registered. */
void hook_throttle_group_prepare(void);
#else
static inline void hook_throttle_group_ran(struct thread *t, const struct task_struct *task) {}
static inline void hook_throttle_group_move(struct thread *t, const struct task_struct *task,
					    unsigned int cpu) {}
static inline void hook_throttle_group_prepare(void) {}
#endif

#endif /* TASKRT_HOOK_THROTTLE_GROUP_H */
