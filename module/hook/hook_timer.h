/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the timer that wakes a thread. */
#ifndef TASKRT_HOOK_TIMER_H
#define TASKRT_HOOK_TIMER_H

#include <linux/percpu.h>
#include "hook/hook.h"
#include "task/thread.h"

/* True if the callback of an hrtimer runs on this CPU. */
static __always_inline u32 hook_timer_runs(void)
{
	return __this_cpu_read(hook_counts.timers_running);
}

/* False if certainly no timer wakes the thread.  Context: a hook of a wake-up. */
static __always_inline bool hook_timer_may_wake(const struct thread *t)
{
	return hook_timer_runs() | shared_load(&t->record.expired);
}

/*
 * The thread is woken while a callback runs.  If the callback wakes it, notes that in the record.
 * Context: a hook of a wake-up, before record_sched_begin().
 */
void hook_timer_wake(struct thread *t);

#endif /* TASKRT_HOOK_TIMER_H */
