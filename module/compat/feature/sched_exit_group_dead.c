// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.16. */
#include <linux/sched.h>
#include <trace/events/sched.h>

void feature(void (*probe)(void *, struct task_struct *, bool));
void feature(void (*probe)(void *, struct task_struct *, bool))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_sched_process_exit(probe);
#else
	check_trace_callback_type_sched_process_exit((void *)probe);
#endif
}
