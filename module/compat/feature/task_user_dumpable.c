// SPDX-License-Identifier: GPL-2.0-only
/* Upstream in 7.1, and in stable series since May 2026. */
#include <linux/sched.h>

bool feature(struct task_struct *task);
bool feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->user_dumpable;
#else
	return task->in_execve;
#endif
}
