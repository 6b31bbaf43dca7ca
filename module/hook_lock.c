// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended mutexes, rwsems and their kin; never spinlocks, never in an
 * interrupt.  The probes take no lock: a contended one would call them again.
 */
#include <linux/preempt.h>
#include <trace/events/lock.h>
#include "clock.h"
#include "hook.h"
#include "thread.h"

static u8 lock_kind(unsigned int flags)
{
	/* PREEMPT_RT's sleeping spinlocks look like its mutexes but for this. */
	if (READ_ONCE(current->__state) & TASK_RTLOCK_WAIT)
		return LOCK_OTHER;
	if (flags & LCB_F_PERCPU)
		return LOCK_OTHER;
	if (flags & LCB_F_READ)
		return LOCK_RWSEM_READ;
	if (flags & LCB_F_WRITE)
		return LOCK_RWSEM_WRITE;
	if (flags & LCB_F_MUTEX)
		return LOCK_MUTEX;
	return flags & LCB_F_RT ? LOCK_RT_MUTEX : LOCK_OTHER;
}

static void begin(struct thread *t, void *lock, unsigned int flags)
{
	struct record *r = &t->record;

	if (!record_lock_opens(r))
		return;
	record_self_begin(r);
	record_lock_begin(r, (unsigned long)lock, lock_kind(flags), clock_now());
	record_self_end(r);
}

/* Only spinning: a spinlock, or a queued rwlock. */
static bool is_spin(unsigned int flags)
{
	return (flags & LCB_F_SPIN) && !(flags & LCB_F_MUTEX);
}

static void on_begin(void *data, void *lock, unsigned int flags)
{
	struct thread *t;

	if (!in_task() && !is_spin(flags))
		return;
	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (unlikely(!t)) {
		hook_miss(HOOK_CONTENTION_BEGIN);
	} else if (is_spin(flags)) {
		record_lock_spin(&t->record, (unsigned long)lock);
	} else {
		hook_hit(HOOK_CONTENTION_BEGIN);
		begin(t, lock, flags);
	}
	preempt_enable_notrace();
}

static void on_end(void *data, void *lock, int ret)
{
	struct thread *t;

	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (likely(t) && record_lock_closes(&t->record, (unsigned long)lock)) {
		hook_hit(HOOK_CONTENTION_END);
		record_self_begin(&t->record);
		record_lock_end(&t->record, clock_now());
		record_self_end(&t->record);
	}
	preempt_enable_notrace();
}

void * const hook_probe_contention_begin = on_begin;
void * const hook_probe_contention_end = on_end;

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_contention_begin(on_begin);
	check_trace_callback_type_contention_end(on_end);
}
