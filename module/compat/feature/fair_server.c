// SPDX-License-Identifier: GPL-2.0-only
/*
 * Upstream since 6.12 (5f6bd380c7bd): a server runs fair tasks that wait for real-time tasks,
 * and no longer defers to a limit of these.  Servers are deferred since then (a110a81c52a9).
 */
#include <linux/sched.h>

bool feature(const struct task_struct *task);
bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->dl_server && task->dl.dl_defer;
#else
	return task->dl.dl_throttled;
#endif
}
