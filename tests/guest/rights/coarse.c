// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times are rounded for tasks without CAP_PERFMON, and on sockets that such a task has opened,
 * and exact for the others.
 */
#include <errno.h>
#include <string.h>
#include <taskrt_self.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "module.h"
#include "raw.h"
#include "tap.h"
#include "totals.h"
#include "userns.h"
#include "window.h"

#define GRAIN	MS

/* The number of the first promise that is broken, or 0. */
static int check_coarse(const struct taskrt_reading *before, const struct taskrt_reading *after)
{
	const __u64 *states = after->times.states_ns;

	if (!totals_are_multiples(GRAIN, after))
		return 1;
	if (!(after->stats.flags & TASKRT_FLAG_COARSE))
		return 2;
	if (totals_exceed(before, after, "coarse") >= 0)
		return 3;
	if (!window_adds_up(after) || !window_agrees(after))
		return 4;
	return after->stats.queue_time_ns != states[TASKRT_STATE_PREEMPTED] +
	       states[TASKRT_STATE_WOKEN] + states[TASKRT_STATE_THROTTLED] ? 5 : 0;
}

/* Return: 0, or the number of the first promise that is broken. */
static int poll_coarse(void)
{
	struct taskrt_reading thread = { 0 }, process = { 0 }, after;
	struct taskrt *handle = window_open();
	int i, broken, grown = 0;

	for (i = 0; i < 300; i++) {
		window_thread(handle, 0, &after);
		broken = check_coarse(&thread, &after);
		if (broken)
			return broken;
		grown += after.stats.cpu_time_ns > thread.stats.cpu_time_ns;
		thread = after;
		window_process(handle, 0, &after);
		broken = check_coarse(&process, &after);
		if (broken)
			return 10 + broken;
		process = after;
		clock_burn(GRAIN / 10);
		/* So that several states have a part of the time. */
		if (i % 10 == 0)
			clock_sleep(GRAIN / 3);
	}
	taskrt_close(handle);
	return grown < 5 ? 6 : 0;
}

static int as_user(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

	(void)unused;
	ask_become(&user);
	return poll_coarse();
}

/* The right to read every thread is not the right to read exact times. */
static int with_ptrace(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_SYS_PTRACE };

	(void)unused;
	ask_become(&user);
	return poll_coarse();
}

static int with_perfmon(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_PERFMON };
	struct taskrt *handle;
	struct taskrt_reading reading;

	(void)unused;
	ask_become(&user);
	handle = window_open();
	window_thread(handle, 0, &reading);
	if (reading.stats.flags & TASKRT_FLAG_COARSE)
		return 2;
	return totals_are_multiples(GRAIN, &reading) ? 1 : !window_adds_up(&reading);
}

/*
 * The parts of a window are differences of rounded times: now and then they fall short of it.
 * Return: 0, or the number of the first promise that is broken.
 */
static int unexplained(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct taskrt_explanation why;
	struct taskrt_window window;
	struct taskrt_self *self;
	uint64_t sum, rest = 0;
	uint32_t i;

	(void)unused;
	ask_become(&user);
	if (taskrt_self_open(&self, 0))
		return 1;
	while (!rest) {
		if (taskrt_window_begin(&window, self))
			return 2;
		clock_burn(GRAIN / 3);
		clock_sleep(GRAIN / 3);
		if (taskrt_window_end(&window) || taskrt_window_explain(&window, &why, sizeof(why)))
			return 3;
		for (sum = 0, i = 0; i < why.nr; i++) {
			sum += why.shares[i].ns;
			if (why.shares[i].cause == TASKRT_CAUSE_UNEXPLAINED)
				rest = why.shares[i].ns;
		}
		if (sum != why.elapsed_ns)
			return 4;
	}
	taskrt_self_close(self);
	return 0;
}

struct question {
	int opened_by_user, addressed;
	pid_t target;		/* a process of the user, whom whoever asks may read */
};

/* Return: 1: exact; 2: rounded; 3: rounded, and the flag says otherwise. */
static int ask_on(void *arg)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct question *question = arg;
	struct raw_answer answer;
	struct raw raw;
	int coarse, err;

	if (question->opened_by_user)
		userns_enter_user(ASK_USER);
	if (raw_open(&raw))
		return 100;
	if (question->opened_by_user)
		userns_leave_user();
	else
		ask_become(&user);
	raw.addressed = question->addressed;
	err = raw_get(&raw, TASKRT_A_TGID, question->target, 0, &answer);
	if (err)
		return -err;
	coarse = !!(answer.last.reading.stats.flags & TASKRT_FLAG_COARSE);
	if (!totals_are_multiples(GRAIN, &answer.last.reading))
		return 1;
	return coarse ? 2 : 3;
}

/* The right to read exact times is that of who opened the socket, too. */
static void check_sockets(void)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct question question = { .target = ask_target(&user, 1) };
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;

	window_process(handle, question.target, &reading);
	tap_ok(!totals_are_multiples(GRAIN, &reading), "root on its own socket: exact");
	taskrt_close(handle);
	tap_equal(ask_in_child(ask_on, &question), 2, "a user on a socket of root's: rounded");
	question.opened_by_user = 1;
	tap_equal(ask_in_child(ask_on, &question), 2, "root on a socket of a user's: rounded");
	question.addressed = 1;
	tap_equal(ask_in_child(ask_on, &question), 2, "and sent to an explicit address, too");
	ask_end(question.target);
}

int main(void)
{
	int err = module_set("coarse_ns", "1000000");

	if (err)
		tap_bail("coarse_ns: %s", strerror(-err));
	tap_equal(ask_in_child(as_user, NULL), 0, "user: rounded, flagged, growing");
	tap_equal(ask_in_child(with_ptrace, NULL), 0, "CAP_SYS_PTRACE: the same");
	tap_equal(ask_in_child(with_perfmon, NULL), 0, "CAP_PERFMON: exact");
	tap_equal(ask_in_child(unexplained, NULL), 0, "a window of rounded times: the rest is unexplained");
	check_sockets();
	module_set("coarse_ns", "0");
	tap_equal(ask_in_child(with_perfmon, NULL), 0, "off again: exact");
	tap_equal(ask_in_child(as_user, NULL), 1, "off again: for the user, too");
	module_again("coarse_ns=1000000");
	tap_equal(ask_in_child(as_user, NULL), 0, "set when the module is inserted: rounded");
	module_again("");
	return tap_done();
}
