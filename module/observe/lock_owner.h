/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_LOCK_OWNER_H
#define TASKRT_LOCK_OWNER_H

#include "engine/record.h"

struct task_struct;

/*
 * lock_owner() - read the owner of a contended lock from the lock itself
 * @lock: its address
 * @kind: enum taskrt_lock
 * @reader: set to true if the lock is held for reading
 *
 * Context: preemption off, so that an owner is not freed while the caller uses it.
 * Return: the owner, or NULL if it is not known.  If @reader is set, this is the last
 * task that took the lock for reading.  That task may have been freed: the pointer
 * may be compared, but not dereferenced.
 */
struct task_struct *lock_owner(u64 lock, u8 kind, bool *reader);

#endif /* TASKRT_LOCK_OWNER_H */
