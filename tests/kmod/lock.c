// SPDX-License-Identifier: GPL-2.0-only
/* One lock of each kind, and a kernel thread that holds it. */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/osq_lock.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched/task.h>
#include <linux/semaphore.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "internal.h"

static DEFINE_MUTEX(mutex);
static DECLARE_RWSEM(rwsem);
static DEFINE_RT_MUTEX(rt_mutex);
static struct semaphore semaphore;
static DEFINE_SPINLOCK(spinlock);
static DEFINE_RWLOCK(rwlock);

struct holding {
	struct test_file *file;
	struct taskrt_test_hold hold;
	struct completion held;
};

static void take_mutex(void) { mutex_lock(&mutex); }
static void drop_mutex(void) { mutex_unlock(&mutex); }
static void take_read(void) { down_read(&rwsem); }
static void drop_read(void) { up_read(&rwsem); }
static void take_write(void) { down_write(&rwsem); }
static void drop_write(void) { up_write(&rwsem); }
static void take_rt_mutex(void) { rt_mutex_lock(&rt_mutex); }
static void drop_rt_mutex(void) { rt_mutex_unlock(&rt_mutex); }
static void take_semaphore(void) { down(&semaphore); }
static void drop_semaphore(void) { up(&semaphore); }
static void take_spinlock(void) __acquires(&spinlock) { spin_lock(&spinlock); }
static void drop_spinlock(void) __releases(&spinlock) { spin_unlock(&spinlock); }
static void take_rwlock_read(void) __acquires(&rwlock) { read_lock(&rwlock); }
static void drop_rwlock_read(void) __releases(&rwlock) { read_unlock(&rwlock); }
static void take_rwlock_write(void) __acquires(&rwlock) { write_lock(&rwlock); }
static void drop_rwlock_write(void) __releases(&rwlock) { write_unlock(&rwlock); }

static const struct {
	void (*take)(void);
	void (*drop)(void);
} locks[TASKRT_TEST_NR_LOCKS] = {
	[TASKRT_TEST_MUTEX] = { take_mutex, drop_mutex },
	[TASKRT_TEST_RWSEM_READ] = { take_read, drop_read },
	[TASKRT_TEST_RWSEM_WRITE] = { take_write, drop_write },
	[TASKRT_TEST_RT_MUTEX] = { take_rt_mutex, drop_rt_mutex },
	[TASKRT_TEST_SEMAPHORE] = { take_semaphore, drop_semaphore },
	[TASKRT_TEST_SPINLOCK] = { take_spinlock, drop_spinlock },
	[TASKRT_TEST_RWLOCK_READ] = { take_rwlock_read, drop_rwlock_read },
	[TASKRT_TEST_RWLOCK_WRITE] = { take_rwlock_write, drop_rwlock_write },
};

void test_lock_init(void)
{
	sema_init(&semaphore, 1);
}

bool test_lock_known(u32 lock)
{
	return lock < TASKRT_TEST_NR_LOCKS;
}

bool test_lock_is_atomic(u32 lock)
{
	return lock == TASKRT_TEST_SPINLOCK || lock == TASKRT_TEST_RWLOCK_READ ||
	       lock == TASKRT_TEST_RWLOCK_WRITE;
}

void test_lock_take(u32 lock)
{
	locks[lock].take();
}

void test_lock_drop(u32 lock)
{
	locks[lock].drop();
}

#ifdef CONFIG_PREEMPT_RT
/* On PREEMPT_RT a thread sleeps for each of these locks. */
bool test_lock_spun_for(u32 lock)
{
	return false;
}
#else
bool test_lock_spun_for(u32 lock)
{
	/* In a guest the lock itself need not show a waiter: assume that it is about to spin. */
	if (test_lock_is_atomic(lock))
		return true;
#ifdef CONFIG_MUTEX_SPIN_ON_OWNER
	if (lock == TASKRT_TEST_MUTEX)
		return osq_is_locked(&mutex.osq);
#endif
	return false;
}
#endif

/* A spinlock cannot be held for long: the kernel would complain. */
#define SPINLOCK_PATIENCE_NS	(5ULL * NSEC_PER_SEC)

/* Called with the lock held.  Returns when a thread waits for it, or when none is expected to. */
static void await_taker(const struct taskrt_test_hold *hold)
{
	u64 end = ktime_get_ns() + SPINLOCK_PATIENCE_NS;

	while (!test_take_waits(hold->lock, hold->how) && !kthread_should_stop()) {
		if (hold->how == TASKRT_TEST_UNINTERRUPTIBLE)
			schedule_timeout_uninterruptible(1);
		else if (!test_lock_is_atomic(hold->lock))
			cond_resched();
		else if (ktime_get_ns() > end)
			break;
		else
			cpu_relax();
	}
}

static int holder(void *arg)
{
	struct holding *holding = arg;
	/* The caller's stack is gone after complete(). */
	struct taskrt_test_hold hold = holding->hold;
	struct test_file *file = holding->file;

	test_lock_take(hold.lock);
	complete(&holding->held);
	if (hold.ns && hold.ns != TASKRT_TEST_FOR_EVER)
		await_taker(&hold);
	test_delay(file, hold.how, hold.ns);
	test_lock_drop(hold.lock);
	return 0;
}

/*
 * Waits for the end of the hold, which waits for no taker any more.  Called with
 * file->guard held, or by the last user.
 */
void test_lock_unhold(struct test_file *file)
{
	if (!file->holder)
		return;
	kthread_stop(file->holder);
	put_task_struct(file->holder);
	file->holder = NULL;
}

/* Called with file->guard held. */
int test_lock_hold(struct test_file *file, const struct taskrt_test_hold *hold)
{
	struct holding holding = { .file = file, .hold = *hold };
	struct task_struct *task;
	unsigned int cpu;

	if (hold->how != TASKRT_TEST_UNINTERRUPTIBLE && hold->how != TASKRT_TEST_BUSY)
		return -EINVAL;
	test_lock_unhold(file);
	init_completion(&holding.held);
	task = kthread_create(holder, &holding, "taskrt_holder");
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* A busy holder must not keep the waiter from trying. */
	cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (cpu < nr_cpu_ids)
		kthread_bind(task, cpu);
	get_task_struct(task);
	file->holder = task;
	wake_up_process(task);
	wait_for_completion(&holding.held);
	return 0;
}
