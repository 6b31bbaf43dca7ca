// SPDX-License-Identifier: GPL-2.0-only
/* Let time pass inside the kernel, in each of the ways a thread can. */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "internal.h"

int test_delay_check(u32 how, u64 ns)
{
	return how < TASKRT_TEST_NR_HOWS && ns <= TEST_MAX_NS ? 0 : -EINVAL;
}

static void busy_until(u64 end)
{
	while (ktime_get_ns() < end)
		cpu_relax();
}

/* Jiffies until end, one at least: the tick before it is no good. */
static long left(u64 end)
{
	s64 ns = end - ktime_get_ns();

	return ns > 0 ? nsecs_to_jiffies(ns) + 1 : 1;
}

static void io_until(u64 end)
{
	while (ktime_get_ns() < end) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		io_schedule_timeout(left(end));
	}
}

static void uninterruptible_until(u64 end)
{
	while (ktime_get_ns() < end)
		schedule_timeout_uninterruptible(left(end));
}

static int interruptible_until(u64 end)
{
	while (ktime_get_ns() < end) {
		if (signal_pending(current))
			return -EINTR;
		schedule_timeout_interruptible(left(end));
	}
	return 0;
}

int test_delay(u32 how, u64 ns)
{
	u64 end = ktime_get_ns() + ns;

	switch (how) {
	case TASKRT_TEST_UNINTERRUPTIBLE:
		uninterruptible_until(end);
		return 0;
	case TASKRT_TEST_INTERRUPTIBLE:
		return interruptible_until(end);
	case TASKRT_TEST_IO:
		io_until(end);
		return 0;
	case TASKRT_TEST_BUSY:
		busy_until(end);
		return 0;
	case TASKRT_TEST_LOCKED:
		test_lock_take(TASKRT_TEST_MUTEX);
		test_lock_drop(TASKRT_TEST_MUTEX);
		return 0;
	}
	return -EINVAL;
}
