/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cycles and instructions of threads.  At each switch, the thread that ran is charged with what
 * the processor has counted since the last switch.  The module's own counters count in user and
 * kernel mode, but not in guests.
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

/* @out: the thread that ran, or NULL for an untracked task */
void hook_cycles_add(struct thread *out);

/* @out leaves the CPU.  Context: the hook of a switch, before record_sched_begin(). */
static inline void hook_cycles_switch(struct thread *out)
{
	if (hook_cycles_on())
		hook_cycles_add(out);
}

/*
 * Brings the counts of the current thread up to date.  Counts of other running threads date from
 * their last switch: reading the counters of another processor would interrupt it.
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
