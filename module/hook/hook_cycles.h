/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cycles and instructions of a thread: what the processor has counted from one switch to the
 * next belongs to the thread that has run.  Both are counted in user and in kernel mode, but
 * not in guests, by counters of our own.
 */
#ifndef TASKRT_HOOK_CYCLES_H
#define TASKRT_HOOK_CYCLES_H

#include <linux/jump_label.h>
#include "task/thread.h"

#ifdef CONFIG_PERF_EVENTS
DECLARE_STATIC_KEY_FALSE(hook_cycles_counted);

static __always_inline bool hook_cycles_on(void)
{
	return static_branch_unlikely(&hook_cycles_counted);
}

/* @out: the thread that has run; or NULL: an untracked task. */
void hook_cycles_add(struct thread *out);

/*
 * hook_cycles_switch() - a thread leaves the CPU
 *
 * Context: the hook of a switch, before record_sched_begin().
 */
static inline void hook_cycles_switch(struct thread *out)
{
	if (hook_cycles_on())
		hook_cycles_add(out);
}

/*
 * hook_cycles_renew() - bring the counts of the current thread up to date
 *
 * Those of other threads that run are as old as their last switch: to read the counters of
 * another processor would interrupt it.
 */
void hook_cycles_renew(void);
#else
static __always_inline bool hook_cycles_on(void)
{
	return false;
}

static inline void hook_cycles_switch(struct thread *out) {}
static inline void hook_cycles_renew(void) {}
#endif

#endif /* TASKRT_HOOK_CYCLES_H */
