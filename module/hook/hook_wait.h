/* SPDX-License-Identifier: GPL-2.0-only */
/* The begin and the end of a lock wait, for the tracepoints and for the kretprobes. */
#ifndef TASKRT_HOOK_WAIT_H
#define TASKRT_HOOK_WAIT_H

#include "compat/clock.h"
#include "observe/dispatch.h"
#include "task/thread.h"

/* Whatever is rare is dispatched, so the hooks keep nothing across a call. */
static __always_inline void hook_wait_begin(struct thread *t, u64 lock, u8 kind)
{
	u64 now;

	if (unlikely(thread_observed(t)))
		goto dispatched;
	record_self_begin(&t->record);
	if (unlikely(!clock_read_early(&now)))
		goto undo;
	record_lock_begin(&t->record, lock, kind, now);
	record_self_end(&t->record);
	return;
undo:
	record_self_end(&t->record);
dispatched:
	dispatch_lock_begin(t, lock, kind);
}

static __always_inline void hook_wait_end(struct thread *t)
{
	u64 now;

	if (unlikely(thread_observed(t)))
		goto dispatched;
	record_self_begin(&t->record);
	if (unlikely(!clock_read_early(&now)))
		goto undo;
	record_lock_end(&t->record, now);
	record_self_end(&t->record);
	return;
undo:
	record_self_end(&t->record);
dispatched:
	dispatch_lock_end(t);
}

#endif /* TASKRT_HOOK_WAIT_H */
