/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of an observed thread: the engine handles them first, and then each observer. */
#ifndef TASKRT_DISPATCH_H
#define TASKRT_DISPATCH_H

#include "task/thread.h"

struct vm_area_struct;

/*
 * dispatch_switch() - move both records, and show the switch to the observers
 * @out: the thread that leaves the CPU, and enters the state @to
 * @in: the thread that gets the CPU
 *
 * NULL stands for the idle task, or a task without a record.
 * Context: the hook of a switch; this calls record_sched_begin() and record_sched_end().
 */
void dispatch_switch(struct thread *out, u8 to, struct thread *in);

/* Like dispatch_switch(), for a wake-up.  Context: the hook of a wake-up, if record_waits(). */
void dispatch_wake(struct thread *t, u8 to);

/*
 * dispatch_waking() - a wake-up of the thread starts, on the waker's CPU
 * dispatch_wake_nothing() - the wake-up has ended, and the thread did not wait
 *
 * Context: a hook, under the lock of the task (pi_lock); or the task itself.
 */
void dispatch_waking(struct thread *t);
void dispatch_wake_nothing(struct thread *t);

/* The thread moves to @cpu.  Context: a hook; if the thread is queued, under its runqueue lock. */
void dispatch_migrate(struct thread *t, unsigned int cpu);

/*
 * A thread was throttled for @ns while it was queued.  Context: the hook of a switch, before the
 * records move; this calls record_sched_begin() and record_sched_end().
 */
void dispatch_throttled(struct thread *t, u64 ns);

/* Faults and lock waits of the current thread.  Context: a hook, with preemption off. */
void dispatch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags);
/* @counts: the kernel is about to count the fault */
void dispatch_fault_end(struct thread *t, bool major, bool counts);
void dispatch_lock_begin(struct thread *t, u64 lock, u8 kind);
void dispatch_lock_end(struct thread *t);

/* An engine timer has a new interval of the current thread.  Context: as record_interrupt(). */
void dispatch_interrupt(struct thread *t, unsigned int timer, u64 since, u64 ns);

/* End the fault or lock wait in which current died of an oops.  Context: preemption off. */
void dispatch_abandon(struct thread *t);

/* The current thread has executed a program.  Context: a hook. */
void dispatch_exec(struct task_struct *task);

/* Detach all observers of a thread that is no longer tracked. */
void dispatch_untracked(struct thread *t);

#endif /* TASKRT_DISPATCH_H */
