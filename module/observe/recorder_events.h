/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that hooks write to the recorder of an armed thread: the intervals of its life. */
#ifndef TASKRT_RECORDER_EVENTS_H
#define TASKRT_RECORDER_EVENTS_H

#include "observe/recorder.h"

struct vm_area_struct;

/* Called by dispatch.c, in the context of the hooks. */
void recorder_switch_out(struct recorder *rec, struct thread *t, u8 left, u64 since,
			 const struct thread *next);
void recorder_switch_in(struct recorder *rec, struct thread *t, u8 left, u64 since);
/* The thread is still queued.  The first part of its wait, from @since on, was throttled. */
void recorder_throttled(struct recorder *rec, struct thread *t, u64 since);
/* The thread moves to @cpu, maybe while it is queued. */
void recorder_migrate(struct recorder *rec, const struct thread *t, unsigned int cpu);
/* The current task, or an interrupt, is about to wake the thread, if the thread waits. */
void recorder_waking(struct recorder *rec);
void recorder_wake(struct recorder *rec, struct thread *t, u8 left, u64 since);
/* The wake-up has changed nothing. */
void recorder_wake_nothing(struct recorder *rec);
void recorder_fault_begin(struct recorder *rec, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags);
void recorder_fault_end(struct recorder *rec, u64 since, u64 ns, bool major);
void recorder_lock_begin(struct recorder *rec, const struct record *r);
void recorder_lock_end(struct recorder *rec, u64 lock, u8 kind, u64 since, u64 ns);
/* @timer: the engine's number; see dispatch_interrupt() */
void recorder_interrupt(struct recorder *rec, unsigned int timer, u64 since, u64 ns);

#endif /* TASKRT_RECORDER_EVENTS_H */
