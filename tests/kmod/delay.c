// SPDX-License-Identifier: GPL-2.0-only
/* Let time pass inside the kernel, in each of the ways a thread can. */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "internal.h"

/* One sleep, and the work that ends it. */
struct sleeper {
	struct delayed_work waker;
	struct task_struct *task;
	unsigned long nvcsw;		/* before it */
	u64 ns, end;			/* 0: it has not left its CPU */
	bool over;
};

int test_delay_check(u32 how, u64 ns)
{
	if (ns == TASKRT_TEST_FOR_EVER)
		return how == TASKRT_TEST_UNINTERRUPTIBLE ? 0 : -EINVAL;
	return how < TASKRT_TEST_NR_HOWS && ns <= TEST_MAX_NS ? 0 : -EINVAL;
}

static void busy_until(u64 end)
{
	while (ktime_get_ns() < end)
		cpu_relax();
}

/* It may be preempted, and stays on its runqueue.  Nobody who waits for RCU waits for it. */
static void about_to_sleep_until(u64 end)
{
	set_current_state(TASK_INTERRUPTIBLE);
	while (ktime_get_ns() < end && !fatal_signal_pending(current)) {
		cpu_relax();
		cond_resched_tasks_rcu_qs();
	}
	__set_current_state(TASK_RUNNING);
}

/* Jiffies until end, at least one.  It is rounded up, because the tick before end is too early. */
static long left(u64 end)
{
	s64 ns = end - ktime_get_ns();

	return ns > 0 ? nsecs_to_jiffies(ns) + 1 : 1;
}

/*
 * A timeout of the sleeper's own would begin before it sleeps, and on a busy host
 * might be over by then.
 */
static void wake(struct work_struct *work)
{
	struct sleeper *sleeper = container_of(to_delayed_work(work), struct sleeper, waker);

	if (!sleeper->end && test_is_asleep(sleeper->task, sleeper->nvcsw))
		sleeper->end = ktime_get_ns() + sleeper->ns;
	if (!sleeper->end || ktime_get_ns() < sleeper->end) {
		schedule_delayed_work(&sleeper->waker, sleeper->end ? left(sleeper->end) : 1);
		return;
	}
	WRITE_ONCE(sleeper->over, true);
	wake_up_process(sleeper->task);
}

static void sleep_once(struct sleeper *sleeper, u32 how)
{
	set_current_state(how == TASKRT_TEST_INTERRUPTIBLE ? TASK_INTERRUPTIBLE :
							     TASK_UNINTERRUPTIBLE);
	if (READ_ONCE(sleeper->over))
		__set_current_state(TASK_RUNNING);
	else if (how == TASKRT_TEST_IO)
		io_schedule();
	else
		schedule();
}

static int asleep_for(u32 how, u64 ns)
{
	struct sleeper sleeper = { .task = current, .nvcsw = current->nvcsw, .ns = ns };
	int err = 0;

	INIT_DELAYED_WORK_ONSTACK(&sleeper.waker, wake);
	schedule_delayed_work(&sleeper.waker, 0);
	while (!READ_ONCE(sleeper.over)) {
		if (how == TASKRT_TEST_INTERRUPTIBLE && signal_pending(current)) {
			err = -EINTR;
			break;
		}
		sleep_once(&sleeper, how);
	}
	cancel_delayed_work_sync(&sleeper.waker);
	destroy_delayed_work_on_stack(&sleeper.waker);
	return err;
}

int test_delay(struct test_file *file, u32 how, u64 ns)
{
	if (!ns && how != TASKRT_TEST_LOCKED)
		return 0;
	switch (how) {
	case TASKRT_TEST_UNINTERRUPTIBLE:
		if (ns != TASKRT_TEST_FOR_EVER)
			return asleep_for(how, ns);
		wait_for_completion_timeout(&file->released, TEST_FOR_EVER);
		return 0;
	case TASKRT_TEST_INTERRUPTIBLE:
	case TASKRT_TEST_IO:
		return asleep_for(how, ns);
	case TASKRT_TEST_BUSY:
		busy_until(ktime_get_ns() + ns);
		return 0;
	case TASKRT_TEST_ABOUT_TO_SLEEP:
		about_to_sleep_until(ktime_get_ns() + ns);
		return 0;
	case TASKRT_TEST_LOCKED:
		test_take(TASKRT_TEST_MUTEX);
		test_lock_drop(TASKRT_TEST_MUTEX);
		return 0;
	}
	return -EINVAL;
}
