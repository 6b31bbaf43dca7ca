// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.14; before, it was called state. */
#include <linux/sched.h>

unsigned int feature(struct task_struct *task)
{
	return READ_ONCE(task->__state);
}
