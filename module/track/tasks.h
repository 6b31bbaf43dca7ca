/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over all tasks, in the order of their ids, in strides.  The RCU read lock is
 * held for one stride only, however many tasks there are.
 *
 * The cursor is an id, as in a dump, because a task cannot be held on to: it may be freed
 * between two strides.  A task that is there throughout the walk is visited, with one
 * exception.  A thread that executes a program takes over the id of its leader.  If the
 * walk has passed that id, and not the thread's former one, the walk does not come to the
 * thread.  The hook of the exec comes after that, and sees to it: rescan_renumbered().
 * Nothing else changes the id of a task.  A task that is created during the walk may be
 * visited or not.
 */
#ifndef TASKRT_TASKS_H
#define TASKRT_TASKS_H

struct task_struct;

/* A cursor.  All zero: the walk begins. */
struct tasks {
	int passed;	/* ids up to this were visited; of the initial pid namespace */
};

/*
 * tasks_stride() - visit the next tasks
 * @visit: called under the RCU read lock, in which it may not sleep.  Any result but 0
 *	   ends the stride, and the next one begins with the same task.
 *
 * Return: 1 if more tasks may follow, 0 after the last, or what @visit returned, which
 * is negative.
 */
int tasks_stride(struct tasks *at, int (*visit)(struct task_struct *task, void *arg), void *arg);

#endif /* TASKRT_TASKS_H */
