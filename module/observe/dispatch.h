/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of an observed thread: the engine is told, and then each of its observers. */
#ifndef TASKRT_DISPATCH_H
#define TASKRT_DISPATCH_H

#include "task/thread.h"

struct vm_area_struct;

/*
 * Hooks: the engine moves on as for any other thread, and the observers are told.
 * Within its sequence count.  @next: the thread that has the CPU now; @prev: the
 * one that had it and has not been switched out yet; NULL: the idle task.
 */
void dispatch_switch_out(struct thread *t, u8 to, const struct thread *next, u64 now);
void dispatch_switch_in(struct thread *t, const struct thread *prev, u64 now);
void dispatch_wake(struct thread *t, u64 now);	/* record_waits() is true */

/* Hooks, with preemption off: as these, of what the current thread does itself. */
void dispatch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags);
void dispatch_fault_end(struct thread *t, bool major);
void dispatch_lock_begin(struct thread *t, u64 lock, u8 kind);
void dispatch_lock_end(struct thread *t);

/* The current thread runs another program from now on.  For a hook. */
void dispatch_exec(struct task_struct *task);

/* The thread is no longer tracked, because it is gone or because nobody is. */
void dispatch_gone(struct thread *t, bool stopped);

#endif /* TASKRT_DISPATCH_H */
