// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contended mutexes, rwsems and their kin; never spinlocks.  In an interrupt no wait
 * begins or ends.
 *
 * The probes wait for no lock: a contended one would call them again.  An armed
 * thread's recorder tries one, that of a process (recorder_note_reader()).  A lock that
 * is only tried calls no probe, and the holder of this one does not sleep, so it is
 * never held by the code that the probe has interrupted.
 */
#include <linux/preempt.h>
#include <trace/events/lock.h>
#include "compat/compat.h"
#include "engine/record_lock.h"
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
 * Spinning is not a wait.  But the spinlock may be the first member of the lock that the
 * thread waits for, and its end must not pass for that of the wait: see spins.h.
 *
 * A spinlock, a queued rwlock, and PREEMPT_RT's raw ones, are spun for with preemption off on
 * every kernel that has these tracepoints: qspinlock.c, qrwlock.c, rqspinlock.c.  Each begin
 * has its end, on the same processor.  Interrupts, softirqs and NMIs that come meanwhile
 * are sent away before: what they spin for, they do not wait for.
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
 *	rwlock, reader		the same; at the second begin the state is TASK_RTLOCK_WAIT
 *	rwsem, writer		if another writer has it, the rt-mutex in it, LCB_F_RT; after
 *				that has ended, if readers have it, the rwbase,
 *				LCB_F_RT | LCB_F_WRITE
 *	rwlock, writer		the same, with TASK_RTLOCK_WAIT at both begins
 *
 * Nothing tells a writer's wait for a writer from that for a mutex, so it counts as one
 * for an rt-mutex; and one acquisition for writing may be two waits.  limits.md says so.
 *
 * A reader's wait is begun by its second begin, which knows whether it is an rwlock's.  Both
 * are in one section with the lock's own spinlock held and interrupts off, so nothing of
 * this thread comes between.  If the lock became free there is no second one, and no wait.
 *
 * Return: true if a wait begins, with the lock and the flags of that.
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

	/* A lock that only spins: a spinlock, or a queued rwlock. */
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
 * The end of a spin is in the spinlock's critical section: it looks at one word, and returns.
 * A task that does not spin may be preempted here, and this_cpu_read() reads the word of one
 * processor all the same.  No task is in the middle of a spin there, as this one runs.
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

/* A spin that was in progress when the hooks were detached has left its address. */
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
