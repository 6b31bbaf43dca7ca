/* SPDX-License-Identifier: GPL-2.0-only */
/* The task that holds what a thread waits for: a lock of the kernel, or one in user space. */
#ifndef TASKRT_LOCK_OWNER_H
#define TASKRT_LOCK_OWNER_H

#include "engine/record.h"

struct task_struct;

/*
 * lock_owner() - read the owner of a contended lock from the lock itself
 * @kind: enum taskrt_lock
 * @reader: set to true if the lock is held for reading
 *
 * Context: preemption off, so that the owner is not freed during its use.
 * Return: the owner; NULL: unknown.  With @reader, it is the last task that took the lock for
 * reading, which may have been freed: compare the pointer, but do not dereference it.
 */
struct task_struct *lock_owner(u64 lock, u8 kind, bool *reader);

/*
 * futex_owner() - find out what the current thread waits for in futex(2)
 * @address: set to the address of the futex; 0: this is no wait for a single futex
 * @op: set to the operation, such as FUTEX_WAIT, without its flags, if there is an address
 *
 * The kernel knows the owners of PI futexes only.  For ordinary and robust mutexes of glibc, this
 * reads the owner from the memory of the process.  Other waits, for a condition for example, have
 * no owner.  Whatever the memory contains, the owner is a thread of the process itself.
 *
 * Context: the current thread is switched out, and enters SLEEPING_FUTEX.  The caller holds the
 * RCU read lock while it uses the owner.  If a page is not in memory, the owner is unknown.
 */
const struct task_struct *futex_owner(u64 *address, u32 *op);

#endif /* TASKRT_LOCK_OWNER_H */
