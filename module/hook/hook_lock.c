// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contention of mutexes, rwsems and other sleeping locks; never of spinlocks.  In an interrupt no
 * wait starts or ends.
 *
 * The probes never wait for a lock, because a contended lock would call them again.  The recorder
 * of an armed thread only tries the lock of a process (recorder_note_reader()).  That calls no
 * probe.  Code that holds this lock takes no sleeping lock, so no probe runs under it.
 */
#include <linux/preempt.h>
#include <trace/events/lock.h>
#include "compat/compat.h"
#include "engine/record_lock.h"
#include "hook/hook.h"
#include "hook/hook_wait.h"
#include "hook/probes.h"

/* The kind of a lock from its flags LCB_F_*, without LCB_F_SPIN. */
static u8 hook_lock_kind(unsigned int flags)
{
	/* On PREEMPT_RT, sleeping spinlocks have the flags of mutexes; the task state differs. */
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
 * Spinning is not a wait.  But a spinlock that is the first member of a sleeping lock has the same
 * address as that lock.  struct spins keeps the end of a spin from ending a wait for the lock.
 *
 * All kernels with these tracepoints spin with preemption off, for raw spinlocks of PREEMPT_RT as
 * well (qspinlock.c, qrwlock.c, rqspinlock.c).  So each spin ends on the processor where it
 * started.  Spins in interrupts, softirqs and NMIs are ignored.
 */
static DEFINE_PER_CPU(struct spins, hook_lock_spins);

static noinline void hook_lock_spin(void *lock)
{
	if (in_task())
		spins_begin(raw_cpu_ptr(&hook_lock_spins), (unsigned long)lock);
}

/*
 * What PREEMPT_RT reports, from 6.1 to 7.3 (rtmutex.c, rwbase_rt.c):
 *
 *	mutex, rt-mutex		the rt-mutex, LCB_F_RT
 *	spinlock		the rt-mutex in it, LCB_F_RT, state TASK_RTLOCK_WAIT
 *	rwsem, reader		the rwbase, LCB_F_RT | LCB_F_READ; within this wait, the rt-mutex
 *				in it, LCB_F_RT
 *	rwlock, reader		as an rwsem's reader; state TASK_RTLOCK_WAIT at the second event
 *	rwsem, writer		while another writer has it, the rt-mutex in it, LCB_F_RT; then,
 *				while readers have it, the rwbase, LCB_F_RT | LCB_F_WRITE
 *	rwlock, writer		as an rwsem's writer; state TASK_RTLOCK_WAIT at both events
 *
 * An rwsem writer's wait for another writer looks like a wait for a mutex: both count as
 * TASKRT_LOCK_RT_MUTEX.  One acquisition for writing may be two waits (limits.md).
 *
 * A reader's wait starts with its second event, which shows whether the lock is an rwlock.  Both
 * come with the lock's own spinlock held and interrupts off, so the thread has no other event in
 * between.  If the lock became free, there is no second event and no wait.
 *
 * Return: true if a wait starts, with its lock and flags.
 */
static __always_inline bool hook_lock_settle(struct record *r, void **lock, unsigned int *flags)
{
#ifdef CONFIG_PREEMPT_RT
	if ((*flags & (LCB_F_RT | LCB_F_READ)) == (LCB_F_RT | LCB_F_READ)) {
		r->lock_reads = true;
		return false;
	}
	if (r->lock_reads) {
		r->lock_reads = false;
		*lock = container_of(*lock, compat_rt_rwsem, rtmutex);
		*flags |= LCB_F_READ;
	}
#endif
	return true;
}

static __always_inline void hook_lock_wait(struct thread *t, void *lock, unsigned int flags)
{
	if (!record_lock_opens(&t->record) || !hook_lock_settle(&t->record, &lock, &flags))
		return;
	hook_hit(HOOK_CONTENTION_BEGIN);
	hook_wait_begin(t, (unsigned long)lock, hook_lock_kind(flags));
}

static void hook_lock_begin(void *data, void *lock, unsigned int flags)
{
	struct thread *t;

	/* A spinlock or a queued rwlock. */
	if ((flags & (LCB_F_SPIN | LCB_F_MUTEX)) == LCB_F_SPIN)
		return hook_lock_spin(lock);
	if (!in_task())
		return;
	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (likely(t))
		hook_lock_wait(t, lock, flags);
	else
		hook_miss(HOOK_CONTENTION_BEGIN);
	preempt_enable_notrace();
}

/*
 * A spin ends inside the spinlock's critical section, so the probe only compares one word.  A task
 * that does not spin may be preempted here, but this_cpu_read() reads the word of the CPU that it
 * runs on.  No task can be in the middle of a spin there.
 */
static void hook_lock_end(void *data, void *lock, int ret)
{
	struct thread *t;

	if (!in_task())
		return;
	if (this_cpu_read(hook_lock_spins.lock) == (unsigned long)lock)
		return spins_end(raw_cpu_ptr(&hook_lock_spins));
	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && likely(t))
		t->record.lock_reads = false;
	if (likely(t) && record_lock_closes(&t->record, (unsigned long)lock)) {
		hook_hit(HOOK_CONTENTION_END);
		hook_wait_end(t);
	}
	preempt_enable_notrace();
}

/* Clears the addresses of spins that were in progress when the hooks were detached. */
void hook_lock_prepare(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(&hook_lock_spins, cpu) = (struct spins){ 0 };
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
