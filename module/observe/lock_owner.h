/* SPDX-License-Identifier: GPL-2.0-only */
/* The task that holds what a thread waits for: a lock of the kernel, or one in user space. */
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

/*
 * futex_owner() - find out what the current thread waits for in futex(2)
 * @address: set to the address of the futex; or to 0 if this is no wait for a single one
 * @op: set to the operation, such as FUTEX_WAIT, without its flags, if there is an address
 *
 * The kernel does not know who holds such a lock, except that of a PI futex.  The owner is
 * in the memory of the process, where its library keeps it: this reads the robust and the
 * ordinary mutexes of glibc.  For anything else, such as a condition, there is no owner.
 * Whatever the memory contains, the result is a thread of the process itself.
 *
 * Context: the current thread goes to sleep, state SLEEPING_FUTEX, and is switched out.
 * The caller holds the RCU read lock until it has done with the owner.  If a page of the
 * process is not in memory, the owner is not known.
 */
const struct task_struct *futex_owner(u64 *address, u32 *op);

#endif /* TASKRT_LOCK_OWNER_H */
