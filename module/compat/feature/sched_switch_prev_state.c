// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.18, and in some stable kernels before that. */
#include <linux/sched.h>
#include <trace/events/sched.h>

typedef void (*probe_fn)(void *, bool, struct task_struct *, struct task_struct *, unsigned int);

void feature(probe_fn probe);
void feature(probe_fn probe)
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_sched_switch(probe);
#else
	check_trace_callback_type_sched_switch((void *)probe);
#endif
}
