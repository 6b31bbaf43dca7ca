// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended mutexes, rwsems and their kin; never spinlocks.  In an interrupt no wait
 * begins or ends.
 *
 * The probes wait for no lock: a contended one would call them again.  An armed
 * thread's recorder tries one, that of a process (recorder_note_reader()).  A lock that
 * is only tried calls no probe, and whoever holds this one does not sleep, so it is
 * never held by the code that the probe has interrupted.
 */
#include <linux/preempt.h>
#include <trace/events/lock.h>
#include "compat/compat.h"
#include "hook/hook.h"
#include "hook/hook_wait.h"
#include "hook/probes.h"

/* The kind of a lock by its flags LCB_F_*, without LCB_F_SPIN. */
static u8 hook_lock_kind(unsigned int flags)
{
	/* PREEMPT_RT's sleeping spinlocks have the flags of its mutexes: test the task state. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && (compat_task_state(current) & TASK_RTLOCK_WAIT))
		return TASKRT_LOCK_OTHER;
	switch (flags & ~LCB_F_SPIN) {
	case LCB_F_MUTEX:
		return TASKRT_LOCK_MUTEX;
	case LCB_F_READ:
	case LCB_F_READ | LCB_F_RT:
		return TASKRT_LOCK_RWSEM_READ;
	case LCB_F_WRITE:
	case LCB_F_WRITE | LCB_F_RT:
		return TASKRT_LOCK_RWSEM_WRITE;
	case LCB_F_RT:
		return TASKRT_LOCK_RT_MUTEX;
	default:
		return TASKRT_LOCK_OTHER;
	}
}

/*
 * Spinning is not a wait.  But the spinlock may be the first member of the lock that
 * the thread waits for: see record_lock_spin().  Interrupts are counted as well, and
 * so are their ends in hook_lock_end(): each interrupt has taken back its own count by the
 * time it returns, so the thread finds the count that was there.  A test for
 * interrupts would cost every contended spinlock.
 */
static noinline void hook_lock_spin(void *lock)
{
	struct thread *t;

	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (t)
		record_lock_spin(&t->record, (unsigned long)lock);
	preempt_enable_notrace();
}

static void hook_lock_begin(void *data, void *lock, unsigned int flags)
{
	struct thread *t;

	/* A lock that only spins: a spinlock, or a queued rwlock. */
	if ((flags & (LCB_F_SPIN | LCB_F_MUTEX)) == LCB_F_SPIN)
		return hook_lock_spin(lock);
	if (!in_task())
		return;
	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (unlikely(!t)) {
		hook_miss(HOOK_CONTENTION_BEGIN);
	} else if (record_lock_opens(&t->record)) {
		hook_hit(HOOK_CONTENTION_BEGIN);
		hook_wait_begin(t, (unsigned long)lock, hook_lock_kind(flags));
	}
	preempt_enable_notrace();
}

static void hook_lock_end(void *data, void *lock, int ret)
{
	struct thread *t;

	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (likely(t) && record_lock_closes(&t->record, (unsigned long)lock)) {
		hook_hit(HOOK_CONTENTION_END);
		hook_wait_end(t);
	}
	preempt_enable_notrace();
}

void * const hook_probe_contention_begin = hook_lock_begin;
void * const hook_probe_contention_end = hook_lock_end;

/* contention_begin is attached only if contention_end is. */
bool hook_sees_any_lock(void)
{
	return hook_attached(HOOK_CONTENTION_BEGIN);
}

u32 hook_locks_seen(void)
{
	return hook_sees_any_lock() ? MEASURED_LOCKS : 0;
}

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_contention_begin(hook_lock_begin);
	check_trace_callback_type_contention_end(hook_lock_end);
}
