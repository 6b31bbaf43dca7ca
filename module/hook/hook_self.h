/* SPDX-License-Identifier: GPL-2.0-only */
/* The begin of an event of the current thread: of a page fault, or of a wait for a lock. */
#ifndef TASKRT_HOOK_SELF_H
#define TASKRT_HOOK_SELF_H

#include "compat/clock.h"
#include "task/thread.h"

/*
 * hook_self_begin() - begin to write to the record, and read the clock
 *
 * The rare cases are dispatched, so that a hook keeps nothing across a call.
 *
 * Context: a hook, with preemption off.
 * Return: true, and the caller calls record_self_end(); false: it dispatches the event, as
 * the thread is observed, or the clock could not be read at once.
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

#endif /* TASKRT_HOOK_SELF_H */
