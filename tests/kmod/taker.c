// SPDX-License-Identifier: GPL-2.0-only
/* The threads that want a lock, so that its holder knows when one of them waits for it. */
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "internal.h"

struct taker {
	struct list_head node;
	struct task_struct *task;
	unsigned long nvcsw;		/* before it takes the lock */
	u32 lock;
};

static LIST_HEAD(takers);
/* Raw, so that nobody is seen to wait for it. */
static DEFINE_RAW_SPINLOCK(guard);

/* The two rwsems are the same one, and so are the two rwlocks. */
static u32 lock_itself(u32 lock)
{
	switch (lock) {
	case TASKRT_TEST_RWSEM_WRITE:
		return TASKRT_TEST_RWSEM_READ;
	case TASKRT_TEST_RWLOCK_WRITE:
		return TASKRT_TEST_RWLOCK_READ;
	}
	return lock;
}

void test_take(u32 lock)
{
	struct taker taker = {
		.task = current, .nvcsw = current->nvcsw, .lock = lock_itself(lock),
	};

	raw_spin_lock(&guard);
	list_add(&taker.node, &takers);
	raw_spin_unlock(&guard);
	test_lock_take(lock);
	raw_spin_lock(&guard);
	list_del(&taker.node);
	raw_spin_unlock(&guard);
}

bool test_is_asleep(const struct task_struct *task, unsigned long nvcsw)
{
	if (READ_ONCE(task->nvcsw) == nvcsw)
		return false;
	smp_rmb();	/* it is counted before it leaves its CPU */
	return !READ_ONCE(task->on_cpu);
}

/* A thread queues up for an rt_mutex before it spins for a busy owner. */
static bool is_queued(const struct task_struct *task)
{
	return READ_ONCE(task->pi_blocked_on);
}

bool test_take_waits(u32 lock, u32 how)
{
	struct taker *taker;
	bool waits = false;

	raw_spin_lock(&guard);
	list_for_each_entry(taker, &takers, node)
		if (taker->lock == lock_itself(lock))
			waits |= test_is_asleep(taker->task, taker->nvcsw) ||
				 (how == TASKRT_TEST_BUSY &&
				  (is_queued(taker->task) || test_lock_spun_for(lock)));
	raw_spin_unlock(&guard);
	return waits;
}
