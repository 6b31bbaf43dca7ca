// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.18 (e1fad12dcb66): the tasks of a throttled group are throttled one by one. */
#include <linux/sched.h>

bool feature(const struct task_struct *task);
bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->throttled && !list_empty(&task->throttle_node);
#else
	return list_empty(&task->tasks);
#endif
}
