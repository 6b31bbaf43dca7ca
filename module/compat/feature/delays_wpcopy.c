// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.0; without delay accounting there is no member at all. */
#include <linux/sched.h>
#include <linux/delayacct.h>	/* needs the type of its lock */

u64 feature(struct task_struct *task);
u64 feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->delays->wpcopy_delay;
#else
	return task->start_time;
#endif
}
