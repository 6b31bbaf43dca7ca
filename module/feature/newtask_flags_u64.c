// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.18. */
#include <linux/sched.h>
#include <trace/events/task.h>

void feature(void (*probe)(void *, struct task_struct *, u64))
{
	check_trace_callback_type_task_newtask(probe);
}
