// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task is made, takes over another's id, is freed.  task_newtask rather than
 * sched_process_fork: it also reports io_uring's and vhost's workers.
 */
#include <linux/mm_types.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include "compat.h"
#include "hook.h"
#include "track.h"

static void count(enum hook_id id, bool accounted)
{
	this_cpu_inc(hook_counts.hits[id]);
	if (!accounted)
		this_cpu_inc(hook_counts.misses[id]);
}

static void on_newtask(void *data, struct task_struct *task, COMPAT_CLONE_FLAGS flags)
{
	/* The idle task of a CPU that comes up is nobody's. */
	if (task_pid_nr(task))
		count(HOOK_TASK_NEWTASK, track_fork(task));
}

static void on_free(void *data, struct task_struct *task)
{
	count(HOOK_SCHED_PROCESS_FREE, track_free(task));
}

static void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	count(HOOK_SCHED_PROCESS_EXEC, true);
	if (old_pid != task_pid_nr(task))
		track_renumbered();
}

void * const hook_probe_newtask = on_newtask;
void * const hook_probe_free = on_free;
void * const hook_probe_exec = on_exec;

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_task_newtask(on_newtask);
	check_trace_callback_type_sched_process_free(on_free);
	check_trace_callback_type_sched_process_exec(on_exec);
}
