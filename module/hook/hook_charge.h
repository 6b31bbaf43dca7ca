/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that was running did not go on: an interrupt, or the hypervisor.  Or it had to
 * make memory free first.
 */
#ifndef TASKRT_HOOK_CHARGE_H
#define TASKRT_HOOK_CHARGE_H

#include "engine/record_sched.h"
#include "observe/dispatch.h"
#include "task/thread.h"

/* hook_charge() - add such an interval.  Context: as record_interrupt(). */
static __always_inline void hook_charge(struct thread *t, unsigned int timer, u64 since,
					u64 ns)
{
	record_sched_begin(&t->record);
	record_interrupt(&t->record, timer, since, ns);
	if (unlikely(shared_load(&t->record.state) & STATE_OBSERVED))
		dispatch_interrupt(t, timer, since, ns);
	record_sched_end(&t->record);
}

#endif /* TASKRT_HOOK_CHARGE_H */
