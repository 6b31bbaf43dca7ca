// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched/mm.h>
#include "compat/compat.h"

#ifdef TASKRT_HAVE_TASK_EXEC_STATE
/* Dumpability is the task's, and outlives the mm. */
#include <linux/sched/exec_state.h>

bool compat_task_dumpable(struct task_struct *task)
{
	const struct task_exec_state *exec_state;
	bool dumpable;

	rcu_read_lock();
	exec_state = rcu_dereference(task->exec_state);
	dumpable = !exec_state || READ_ONCE(exec_state->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return dumpable;
}

bool compat_current_dumpable(void)
{
	return compat_task_dumpable(current);
}
#else
/* get_dumpable() itself is not exported. */
static int mm_dumpable(struct mm_struct *mm)
{
#ifdef TASKRT_HAVE_MM_FLAGS_WORD
	return __get_dumpable(__mm_flags_get_word(mm));
#else
	return __get_dumpable(READ_ONCE(mm->flags));
#endif
}

bool compat_task_dumpable(struct task_struct *task)
{
	bool dumpable;

	task_lock(task);
	dumpable = !task->mm || mm_dumpable(task->mm) == SUID_DUMP_USER;
	task_unlock(task);
	return dumpable;
}

/* Its mm is its own to drop. */
bool compat_current_dumpable(void)
{
	return !current->mm || mm_dumpable(current->mm) == SUID_DUMP_USER;
}
#endif
