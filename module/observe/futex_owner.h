/* SPDX-License-Identifier: GPL-2.0-only */
/* The lock in user space that a thread waits for in futex(2), and who holds it. */
#ifndef TASKRT_FUTEX_OWNER_H
#define TASKRT_FUTEX_OWNER_H

#include <linux/types.h>

struct task_struct;

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

#endif /* TASKRT_FUTEX_OWNER_H */
