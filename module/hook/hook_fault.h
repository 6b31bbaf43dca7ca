/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The start and the end of a page fault.  hook_fault_count.c sees the entry of handle_mm_fault()
 * and its count of the fault; hook_fault.c sees its entry and its return.
 */
#ifndef TASKRT_HOOK_FAULT_H
#define TASKRT_HOOK_FAULT_H

#include <linux/mm_types.h>
#include "compat/compat.h"
#include "engine/record_fault.h"
#include "hook/hook_self.h"
#include "observe/dispatch.h"
#include "task/thread.h"

static __always_inline void hook_fault_begin(struct thread *t, const struct vm_area_struct *vma,
					     unsigned long address, unsigned int flags)
{
	const u32 seq = record_fault_seq(&t->record);
	bool begun;
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		begun = record_fault_begin(&t->record, seq, now);
		record_self_end(&t->record);
		if (likely(begun))
			return;
	}
	dispatch_fault_begin(t, vma, address, flags);
}

/* @counts: the kernel is about to count the fault */
static __always_inline void hook_fault_end(struct thread *t, bool major, bool counts)
{
	bool ended;
	u64 now;

	if (likely(hook_self_begin(t, &now))) {
		ended = record_fault_end_plain(&t->record, major, now);
		record_self_end(&t->record);
		if (likely(ended))
			return;
	}
	dispatch_fault_end(t, major, counts);
}

#endif /* TASKRT_HOOK_FAULT_H */
