// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 7.2: dumpability belongs to the task, not to its mm. */
#include <linux/sched.h>
#ifndef TASKRT_CONTROL
#include <linux/sched/exec_state.h>
#endif

struct task_exec_state;

bool feature(struct task_exec_state *state);
bool feature(struct task_exec_state *state)
{
#ifndef TASKRT_CONTROL
	return READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
#else
	return state;
#endif
}
