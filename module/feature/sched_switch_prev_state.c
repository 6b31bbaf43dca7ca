// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.18, and in some stable kernels before. */
#include <linux/sched.h>
#include <trace/events/sched.h>

void feature(void (*probe)(void *, bool, struct task_struct *, struct task_struct *, unsigned int))
{
	check_trace_callback_type_sched_switch(probe);
}
