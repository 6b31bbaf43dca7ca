/* SPDX-License-Identifier: GPL-2.0-only */
/* Page faults, from the entry of handle_mm_fault() to the count at its end. */
#ifndef TASKRT_HOOK_FAULT_COUNT_H
#define TASKRT_HOOK_FAULT_COUNT_H

#include <linux/mm_types.h>
#include "hook/hook_fault_stack.h"
#include "task/thread.h"

#ifdef HOOK_FAULT_COUNT
void hook_fault_check_stack(struct thread *t, bool sleeps);
#endif

/* True if the thread may be in a fault that hook_fault_recheck() ends. */
static __always_inline bool hook_fault_may_be_stale(const struct thread *t)
{
#ifdef HOOK_FAULT_COUNT
	return t->record.fault_depth;
#else
	return false;
#endif
}

/*
 * Ends a fault of the current thread that handle_mm_fault() has left without counting it.
 * @sleeps: the thread goes to sleep; otherwise it stays runnable
 * Context: the hook of a switch, before record_sched_begin().
 */
static inline void hook_fault_recheck(struct thread *t, bool sleeps)
{
#ifdef HOOK_FAULT_COUNT
	if (hook_fault_may_be_stale(t))
		hook_fault_check_stack(t, sleeps);
#endif
}

#endif /* TASKRT_HOOK_FAULT_COUNT_H */
