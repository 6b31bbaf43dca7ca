// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lock contention on kernels without the contention tracepoints.  The functions in which a task
 * waits for a lock are timed from entry to return.  The kernel enters them when the lock is not
 * free at once, so the time includes spinning.  The tracepoints include spinning for a mutex only,
 * not for a rwsem.
 *
 * As on newer kernels, waits of softirqs are not seen, nor is percpu_down_write() waiting for
 * readers.
 */
#include <linux/preempt.h>
#include <linux/rwsem.h>
#include "engine/record_lock.h"
#include "hook/hook.h"
#include "hook/hook_live.h"
#include "hook/hook_wait.h"
#include "hook/probes.h"

struct slowpath {
	void *lock;
	struct kretprobe_group *group;
};

/* Times the outermost of nested waits.  Return: 1 to skip hook_slowpath_exit(), otherwise 0. */
static int hook_slowpath_begin(struct kretprobe_instance *ri, void *lock,
			       struct kretprobe_group *group, u8 kind)
{
	struct slowpath *slowpath = (struct slowpath *)ri->data;
	struct thread *t;

	if (!in_task())
		return 1;
	t = thread_of_cpu(current);
	if (unlikely(!t)) {
		hook_miss(group->id);
		return 1;
	}
	if (!record_lock_opens(&t->record))
		return 1;
	if (unlikely(!kretprobe_group_enter(group, t)))
		return 1;
	hook_hit(group->id);
	slowpath->lock = lock;
	slowpath->group = group;
	hook_wait_begin(t, (unsigned long)lock, kind);
	return 0;
}

static int hook_slowpath_exit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct slowpath *slowpath = (struct slowpath *)ri->data;
	struct thread *t = thread_of_cpu(current);

	kretprobe_group_leave(slowpath->group);
	if (likely(t) && record_lock_closes(&t->record, (unsigned long)slowpath->lock))
		hook_wait_end(t);
	return 0;
}

static void *hook_slowpath_lock(struct pt_regs *regs)
{
	return (void *)regs_get_kernel_argument(regs, 0);
}

/* The bit of this kind if the hook is attached, otherwise 0. */
static u32 hook_slowpath_seen(enum hook_id id, enum taskrt_lock kind)
{
	return hook_attached(id) ? 1U << kind : 0;
}

#define SLOWPATH(group, hook, entry, ...)	\
	struct kretprobe_group group = {	\
		.symbols = { __VA_ARGS__ },	\
		.on_entry = entry,		\
		.on_exit = hook_slowpath_exit,	\
		.data_size = sizeof(struct slowpath),	\
		.id = hook,			\
		.fewest = 1024,			\
		.one_in = 32,			\
	}

static int hook_slowpath_on_rt_mutex(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_rt_mutex,
				   TASKRT_LOCK_RT_MUTEX);
}

static int hook_slowpath_on_semaphore(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_semaphore, TASKRT_LOCK_OTHER);
}

static int hook_slowpath_on_percpu_rwsem(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_percpu_rwsem,
				   TASKRT_LOCK_OTHER);
}

SLOWPATH(hook_semaphore, HOOK_SEMAPHORE, hook_slowpath_on_semaphore,
	 "__down", "__down_interruptible", "__down_killable", "__down_timeout");
SLOWPATH(hook_percpu_rwsem, HOOK_PERCPU_RWSEM, hook_slowpath_on_percpu_rwsem, "percpu_rwsem_wait");

#ifdef CONFIG_PREEMPT_RT
/*
 * PREEMPT_RT as patched into 5.10.  Mutexes are rt_mutexes.  The functions of a rwsem are also
 * entered when it is free, so the handlers test for that.  A wait for a rwsem includes the wait
 * for its rt_mutex.
 */
static int hook_slowpath_on_rt_spin_lock(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_rt_spin_lock,
				   TASKRT_LOCK_OTHER);
}

/* A reader waits if a writer owns the rwsem, not if a writer only waits for it. */
static int hook_slowpath_on_rwsem_read(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct rw_semaphore *sem = hook_slowpath_lock(regs);

	if (likely(atomic_read(&sem->readers) != WRITER_BIAS))
		return 1;
	return hook_slowpath_begin(ri, sem, &hook_rwsem_read, TASKRT_LOCK_RWSEM_READ);
}

static int hook_slowpath_on_rwsem_write(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct rw_semaphore *sem = hook_slowpath_lock(regs);

	if (likely(atomic_read(&sem->readers) == READER_BIAS))
		return 1;
	return hook_slowpath_begin(ri, sem, &hook_rwsem_write, TASKRT_LOCK_RWSEM_WRITE);
}

SLOWPATH(hook_rt_mutex, HOOK_RT_MUTEX, hook_slowpath_on_rt_mutex, "rt_mutex_slowlock_locked");
SLOWPATH(hook_rt_spin_lock, HOOK_RT_SPIN_LOCK, hook_slowpath_on_rt_spin_lock,
	 "rt_spin_lock_slowlock_locked");
SLOWPATH(hook_rwsem_read, HOOK_RWSEM_READ, hook_slowpath_on_rwsem_read, "__down_read_common");
SLOWPATH(hook_rwsem_write, HOOK_RWSEM_WRITE, hook_slowpath_on_rwsem_write, "__down_write_common");

static u32 hook_slowpath_mutexes_seen(void)
{
	return hook_slowpath_seen(HOOK_RT_MUTEX, TASKRT_LOCK_MUTEX);
}

static bool hook_slowpath_spinlocks_seen(void)
{
	return hook_attached(HOOK_RT_SPIN_LOCK);
}

#else

static int hook_slowpath_on_mutex(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_mutex, TASKRT_LOCK_MUTEX);
}

static int hook_slowpath_on_rwsem_read(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_rwsem_read,
				   TASKRT_LOCK_RWSEM_READ);
}

static int hook_slowpath_on_rwsem_write(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_slowpath_begin(ri, hook_slowpath_lock(regs), &hook_rwsem_write,
				   TASKRT_LOCK_RWSEM_WRITE);
}

SLOWPATH(hook_mutex, HOOK_MUTEX, hook_slowpath_on_mutex,
	 "__mutex_lock_slowpath", "__mutex_lock_interruptible_slowpath",
	 "__mutex_lock_killable_slowpath", "__ww_mutex_lock_slowpath",
	 "__ww_mutex_lock_interruptible_slowpath");
SLOWPATH(hook_rwsem_read, HOOK_RWSEM_READ, hook_slowpath_on_rwsem_read,
	 "rwsem_down_read_slowpath");
SLOWPATH(hook_rwsem_write, HOOK_RWSEM_WRITE, hook_slowpath_on_rwsem_write,
	 "rwsem_down_write_slowpath");
SLOWPATH(hook_rt_mutex, HOOK_RT_MUTEX, hook_slowpath_on_rt_mutex, "rt_mutex_slowlock");

static u32 hook_slowpath_mutexes_seen(void)
{
	return hook_slowpath_seen(HOOK_MUTEX, TASKRT_LOCK_MUTEX);
}

/* Without PREEMPT_RT, spinlocks do not sleep, so they need no hook. */
static bool hook_slowpath_spinlocks_seen(void)
{
	return true;
}
#endif

u32 hook_locks_seen(void)
{
	u32 seen;

	if (!hook_live(LIVE_KPROBES))
		return 0;
	seen = hook_slowpath_mutexes_seen() |
	       hook_slowpath_seen(HOOK_RT_MUTEX, TASKRT_LOCK_RT_MUTEX) |
	       hook_slowpath_seen(HOOK_RWSEM_READ, TASKRT_LOCK_RWSEM_READ) |
	       hook_slowpath_seen(HOOK_RWSEM_WRITE, TASKRT_LOCK_RWSEM_WRITE);

	if (hook_attached(HOOK_SEMAPHORE) && hook_slowpath_spinlocks_seen())
		seen |= hook_slowpath_seen(HOOK_PERCPU_RWSEM, TASKRT_LOCK_OTHER);
	return seen;
}

bool hook_sees_any_lock(void)
{
	static const enum hook_id ids[] = {
#ifdef CONFIG_PREEMPT_RT
		HOOK_RT_SPIN_LOCK,
#else
		HOOK_MUTEX,
#endif
		HOOK_RWSEM_READ, HOOK_RWSEM_WRITE, HOOK_RT_MUTEX, HOOK_SEMAPHORE,
		HOOK_PERCPU_RWSEM,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++)
		if (hook_attached(ids[i]))
			return true;
	return false;
}
