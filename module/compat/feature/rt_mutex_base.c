// SPDX-License-Identifier: GPL-2.0-only
/* 5.15 split off struct rt_mutex_base, which PREEMPT_RT's other locks share: 830e6acc8a1c. */
#include <linux/rtmutex.h>

struct rt_mutex_base;

struct task_struct *feature(struct rt_mutex_base *lock);
struct task_struct *feature(struct rt_mutex_base *lock)
{
#ifndef TASKRT_CONTROL
	return lock->owner;
#else
	return (void *)lock;
#endif
}
