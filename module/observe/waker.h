/* SPDX-License-Identifier: GPL-2.0-only */
/* What has woken a thread, for its mapped page; and how late a timer may wake it. */
#ifndef TASKRT_OBSERVE_WAKER_H
#define TASKRT_OBSERVE_WAKER_H

#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/rt.h>
#include <linux/sched/signal.h>
#include <linux/taskrt_page.h>

/* The waker, as noted when the wake-up started. */
struct waker_early {
	u8 kind;			/* enum taskrt_waker_kind; _UNKNOWN: not noted */
	struct taskrt_waker who;
};

/* The timer slack of a sleeping task, in ns.  Real-time tasks have none. */
static inline u64 waker_slack(const struct task_struct *task)
{
	return task->prio < MAX_RT_PRIO ? 0 : task->timer_slack_ns;
}

/* The slow path of waker_note(): any waker. */
u8 waker_note_any(struct taskrt_waker *who, struct task_struct *woken);

static __always_inline u8 waker_note_task(struct taskrt_waker *who, u32 tid)
{
	who->tid = tid;
	/* The name may change during the copy, but not its last byte, 0. */
	memcpy(who->comm, current->comm, sizeof(who->comm));
	return TASKRT_WAKER_TASK;
}

/*
 * waker_note() - note the current task, which wakes @woken
 * @who: written only if the result is TASKRT_WAKER_TASK
 *
 * Interrupts and the idle task also finish wake-ups of other CPUs, whose waker is unknown here.
 * Context: the hook of a wake-up.  @woken has no pid if it has released itself, and still runs.
 * Return: enum taskrt_waker_kind.
 */
static __always_inline u8 waker_note(struct taskrt_waker *who, struct task_struct *woken)
{
	const struct pid *pid = READ_ONCE(woken->thread_pid);

	/* Mostly, the waker is of the same process, in the initial pid namespace. */
	if (likely(in_task() && current->signal == woken->signal && pid && !pid->level))
		return waker_note_task(who, task_pid_nr(current));
	return waker_note_any(who, woken);
}

#endif /* TASKRT_OBSERVE_WAKER_H */
