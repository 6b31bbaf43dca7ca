// SPDX-License-Identifier: GPL-2.0-only
/*
 * While the worker that frees them has no CPU, a user may close a bounded number of
 * listeners; then no more are accepted, until those are freed.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "machine.h"
#include "module.h"
#include "tap.h"
#include "task.h"
#include "thread.h"

#define LIMIT	5			/* listeners_per_user */
#define LEAVING	(4 * LIMIT)		/* as docs/limits.md says */
#define KEPT	(4 * CLOCK_PATIENCE)

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static const struct ask_who other = { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 };
static const struct listener_filter mine = { .own = 1 };

/* Opens, registers and closes a listener.  0 or a negative errno. */
static int come_and_go(void)
{
	struct raw_answer answer;
	struct listener listener;
	int err;

	if (listener_try_open(&listener, NULL, NULL))
		_exit(200);
	err = listener_register(&listener, &mine, &answer);
	if (err && !answer.text[0])
		_exit(201);
	listener_close(&listener);
	return err;
}

/* Return: how many were accepted before EAGAIN; 255: another error, or no end. */
static int come_and_go_on(void *unused)
{
	unsigned int accepted = 0;
	int err;

	(void)unused;
	ask_become(&user);
	for (;;) {
		err = come_and_go();
		if (err)
			return err == -EAGAIN ? accepted : 255;
		if (++accepted == 10 * LEAVING)
			return 255;
	}
}

static int once(void *who)
{
	ask_become(who);
	return come_and_go();
}

static void keep_worker_on(int cpu)
{
	pid_t worker = task_named("taskrt");
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (!worker || sched_setaffinity(worker, sizeof(set), &set))
		tap_bail("the worker cannot be moved: %s", strerror(errno));
}

static void starved(void)
{
	machine_starve();
	thread_pin(0);
	keep_worker_on(1);
	machine_keep(KEPT);
	tap_equal(ask_in_child(come_and_go_on, NULL), LEAVING,
		  "a user may close %d listeners that are not freed, and then gets EAGAIN", LEAVING);
	tap_errno(ask_in_child(once, (void *)&other), 0, "another user is not refused");
	tap_errno(ask_in_child(once, (void *)&user), EAGAIN, "the user is still refused");
	tap_ok(machine_let_go(), "the worker had no CPU all the time");
	keep_worker_on(0);
	clock_await(!ask_in_child(once, (void *)&user), "the user is refused for ever");
	tap_errno(ask_in_child(once, (void *)&user), 0, "when they are freed, the user is accepted");
	machine_restore();
}

int main(void)
{
	char before[32];

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("closed listeners are bounded", "needs two processors");
		return tap_done();
	}
	if (thread_kernel_is_rt()) {
		tap_skip("closed listeners are bounded",
			 "on PREEMPT_RT, this test cannot keep a CPU from the worker");
		return tap_done();
	}
	if (module_get("listeners_per_user", before, sizeof(before)) ||
	    module_set("listeners_per_user", "5"))
		tap_bail("no parameter listeners_per_user");
	starved();
	module_set("listeners_per_user", before);
	return tap_done();
}
