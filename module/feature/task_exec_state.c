// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 7.2: what is dumpable is the task, not its mm. */
#include <linux/sched.h>
#include <linux/sched/exec_state.h>

bool feature(struct task_exec_state *state)
{
	return READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
}
