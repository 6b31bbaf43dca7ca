/* SPDX-License-Identifier: GPL-2.0-only */
/* The begin and the end of a lock wait, for the tracepoints and for the kretprobes. */
#ifndef TASKRT_HOOK_WAIT_H
#define TASKRT_HOOK_WAIT_H

#include "compat/clock.h"
#include "observe/dispatch.h"
#include "task/thread.h"

static __always_inline void hook_wait_begin(struct thread *t, u64 lock, u8 kind)
{
	if (unlikely(thread_observed(t))) {
		dispatch_lock_begin(t, lock, kind);
		return;
	}
	record_self_begin(&t->record);
	record_lock_begin(&t->record, lock, kind, clock_now());
	record_self_end(&t->record);
}

static __always_inline void hook_wait_end(struct thread *t)
{
	if (unlikely(thread_observed(t))) {
		dispatch_lock_end(t);
		return;
	}
	record_self_begin(&t->record);
	record_lock_end(&t->record, clock_now());
	record_self_end(&t->record);
}

#endif /* TASKRT_HOOK_WAIT_H */
