// SPDX-License-Identifier: GPL-2.0-only
/* A thread's own counters without the device: over netlink, of one life only. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <netlink/attr.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt_self *self;
static struct taskrt_stats told;
static int verdict;

static void answer(struct nlmsghdr *request)
{
	struct nl_msg *message;
	struct nlattr *nest;

	if (!verdict) {
		message = fake_message(TASKRT_CMD_GET, 0);
		nest = nla_nest_start(message, TASKRT_A_AGGR_TID);
		nla_put(message, TASKRT_AGGR_A_STATS, sizeof(told), &told);
		nla_nest_end(message, nest);
		fake_send(message);
	}
	fake_verdict(request, verdict, NULL, true);
}

static int start(void **state)
{
	int i;

	(void)state;
	fake_reset(answer);
	verdict = 0;
	told = (struct taskrt_stats){
		.version = TASKRT_STATS_VERSION, .size = sizeof(told), .valid = 0xfff,
		.start_time_ns = 5, .tracked_since_ns = 100, .sample_time_ns = 178,
		.tracked_time_ns = 78, .page_fault_time_ns = 1, .lock_contention_time_ns = 2,
		.minor_fault_time_ns = 3, .major_fault_time_ns = 4, .voluntary_switches = 5,
		.involuntary_switches = 6, .wakeups = 7, .minor_faults = 8, .major_faults = 9,
	};
	for (i = 0; i < TASKRT_NR_STATES; i++)
		told.states_ns[i] = i + 1;
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		told.lock_time_ns[i] = 10 + i;
		told.lock_count[i] = 20 + i;
	}
	return taskrt_self_open(&self, 0);
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	self = NULL;
	fake_reset(NULL);
	return 0;
}

static void *read_there(void *now)
{
	return (void *)(intptr_t)taskrt_self_read(self, now);
}

static void asked(void **state)
{
	static struct taskrt_look look;
	static struct taskrt_history since;
	struct taskrt_snapshot now;
	struct taskrt_stats stats;
	pthread_t thread;
	void *status;

	(void)state;
	assert_int_equal(taskrt_self_mapped(self), 0);
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), gettid());
	assert_int_equal(now.at_ns, 178);
	assert_int_equal(now.valid, 0xfff);
	assert_memory_equal(now.totals.states_ns, told.states_ns, sizeof(told.states_ns));
	assert_memory_equal(now.totals.lock_time_ns, told.lock_time_ns, sizeof(told.lock_time_ns));
	assert_memory_equal(now.totals.lock_count, told.lock_count, sizeof(told.lock_count));
	assert_int_equal(now.totals.page_fault_time_ns, 1);
	assert_int_equal(now.totals.lock_contention_time_ns, 2);
	assert_int_equal(now.totals.minor_fault_time_ns, 3);
	assert_int_equal(now.totals.major_fault_time_ns, 4);
	assert_int_equal(now.totals.voluntary_switches, 5);
	assert_int_equal(now.totals.involuntary_switches, 6);
	assert_int_equal(now.totals.wakeups, 7);
	assert_int_equal(now.totals.minor_faults, 8);
	assert_int_equal(now.totals.major_faults, 9);
	assert_int_equal(taskrt_self_stats(self, &stats, sizeof(stats)), 0);
	assert_memory_equal(&stats, &told, sizeof(stats));

	/* of the one that opened it, whoever asks */
	pthread_create(&thread, NULL, read_there, &now);
	pthread_join(thread, &status);
	assert_int_equal((intptr_t)status, 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), gettid());

	assert_int_equal(taskrt_history(self, &look, &since), -EOPNOTSUPP);
	assert_int_equal(taskrt_self_alert(self, "late"), -EOPNOTSUPP);
}

static void windows(void **state)
{
	struct taskrt_explanation e;
	struct taskrt_window w;

	(void)state;
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	told.sample_time_ns += 100;
	told.states_ns[TASKRT_STATE_SLEEPING_POLL] += 90;
	told.states_ns[TASKRT_STATE_RUNNING] -= 1;	/* coarse */
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 100);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], 0);
	assert_int_equal(taskrt_explain(&w, &e), 0);
	assert_int_equal(e.nr, 2);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_POLL);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[1].ns, 10);
	assert_int_equal(e.timer, TASKRT_NO_TIMER);
}

/* Stopped, and so it stays, with the last values: whatever is told afterwards. */
static void check_stopped(void)
{
	struct taskrt_snapshot now;
	unsigned int requests;

	assert_int_equal(taskrt_self_read(self, &now), TASKRT_SELF_STOPPED);
	assert_int_equal(now.at_ns, 178);
	verdict = 0;
	told.start_time_ns = 5;
	told.tracked_since_ns = 100;
	told.sample_time_ns = 999;
	requests = fake.requests;
	assert_int_equal(taskrt_self_read(self, &now), TASKRT_SELF_STOPPED);
	assert_int_equal(now.at_ns, 178);
	assert_int_equal(fake.requests, requests);
}

static void thread_gone(void **state)
{
	(void)state;
	verdict = -ESRCH;
	check_stopped();
}

static void switched_off(void **state)
{
	(void)state;
	verdict = -ENODATA;
	check_stopped();
}

static void another_thread(void **state)
{
	(void)state;
	told.start_time_ns = 6;
	told.sample_time_ns = 500;
	check_stopped();
}

static void tracked_anew(void **state)
{
	(void)state;
	told.tracked_since_ns = 400;
	told.sample_time_ns = 500;
	check_stopped();
}

static void zombie(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	told.flags |= TASKRT_FLAG_EXITED;
	told.sample_time_ns = 200;
	assert_int_equal(taskrt_self_read(self, &now), TASKRT_SELF_STOPPED);
	assert_int_equal(now.at_ns, 200);
}

static void errors(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	verdict = -EPERM;
	assert_int_equal(taskrt_self_read(self, &now), -EPERM);
	verdict = 0;
	assert_int_equal(taskrt_self_read(self, &now), 0);
}

static void after_fork(void **state)
{
	struct taskrt_snapshot now;
	int status;
	pid_t child = fork();

	(void)state;
	if (!child) {
		int err = taskrt_self_read(self, &now) != -ECHILD;

		taskrt_self_close(self);
		_exit(err);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(taskrt_self_read(self, &now), 0);
}

static void cannot_open(void **state)
{
	struct taskrt_self *none = self;

	(void)state;
	assert_int_equal(taskrt_self_open(&none, TASKRT_SELF_MAPPED), -ENOENT);
	assert_null(none);
	verdict = -ENODATA;
	assert_int_equal(taskrt_self_open(&none, 0), -ENODATA);
	fake.family = 0;
	assert_int_equal(taskrt_self_open(&none, 0), -ENOENT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(asked, start, finish),
		cmocka_unit_test_setup_teardown(windows, start, finish),
		cmocka_unit_test_setup_teardown(thread_gone, start, finish),
		cmocka_unit_test_setup_teardown(switched_off, start, finish),
		cmocka_unit_test_setup_teardown(another_thread, start, finish),
		cmocka_unit_test_setup_teardown(tracked_anew, start, finish),
		cmocka_unit_test_setup_teardown(zombie, start, finish),
		cmocka_unit_test_setup_teardown(errors, start, finish),
		cmocka_unit_test_setup_teardown(after_fork, start, finish),
		cmocka_unit_test_setup_teardown(cannot_open, start, finish),
	};

	/* Where the module is loaded it is asked in its own way, by tests/guest. */
	if (!access(TASKRT_DEVICE, F_OK)) {
		puts("1..1\nok 1 - without the device # SKIP it is here");
		return 0;
	}
	return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
