// SPDX-License-Identifier: GPL-2.0-only
/*
 * While the worker that frees them has no CPU, a user may close a bounded number of
 * listeners; then no more are accepted, until those are freed.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "machine.h"
#include "module.h"
#include "tap.h"
#include "task.h"
#include "thread.h"

#define LIMIT	5		/* listeners_per_user */
#define LEAVING	64		/* as docs/user/limits.md says */
#define KEPT	(4 * CLOCK_PATIENCE)

static const struct listener_filter mine = { .own = 1 };

static struct shared {
	volatile int go, done;
	int accepted;		/* -1: another error than EAGAIN came */
	int other, again;	/* negative errnos */
} *shared;

static void be_user(uid_t uid)
{
	/* The saved ids stay root's. */
	if (setresuid(0, 0, 0) || setresgid(uid, uid, 0) || setresuid(uid, uid, 0))
		_exit(200);
}

/* Opens, registers and closes a listener.  0 or a negative errno. */
static int come_and_go(void)
{
	struct raw_answer answer;
	struct listener listener;
	int err;

	if (listener_try_open(&listener, NULL, NULL))
		_exit(201);
	err = listener_register(&listener, &mine, &answer);
	if (err && !answer.text[0])
		_exit(202);
	listener_close(&listener);
	return err;
}

/*
 * The process begins before the CPU is kept: a fork would make the thread that keeps it fault,
 * and wait.
 */
static int be_asker(void)
{
	int err = 0;

	clock_await(shared->go, "the CPU is not kept");
	be_user(ASK_USER);
	while (!err && shared->accepted < 10 * LEAVING) {
		err = come_and_go();
		shared->accepted += !err;
	}
	if (err != -EAGAIN)
		shared->accepted = -1;
	be_user(ASK_OTHER);
	shared->other = come_and_go();
	be_user(ASK_USER);
	shared->again = come_and_go();
	shared->done = 1;
	return 0;
}

static int once(void *unused)
{
	(void)unused;
	be_user(ASK_USER);
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
	pid_t asker;

	machine_starve();
	thread_pin(0);
	keep_worker_on(1);
	asker = fork();
	if (!asker)
		_exit(be_asker());
	machine_keep(KEPT);
	shared->go = 1;
	clock_await(shared->done, "the listeners are not closed");
	tap_ok(machine_let_go(), "the worker had no CPU all the time");
	keep_worker_on(0);
	waitpid(asker, NULL, 0);
	tap_equal(shared->accepted, LEAVING,
		  "a user may close %d listeners that are not freed, and then gets EAGAIN", LEAVING);
	tap_errno(shared->other, 0, "another user is not refused");
	tap_errno(shared->again, -EAGAIN, "the user is still refused");
	clock_await(!ask_in_child(once, NULL), "the user is refused for ever");
	tap_errno(ask_in_child(once, NULL), 0, "when they are freed, the user is accepted");
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
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("no memory");
	if (module_get("listeners_per_user", before, sizeof(before)) ||
	    module_set("listeners_per_user", "5"))
		tap_bail("no parameter listeners_per_user");
	starved();
	module_set("listeners_per_user", before);
	return tap_done();
}
