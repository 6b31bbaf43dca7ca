// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/nsproxy.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>
#include "compat/compat.h"

#ifdef TASKRT_HAVE_TASK_EXEC_STATE
/* Dumpability belongs to the task, and outlives the mm. */
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

struct user_namespace *compat_task_memory_ns(struct task_struct *task)
{
	const struct task_exec_state *exec_state;
	struct user_namespace *ns;

	rcu_read_lock();
	exec_state = rcu_dereference(task->exec_state);
	ns = get_user_ns(exec_state ? exec_state->user_ns : &init_user_ns);
	rcu_read_unlock();
	return ns;
}

bool compat_current_dumpable(void)
{
	return compat_task_dumpable(current);
}
#else
/* get_dumpable() itself is not exported. */
static int compat_mm_dumpable(struct mm_struct *mm)
{
#ifdef TASKRT_HAVE_MM_FLAGS_WORD
	return __get_dumpable(__mm_flags_get_word(mm));
#else
	return __get_dumpable(READ_ONCE(mm->flags));
#endif
}

/* At most this many threads of a process are searched for its mm. */
#define COMPAT_THREADS_ASKED	64

/* Return: what compat_mm_dumpable() says, or -1 if the thread has no mm. */
static int compat_thread_dumpable(struct task_struct *task)
{
	int dumpable;

	task_lock(task);
	dumpable = task->mm ? compat_mm_dumpable(task->mm) : -1;
	task_unlock(task);
	return dumpable;
}

/* The thread has no mm: it is a kernel thread, or has exited.  True if it was dumpable. */
static bool compat_thread_was_dumpable(struct task_struct *task)
{
#ifdef TASKRT_HAVE_TASK_USER_DUMPABLE
	bool dumpable;

	task_lock(task);
	dumpable = task->user_dumpable;
	task_unlock(task);
	return dumpable;
#else
	return true;
#endif
}

/* A thread that has exited has no mm, but other threads of its process may still have it. */
bool compat_task_dumpable(struct task_struct *task)
{
	int dumpable = compat_thread_dumpable(task), left = COMPAT_THREADS_ASKED;
	struct task_struct *thread;

	if (likely(dumpable >= 0))
		return dumpable == SUID_DUMP_USER;
	rcu_read_lock();
	compat_for_each_thread(task, thread) {
		dumpable = compat_thread_dumpable(thread);
		if (dumpable >= 0 || !--left)
			break;
	}
	rcu_read_unlock();
	/* Use the present mm: it may have become less accessible since this thread exited. */
	if (dumpable >= 0)
		return dumpable == SUID_DUMP_USER;
	return left && compat_thread_was_dumpable(task);
}

struct user_namespace *compat_task_memory_ns(struct task_struct *task)
{
	struct user_namespace *ns;

	task_lock(task);
	ns = get_user_ns(task->mm ? task->mm->user_ns : &init_user_ns);
	task_unlock(task);
	return ns;
}

/* No lock is needed: only the current task itself drops its mm. */
bool compat_current_dumpable(void)
{
	return !current->mm || compat_mm_dumpable(current->mm) == SUID_DUMP_USER;
}
#endif

#if defined(CONFIG_CGROUPS) && !defined(TASKRT_HAVE_CGROUP_GET_FROM_ID)
/* At most this many cgroups are visited under one RCU read lock. */
#define STRIDE	256

/*
 * Continues the walk after @from, and drops the reference to @from; NULL starts the walk at @root.
 * Return: the cgroup with this id, or another one to continue after, with a reference; NULL at the
 * end.
 */
static struct cgroup *compat_cgroup_look_on(struct cgroup *root, struct cgroup *from, u64 id)
{
	struct cgroup_subsys_state *at = from ? &from->self : NULL;
	int n = 0;

	rcu_read_lock();
	while ((at = css_next_descendant_pre(at, &root->self))) {
		const bool enough = ++n >= STRIDE || cgroup_id(at->cgroup) == id;

		/* If the cgroup is being freed, no reference can be taken: walk on. */
		if (enough && cgroup_tryget(at->cgroup))
			break;
	}
	rcu_read_unlock();
	if (from)
		cgroup_put(from);
	return at ? at->cgroup : NULL;
}

struct cgroup *compat_cgroup_get_from_id(u64 id)
{
	struct cgroup *root = current->nsproxy->cgroup_ns->root_cset->dfl_cgrp, *at = NULL;

	while ((at = compat_cgroup_look_on(root, at, id)) && cgroup_id(at) != id) {
		if (fatal_signal_pending(current)) {
			cgroup_put(at);
			return ERR_PTR(-EINTR);
		}
		cond_resched();
	}
	/* The walk also finds a removed cgroup, as long as something holds a reference to it. */
	if (at && !(READ_ONCE(at->self.flags) & CSS_ONLINE)) {
		cgroup_put(at);
		at = NULL;
	}
	return at ?: ERR_PTR(-ENOENT);
}
#endif

void *compat_sleeper_function(void)
{
	struct hrtimer_sleeper sleeper;
	void *function;

#ifdef TASKRT_HAVE_HRTIMER_SETUP
	hrtimer_setup_sleeper_on_stack(&sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_init_sleeper_on_stack(&sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#endif
	function = compat_hrtimer_function(&sleeper.timer);
	destroy_hrtimer_on_stack(&sleeper.timer);
	return function;
}
