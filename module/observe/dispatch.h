/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of an observed thread: the engine handles them first, and then each observer. */
#ifndef TASKRT_DISPATCH_H
#define TASKRT_DISPATCH_H

#include "task/thread.h"

struct vm_area_struct;

/*
 * The records move as for any other thread, and the observers see the event, if there are
 * any.  The clock is read here, once, and after a change of each page has begun.
 * @out: the thread that leaves the CPU, and enters the state @to
 * @in: the thread that gets the CPU
 * NULL stands for the idle task, and for one without a record.
 *
 * Context: a hook of a switch.  It calls record_sched_begin() and record_sched_end() itself.
 */
void dispatch_switch(struct thread *out, u8 to, struct thread *in);

/*
 * dispatch_wake() - the same for a thread for which record_waits() is true
 *
 * Context: a hook of a wake-up.  It calls record_sched_begin() and record_sched_end() itself.
 */
void dispatch_wake(struct thread *t, u8 to);

/*
 * dispatch_waking() - a wake-up of the thread starts, on the CPU of the waker
 * dispatch_wake_nothing() - it has ended, and the thread did not wait
 *
 * Context: a hook, under the lock of the task.
 */
void dispatch_waking(struct thread *t);
void dispatch_wake_nothing(struct thread *t);

/* The thread is moved to @cpu.  Context: a hook, under the lock of its runqueue if it is queued. */
void dispatch_migrate(struct thread *t, unsigned int cpu);

/*
 * dispatch_throttled() - of the time that a thread has been queued, @ns were throttled
 *
 * Context: a hook of a switch, before dispatch_switch() or what takes its place.  It calls
 * record_sched_begin() and record_sched_end() itself.
 */
void dispatch_throttled(struct thread *t, u64 ns);

/*
 * The same for faults and lock waits of the current thread.
 * Context: a hook, with preemption off.
 */
void dispatch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags);
/* @counts: the kernel has not counted the fault yet, and is about to do so */
void dispatch_fault_end(struct thread *t, bool major, bool counts);
void dispatch_lock_begin(struct thread *t, u64 lock, u8 kind);
void dispatch_lock_end(struct thread *t);

/*
 * The current thread was interrupted for @ns, from @since on; or another timer of the engine
 * has this interval of the time in which it was running.
 * Context: a hook, with interrupts off, between record_sched_begin() and record_sched_end().
 */
void dispatch_interrupt(struct thread *t, unsigned int timer, u64 since, u64 ns);

/*
 * dispatch_abandon() - end a page fault or a lock wait that never ends by itself
 * After an oops the current thread exits inside of it.  Context: as above.
 */
void dispatch_abandon(struct thread *t);

/* The current thread has executed a program.  Context: a hook. */
void dispatch_exec(struct task_struct *task);

/* Detach all observers of a thread that is no longer tracked. */
void dispatch_untracked(struct thread *t);

#endif /* TASKRT_DISPATCH_H */
