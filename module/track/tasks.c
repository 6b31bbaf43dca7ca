// SPDX-License-Identifier: GPL-2.0-only
#include <linux/idr.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include "track/tasks.h"

#define TASKS_STRIDE	256	/* how many ids are visited under one RCU read lock */

/* A task, unless idle, has an id in init_pid_ns from before its fork hook until it is reaped. */
static struct pid *tasks_next_pid(int *nr)
{
	/* Like find_ge_pid(), which 5.10 does not export. */
	return idr_get_next(&init_pid_ns.idr, nr);
}

int tasks_stride(struct tasks *at, int (*visit)(struct task_struct *task, void *arg), void *arg)
{
	int i, err = 1;

	rcu_read_lock();
	for (i = 0; i < TASKS_STRIDE && err == 1; i++) {
		int nr = at->passed + 1;
		struct pid *pid = tasks_next_pid(&nr);
		/* An id may outlive its task, for example as the id of a session. */
		struct task_struct *task = pid ? pid_task(pid, PIDTYPE_PID) : NULL;

		if (!pid)
			err = 0;
		else if (task)
			err = visit(task, arg) ?: 1;
		if (err == 1)
			at->passed = nr;
	}
	rcu_read_unlock();
	return err;
}
