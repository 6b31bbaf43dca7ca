/* SPDX-License-Identifier: GPL-2.0-only */
/* What a hook writes to the record of the current thread. */
#ifndef TASKRT_HOOK_SELF_H
#define TASKRT_HOOK_SELF_H

#include "compat/clock.h"
#include "engine/record_sched.h"
#include "observe/dispatch.h"
#include "task/thread.h"

/*
 * hook_self_begin() - read the clock, and start to write a fault or a lock wait
 *
 * Context: a hook, with preemption off.
 * Return: true, and the caller calls record_self_end(); or false, if the thread is observed or the
 * clock was just changing.  The caller then dispatches the event in a tail call, so that it has no
 * register to save.
 */
static __always_inline bool hook_self_begin(struct thread *t, u64 *now)
{
	if (unlikely(thread_observed(t)))
		return false;
	record_self_begin(&t->record);
	if (likely(clock_read_early(now)))
		return true;
	record_self_end(&t->record);
	return false;
}

/*
 * hook_charge() - add an interval in which a running thread made no progress, because of an
 * interrupt, the hypervisor or a reclaim.  Context: as record_interrupt().
 */
static __always_inline void hook_charge(struct thread *t, unsigned int timer, u64 since,
					u64 ns)
{
	record_sched_begin(&t->record);
	record_interrupt(&t->record, timer, since, ns);
	if (unlikely(shared_load(&t->record.state) & STATE_OBSERVED))
		dispatch_interrupt(t, timer, since, ns);
	record_sched_end(&t->record);
}

#endif /* TASKRT_HOOK_SELF_H */
