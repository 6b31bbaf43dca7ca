// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.18. */
#include <linux/sched.h>
#include <trace/events/task.h>

void feature(void (*probe)(void *, struct task_struct *, u64));
void feature(void (*probe)(void *, struct task_struct *, u64))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_task_newtask(probe);
#else
	check_trace_callback_type_task_newtask((void *)probe);
#endif
}
