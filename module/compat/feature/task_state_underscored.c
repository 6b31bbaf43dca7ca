// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.14; before, the member was called state. */
#include <linux/sched.h>

unsigned int feature(struct task_struct *task);
unsigned int feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return READ_ONCE(task->__state);
#else
	return READ_ONCE(task->flags);
#endif
}
