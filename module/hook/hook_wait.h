/* SPDX-License-Identifier: GPL-2.0-only */
/* The start and the end of a lock wait, for the tracepoints and for the kretprobes. */
#ifndef TASKRT_HOOK_WAIT_H
#define TASKRT_HOOK_WAIT_H

#include "engine/record_lock.h"
#include "hook/hook_self.h"
#include "observe/dispatch.h"
#include "task/thread.h"

static __always_inline void hook_wait_begin(struct thread *t, u64 lock, u8 kind)
{
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		record_lock_begin(&t->record, lock, kind, now);
		record_self_end(&t->record);
		return;
	}
	dispatch_lock_begin(t, lock, kind);
}

static __always_inline void hook_wait_end(struct thread *t)
{
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		record_lock_end(&t->record, now);
		record_self_end(&t->record);
		return;
	}
	dispatch_lock_end(t);
}

#endif /* TASKRT_HOOK_WAIT_H */
