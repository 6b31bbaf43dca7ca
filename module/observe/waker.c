// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include "compat/compat.h"
#include "observe/waker.h"
#include "policy/access.h"

/*
 * The rule of policy/access.c, for the current task as the target.  Capabilities do not help,
 * because security modules cannot be asked under a runqueue lock.
 */
static bool waker_permitted(const struct task_struct *woken)
{
	bool permitted;

	if (current->signal == woken->signal || current->flags & PF_KTHREAD)
		return true;
	rcu_read_lock();
	permitted = access_same_user(__task_cred(woken), current_real_cred());
	rcu_read_unlock();
	/* An exiting task has no address space left to say whether it is dumpable. */
	return permitted && current->mm && compat_current_dumpable();
}

/* The current task's tid in the pid namespace of @woken; 0: it has none, or @woken was released. */
static u32 waker_tid(struct task_struct *woken)
{
	/* Preemption is off, so RCU keeps the pid. */
	struct pid *pid = READ_ONCE(woken->thread_pid);

	return pid ? task_pid_nr_ns(current, ns_of_pid(pid)) : 0;
}

u8 waker_note_any(struct taskrt_waker *who, struct task_struct *woken)
{
	u32 tid;

	if (!in_task() || is_idle_task(current))
		return TASKRT_WAKER_INTERRUPT;
	tid = waker_permitted(woken) ? waker_tid(woken) : 0;
	return tid ? waker_note_task(who, tid) : TASKRT_WAKER_OTHER;
}
