// SPDX-License-Identifier: GPL-2.0-only
#include <asm/syscall.h>
#include <asm/unistd.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <uapi/linux/futex.h>
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
	/* A wait for a mutex is reported as a wait for its rt_mutex. */
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
	/* If the waiter itself owns the lock, it is a writer that waits for unknown readers. */
	return owner == current ? NULL : owner;
}

/* The mutex of glibc in 64-bit programs.  The futex is its first member. */
struct glibc_mutex {
	u32 lock;		/* 0: free; 1: held; 2: held, with waiters */
	u32 count;		/* of a recursive one */
	u32 owner;
	u32 users;		/* while it is held: at least 1 */
	u32 kind;		/* PTHREAD_MUTEX_*, and flags */
};

#define GLIBC_CONTENDED		2
#define GLIBC_KIND_MASK		3	/* normal, recursive, error checking, adaptive */
#define GLIBC_ROBUST		0x10	/* lock: the owner's tid, and FUTEX_WAITERS */
#define GLIBC_KIND_FLAGS	0x280	/* shared between processes; without elision */

/* Return: false if it is not in memory. */
static bool futex_read(void *to, u64 address, size_t size)
{
	return !copy_from_user_nofault(to, (const void __user *)(unsigned long)address, size);
}

static u32 futex_pi_owner(u64 address)
{
	u32 word;

	return futex_read(&word, address, sizeof(word)) ? word & FUTEX_TID_MASK : 0;
}

/*
 * The owner of a glibc mutex; 0: unknown.  Other locks use the same futex words without a mutex
 * around them, as glibc's malloc() does.  The memory after such a word rarely looks like the rest
 * of a held mutex.
 * @robust: GLIBC_ROBUST or 0, as the word has it
 */
static u32 futex_mutex_owner(u64 address, u32 expected, u32 robust)
{
	struct glibc_mutex mutex;

	if (!futex_read(&mutex, address, sizeof(mutex)) || mutex.lock != expected)
		return 0;
	if (!mutex.users || (mutex.kind & ~(GLIBC_KIND_MASK | GLIBC_KIND_FLAGS)) != robust)
		return 0;
	return mutex.owner;
}

static u32 futex_owner_tid(u64 address, unsigned int op, u32 expected)
{
	u32 owner;

	switch (op) {
	case FUTEX_LOCK_PI:
#ifdef FUTEX_LOCK_PI2
	case FUTEX_LOCK_PI2:
#endif
		return futex_pi_owner(address);
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		if (expected == GLIBC_CONTENDED)
			return futex_mutex_owner(address, expected, 0);
		if (!(expected & FUTEX_WAITERS))
			return 0;
		owner = futex_mutex_owner(address, expected, GLIBC_ROBUST);
		return owner == (expected & ~FUTEX_WAITERS) ? owner : 0;
	default:
		return 0;
	}
}

/* The thread of the current process with this tid. */
static const struct task_struct *futex_thread(u32 tid)
{
	struct task_struct *task = tid ? pid_task(find_vpid(tid), PIDTYPE_PID) : NULL;

	/* If the current thread was handed a PI futex before it woke up, it is the owner itself. */
	return task && task != current && same_thread_group(task, current) ? task : NULL;
}

/* Tagged pointers are rare on x86, and modules cannot untag them there. */
static u64 futex_address(unsigned long address)
{
#ifdef CONFIG_ARM64
	address = untagged_addr(address);
#endif
	return address;
}

const struct task_struct *futex_owner(u64 *address, u32 *op)
{
	unsigned long arguments[6];

	*address = 0;
	/* A thread that was killed in futex(2) sleeps elsewhere, maybe without memory or a pid. */
	if (current->flags & (PF_EXITING | PF_SIGNALED) ||
	    syscall_get_nr(current, task_pt_regs(current)) != __NR_futex)
		return NULL;
	syscall_get_arguments(current, task_pt_regs(current), arguments);
	*address = futex_address(arguments[0]);
	*op = arguments[1] & FUTEX_CMD_MASK;
	return futex_thread(futex_owner_tid(*address, *op, arguments[2]));
}
