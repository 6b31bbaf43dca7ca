// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include "compat/compat.h"
#include "observe/lock_owner.h"

/* The low bits of an owner word are flags of the lock. */
#define RT_MUTEX_BITS	1UL

static struct task_struct *lock_owner_rt_mutex_of(const compat_rt_mutex *lock)
{
	return (void *)((unsigned long)READ_ONCE(lock->owner) & ~RT_MUTEX_BITS);
}

#ifdef CONFIG_PREEMPT_RT

static struct task_struct *lock_owner_mutex_of(unsigned long lock)
{
	/* A mutex waits in the slow path of its rt_mutex, and is reported as that. */
	return NULL;
}

static struct task_struct *lock_owner_rwsem_of(unsigned long lock, bool *reader)
{
	return lock_owner_rt_mutex_of(&((compat_rt_rwsem *)lock)->rtmutex);
}

#else

#define MUTEX_BITS		7UL
#define RWSEM_BITS		7UL
#define RWSEM_READER_OWNED	1UL

static struct task_struct *lock_owner_mutex_of(unsigned long lock)
{
	return (void *)(atomic_long_read(&((struct mutex *)lock)->owner) & ~MUTEX_BITS);
}

static struct task_struct *lock_owner_rwsem_of(unsigned long lock, bool *reader)
{
	const unsigned long word = atomic_long_read(&((struct rw_semaphore *)lock)->owner);

	*reader = word & RWSEM_READER_OWNED;
	return (void *)(word & ~RWSEM_BITS);
}

#endif

struct task_struct *lock_owner(u64 lock, u8 kind, bool *reader)
{
	struct task_struct *owner = NULL;

	*reader = false;
	switch (kind) {
	case TASKRT_LOCK_MUTEX:
		owner = lock_owner_mutex_of(lock);
		break;
	case TASKRT_LOCK_RWSEM_READ:
	case TASKRT_LOCK_RWSEM_WRITE:
		owner = lock_owner_rwsem_of(lock, reader);
		break;
	case TASKRT_LOCK_RT_MUTEX:
		owner = lock_owner_rt_mutex_of((void *)(unsigned long)lock);
		break;
	default:
		break;
	}
	/* A task that waits for a lock that it owns is a writer: it waits for the readers. */
	return owner == current ? NULL : owner;
}
