/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over all tasks, in the order of their ids, in strides.  The RCU read lock is held for one
 * stride only.
 *
 * The cursor is an id, because a task may be freed between two strides.  A task that exists
 * throughout the walk is visited, with one exception.  A thread that executes a program takes over
 * the id of its leader.  If the walk has passed this id, but not the thread's former one, it misses
 * the thread.  The exec hook, which comes later, then calls rescan_renumbered().  A task that is
 * created during the walk may be visited or not.
 */
#ifndef TASKRT_TASKS_H
#define TASKRT_TASKS_H

struct task_struct;

/* A cursor; all zero at the start of a walk. */
struct tasks {
	int passed;	/* ids up to this were visited; of the initial pid namespace */
};

/*
 * tasks_stride() - visit the next tasks
 * @visit: may not sleep.  A result other than 0, which must be negative, ends the stride, and the
 *	   next one starts with the same task.
 * Return: 1 if more tasks may follow; 0 after the last; or what @visit returned.
 */
int tasks_stride(struct tasks *at, int (*visit)(struct task_struct *task, void *arg), void *arg);

#endif /* TASKRT_TASKS_H */
