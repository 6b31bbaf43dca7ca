/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread whose every event somebody looks at: its own process, which has its
 * counters mapped, or a flight recorder.  All others pay nothing for it: that a
 * thread is watched is said where a hook looks anyway (STATE_WATCHED), and, for
 * faults and lock waits, in a byte beside its record.
 *
 * What is attached to a thread changes under watch_lock; the hooks look at it
 * under RCU.
 */
#ifndef TASKRT_WATCH_H
#define TASKRT_WATCH_H

#include <linux/spinlock.h>
#include "thread.h"

struct vm_area_struct;

extern raw_spinlock_t watch_lock;	/* leaf; irqs off */

/*
 * Something was attached to the current thread; under watch_lock.  Or to a thread
 * whose hook we are, just as it let go of what was there before.
 */
void watch_own(struct thread *t);

/*
 * A recorder was attached to a task's thread, which may be running anywhere: from
 * the return on each of its events is seen.  A reference is held.  May sleep.
 */
void watch_any(struct task_struct *task);

/*
 * Hooks: the thread goes on as without, and who watches it is told.  Within its
 * sequence count.  @next: who has the CPU now; @prev: who had it, and has not been
 * switched out yet; NULL: the idle task.
 */
void watch_switch_out(struct thread *t, u8 to, const struct thread *next, u64 now);
void watch_switch_in(struct thread *t, const struct thread *prev, u64 now);
void watch_wake(struct thread *t, u64 now);	/* record_waits() is true */

/* Hooks, with preemption off: as these, of the current thread's own doings. */
void watch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
		       unsigned long address, unsigned int flags);
void watch_fault_end(struct thread *t, bool major);
void watch_lock_begin(struct thread *t, u64 lock, u8 kind);
void watch_lock_end(struct thread *t);

/* The current thread runs another program from now on.  For a hook. */
void watch_exec(struct task_struct *task);

/* The thread is no longer tracked, because it is gone or because nobody is. */
void watch_gone(struct thread *t, bool stopped);

#endif /* TASKRT_WATCH_H */
