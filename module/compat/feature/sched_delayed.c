// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.12 (152e11f6df29): a task that sleeps may stay on its runqueue for a while. */
#include <linux/sched.h>

bool feature(const struct task_struct *task);
bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->se.sched_delayed;
#else
	return task->se.on_rq;
#endif
}
