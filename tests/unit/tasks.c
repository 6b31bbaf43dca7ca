// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk over all tasks: it visits each task that stays, however the others come and go,
 * and holds the RCU read lock for a bounded number of ids.  The file of the module is
 * included; the ids and the lock of the kernel are played here.
 */
#include <errno.h>
#include <stddef.h>

#include "tap.h"

struct task_struct {
	unsigned int visits;
};

struct pid {
	int nr;
	struct task_struct *task;
};

#define IDS	5000

static struct pid *ids[IDS];
static struct pid pids[IDS];
static struct task_struct tasks[IDS];
static unsigned int locked, looks, most_looks;

static struct { int idr; } init_pid_ns;

#define PIDTYPE_PID	0

static void rcu_read_lock(void)
{
	locked++;
	looks = 0;
}

static void rcu_read_unlock(void)
{
	locked--;
	if (looks > most_looks)
		most_looks = looks;
}

static void *idr_get_next(const int *idr, int *nr)
{
	(void)idr;
	looks++;
	for (; *nr < IDS; (*nr)++)
		if (ids[*nr])
			return locked == 1 ? ids[*nr] : NULL;
	return NULL;
}

static struct task_struct *pid_task(const struct pid *pid, int type)
{
	(void)type;
	return pid->task;
}

#include "track/tasks.c"

/* Every third id has a task, and one of each hundred is that of a session alone. */
static void begin(void)
{
	int i;

	most_looks = 0;
	for (i = 1; i < IDS; i++) {
		tasks[i].visits = 0;
		pids[i] = (struct pid){ i, i % 100 == 2 ? NULL : &tasks[i] };
		ids[i] = i % 3 ? NULL : &pids[i];
	}
	pids[IDS - 1].task = &tasks[IDS - 1];
	ids[IDS - 1] = &pids[IDS - 1];
}

static int visit(struct task_struct *task, void *arg)
{
	(void)arg;
	task->visits++;
	return 0;
}

static unsigned int count_other_than(unsigned int visits)
{
	unsigned int i, count = 0;

	for (i = 1; i < IDS; i++)
		count += ids[i] && ids[i]->task && ids[i]->task->visits != visits;
	return count;
}

static void all(void)
{
	struct tasks at = { 0 };
	unsigned int strides = 1;

	begin();
	while (tasks_stride(&at, visit, NULL))
		strides++;
	tap_equal(count_other_than(1), 0, "each task is visited once");
	tap_at_most(most_looks, TASKS_STRIDE, "never more ids under one lock than a stride");
	tap_at_least(strides, IDS / 3 / TASKS_STRIDE, "the lock is released between");
	tap_equal(locked, 0, "and in the end");
	tap_equal(tasks_stride(&at, visit, NULL), 0, "nobody comes after the last");
}

/* Between two strides the task at which the cursor stands ends, and others with it. */
static void some_end(void)
{
	struct tasks at = { 0 };
	int i;

	begin();
	while (tasks_stride(&at, visit, NULL))
		for (i = at.passed - 30; i < at.passed + 30; i++)
			if (i > 0 && i < IDS)
				ids[i] = NULL;
	tap_equal(count_other_than(1), 0, "those that stay are visited once, whoever ends");
}

static int fails;

static int fail_once(struct task_struct *task, void *arg)
{
	if (task == &tasks[999] && !fails++)
		return -ENOMEM;
	return visit(task, arg);
}

static void again(void)
{
	struct tasks at = { 0 };
	int err;

	begin();
	do
		err = tasks_stride(&at, fail_once, NULL);
	while (err == 1);
	tap_equal(err, -ENOMEM, "a failure ends the stride");
	tap_equal(tasks[996].visits, 1, "after those before it");
	tap_equal(tasks[999].visits, 0, "at the task that failed");
	while (tasks_stride(&at, fail_once, NULL))
		;
	tap_equal(count_other_than(1), 0, "and the walk continues there");
}

/* A thread with a high id takes over that of its leader, which the walk has passed. */
static void taken_over(void)
{
	struct tasks at = { 0 };

	begin();
	tasks_stride(&at, visit, NULL);
	ids[3]->task = &tasks[IDS - 2];
	ids[IDS - 2] = NULL;
	while (tasks_stride(&at, visit, NULL))
		;
	tap_equal(tasks[IDS - 2].visits, 0, "who takes over an id may be missed: see the exec hook");
	tap_equal(count_other_than(1), 1, "and nobody else is");
}

int main(void)
{
	all();
	some_end();
	again();
	taken_over();
	return tap_done();
}
