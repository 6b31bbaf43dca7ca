// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a task: creation, an exec that changes its id, exit, reaping and free.  task_newtask
 * reports the creation, because sched_process_fork does not report workers of io_uring and vhost.
 */
#include <linux/mm_types.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include "compat/compat.h"
#include "hook/hook.h"
#include "hook/probes.h"
#include "observe/dispatch.h"
#include "task/children.h"
#include "track/exit.h"
#include "track/track.h"

static void hook_life_count(enum hook_id id, bool accounted)
{
	this_cpu_inc(hook_counts.hits[id]);
	if (!accounted)
		this_cpu_inc(hook_counts.misses[id]);
}

static void hook_life_newtask(void *data, struct task_struct *task, COMPAT_CLONE_FLAGS flags)
{
	/* The idle task of a CPU that comes online is not tracked. */
	if (task_pid_nr(task))
		hook_life_count(HOOK_TASK_NEWTASK, track_fork(task));
}

static void hook_life_free(void *data, struct task_struct *task)
{
	hook_life_count(HOOK_SCHED_PROCESS_FREE, track_free(task));
}

static void hook_life_exec(void *data, struct task_struct *task, pid_t old_pid,
			   struct linux_binprm *bprm)
{
	hook_life_count(HOOK_SCHED_PROCESS_EXEC, true);
	if (old_pid != task_pid_nr(task))
		track_renumbered(task);
	dispatch_exec(task);
}

/*
 * A task that dies of an oops never returns from its page fault or lock wait: end it here.
 * Otherwise the waits during the exit would count as a part of it.
 */
static void hook_life_thread_exiting(void)
{
	struct thread *t;

	preempt_disable_notrace();
	t = thread_of_cpu(current);
	if (t) {
		thread_exiting(t);
		if (unlikely(t->record.fault_depth || t->record.lock_addr))
			dispatch_abandon(t);
	}
	preempt_enable_notrace();
}

static void hook_life_exit(COMPAT_EXIT_ARGS)
{
	hook_life_thread_exiting();
	hook_life_count(HOOK_SCHED_PROCESS_EXIT, exit_note(task));
}

/* At this point of an exit, every kernel still knows whether the task is dumpable. */
static int hook_life_exiting(struct kprobe *probe, struct pt_regs *regs)
{
	struct thread *t;

	rcu_read_lock();
	t = thread_find(current);
	if (t)
		t->dumpable = compat_current_dumpable();
	rcu_read_unlock();
	hook_life_count(HOOK_EXIT_SIGNALS, t);
	return 0;
}

/*
 * Note only a parent that has waited.  If no parent waits, the task reaps itself, or an exiting
 * tracer reaps it.  Such a tracer has an exit_state.  The exiting init of a pid namespace has none
 * yet when it reaps the other tasks.
 */
static int hook_life_release(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	bool known = true;

	if (!thread_group_leader(task) || task->signal == current->signal ||
	    current->exit_state)
		return 0;
	rcu_read_lock();
	if (rcu_dereference(task->real_parent)->signal == current->signal)
		known = children_waited(task->signal, current->signal);
	rcu_read_unlock();
	hook_life_count(HOOK_RELEASE_TASK, known);
	return 0;
}

struct kprobe hook_kprobe_exiting;
struct kprobe hook_kprobe_release;

/* The probe stays disabled until a listener asks for the tasks of its own user only. */
void hook_exiting_prepare(void)
{
	hook_kprobe_exiting = (struct kprobe){
		.symbol_name = "exit_signals",
		.pre_handler = hook_life_exiting,
		.flags = KPROBE_FLAG_DISABLED,
	};
}

void hook_release_prepare(void)
{
	hook_kprobe_release = (struct kprobe){
		.symbol_name = "release_task",
		.pre_handler = hook_life_release,
	};
}

void * const hook_probe_newtask = hook_life_newtask;
void * const hook_probe_free = hook_life_free;
void * const hook_probe_exec = hook_life_exec;
void * const hook_probe_exit = hook_life_exit;

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_task_newtask(hook_life_newtask);
	check_trace_callback_type_sched_process_free(hook_life_free);
	check_trace_callback_type_sched_process_exec(hook_life_exec);
	check_trace_callback_type_sched_process_exit(hook_life_exit);
}
