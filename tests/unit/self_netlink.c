// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread's own counters without the device: over netlink, and of that thread alone,
 * even if its id is used again or it is tracked anew.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <linux/genetlink.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"
#include "self/handle.h"

#define ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

#define UNKNOWN	KNOWN_STATES	/* a state that only a later module has */

static struct taskrt_self *self;
static struct taskrt_reading told;
static int verdict;
static bool slow;			/* others have time to disturb a request */
static int answering, disturbed;

/* A handle has one socket, and takes one answer for one request. */
static void dawdle(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	if (__atomic_fetch_add(&answering, 1, __ATOMIC_RELAXED))
		disturbed++;
	if (slow)
		nanosleep(&pause, NULL);
	__atomic_fetch_sub(&answering, 1, __ATOMIC_RELAXED);
}

/* A state that this library does not know, which is one of its parent's kind. */
static uint32_t parent;

static void answer_info(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *info = nla_nest_start(message, TASKRT_A_INFO);
	struct nlattr *state = nla_nest_start(message, TASKRT_INFO_A_STATE);

	nla_put_u32(message, TASKRT_NAME_A_NUMBER, UNKNOWN);
	nla_put_string(message, TASKRT_NAME_A_NAME, "sleeping_queue");
	nla_put_u32(message, TASKRT_NAME_A_PARENT, parent);
	nla_nest_end(message, state);
	nla_nest_end(message, info);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

/* Answers as the module does: with the groups that are requested and that it knows. */
static void answer(struct nlmsghdr *request)
{
	uint32_t groups = fake_asked(TASKRT_A_GROUPS);
	struct nl_msg *message;
	struct nlattr *nest;

	if (((struct genlmsghdr *)nlmsg_data(request))->cmd == TASKRT_CMD_INFO) {
		answer_info(request);
		return;
	}
	dawdle();
	if (!verdict) {
		message = fake_message(TASKRT_CMD_GET, 0);
		nest = nla_nest_start(message, TASKRT_A_AGGR_TID);
		nla_put(message, TASKRT_AGGR_A_STATS, sizeof(told.stats), &told.stats);
		if (groups & TASKRT_GROUP_TIMES)
			nla_put(message, TASKRT_AGGR_A_TIMES, sizeof(told.times), &told.times);
		if (groups & TASKRT_GROUP_COUNTS)
			nla_put(message, TASKRT_AGGR_A_COUNTS, sizeof(told.counts), &told.counts);
		if (groups & TASKRT_GROUP_LONGEST)
			nla_put(message, TASKRT_AGGR_A_LONGEST, sizeof(told.longests),
				&told.longests);
		nla_nest_end(message, nest);
		fake_send(message);
	}
	fake_verdict(request, verdict, NULL, true);
}

/* Fills told as if all that there is room for were measured. */
static void set_told(void)
{
	uint64_t i, *word = (uint64_t *)&told.times;

	memset(&told, 0, sizeof(told));
	told.groups = ALL;
	told.stats = (struct taskrt_stats){
		.version = TASKRT_STATS_VERSION, .size = sizeof(told.stats), .valid = 0x7f,
		.measured = { .states = (1U << UNKNOWN) - 1, .timers = 3, .locks = 0x1f, .values = 0x7f },
		.start_time_ns = 5, .tracked_since_ns = 100, .sample_time_ns = 400,
		.tracked_time_ns = 300, .page_fault_time_ns = 1, .lock_contention_time_ns = 2,
	};
	for (i = 0; i < sizeof(told.times) / 8; i++)
		word[i] = i + 1;
	word = (uint64_t *)&told.counts;
	for (i = 0; i < sizeof(told.counts) / 8; i++)
		word[i] = 1000 + i;
	word = (uint64_t *)&told.longests;
	for (i = 0; i < sizeof(told.longests) / 8; i++)
		word[i] = 2000 + i;
}

static int start(void **state)
{
	(void)state;
	fake_reset(answer);
	verdict = 0;
	set_told();
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
	struct taskrt_histogram *histogram = (void *)self;
	struct taskrt_measured measured;
	struct taskrt_snapshot now;
	pthread_t thread;
	void *status;

	(void)state;
	assert_int_equal(taskrt_self_mapped(self), 0);
	assert_int_equal(taskrt_self_measured(self, &measured, sizeof(measured)), 0);
	assert_memory_equal(&measured, &told.stats.measured, sizeof(measured));
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), gettid());
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), TASKRT_GROUP_TIMES);
	assert_int_equal(now.at_ns, 400);
	assert_int_equal(now.flags, 0);
	assert_memory_equal(&now.times, &told.times, sizeof(now.times));

	/* of the thread that opened it, whichever thread asks */
	pthread_create(&thread, NULL, read_there, &now);
	pthread_join(thread, &status);
	assert_int_equal((intptr_t)status, 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), gettid());

	assert_int_equal(taskrt_histogram_open(&histogram, self), -EOPNOTSUPP);
	assert_null(histogram);
	assert_int_equal(taskrt_self_alert(self, "late", 0), -EOPNOTSUPP);
}

/* What the module began to measure later, or only for a while, is not measured. */
static void measured_always(void **state)
{
	struct taskrt_snapshot now;
	struct taskrt_reading got;

	(void)state;
	told.stats.measured.timers ^= 1U << TASKRT_TIMER_HARDIRQ | 1U << TASKRT_TIMER_LOCK;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_HARDIRQ], 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT],
			 told.times.timers_ns[TASKRT_TIMER_FAULT]);
	/* and it stays so */
	told.stats.measured.timers ^= 1U << TASKRT_TIMER_LOCK;
	assert_int_equal(taskrt_self_get(self, ALL, &got, sizeof(got)), 0);
	assert_int_equal(got.stats.measured.timers & (1U << TASKRT_TIMER_HARDIRQ |
						      1U << TASKRT_TIMER_LOCK), 0);
	assert_int_equal(got.times.timers_ns[TASKRT_TIMER_LOCK], 0);
	assert_int_equal(got.counts.timers[TASKRT_TIMER_LOCK], 0);
	assert_int_equal(got.longests.timers[TASKRT_TIMER_LOCK].ns, 0);
	assert_int_equal(got.times.timers_ns[TASKRT_TIMER_HARDIRQ], 0);
}

/* The groups that are requested come, and no others. */
static void groups(void **state)
{
	static const char zero[sizeof(struct taskrt_reading)];
	struct {
		struct taskrt_reading reading;
		unsigned char more[64], behind[64];
	} longer;
	struct taskrt_reading *reading = &longer.reading;
	unsigned char untouched[64];

	(void)state;
	memset(&longer, 0xa5, sizeof(longer));
	memset(untouched, 0xa5, sizeof(untouched));
	assert_int_equal(taskrt_self_get(self, ALL, reading, sizeof(*reading) - 1), -EINVAL);
	assert_memory_equal(reading, untouched, sizeof(untouched));
	/* what is refused is not asked for later */
	assert_int_equal(taskrt_self_get(self, 1u << 31, reading, sizeof(*reading)), -EINVAL);
	assert_int_equal(taskrt_self_get(self, 0, reading, sizeof(*reading)), 0);
	assert_memory_equal(&reading->stats, &told.stats, sizeof(told.stats));
	assert_int_equal(reading->groups, 0);
	assert_memory_equal(&reading->times, zero, sizeof(*reading) -
			    offsetof(struct taskrt_reading, times));
	assert_memory_equal(longer.more, untouched, sizeof(longer.more));

	assert_int_equal(taskrt_self_get(self, ALL, reading, sizeof(*reading) + 64), 0);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), ALL);
	assert_memory_equal(reading, &told, sizeof(told));
	assert_memory_equal(longer.more, zero, sizeof(longer.more));
	assert_memory_equal(longer.behind, untouched, sizeof(longer.behind));

	/* and the last reading keeps every group that was ever requested */
	assert_int_equal(taskrt_self_get(self, TASKRT_GROUP_COUNTS, reading, sizeof(*reading)), 0);
	assert_int_equal(reading->groups, TASKRT_GROUP_COUNTS);
	assert_memory_equal(&reading->counts, &told.counts, sizeof(told.counts));
	assert_memory_equal(&reading->times, zero, sizeof(told.times));
	assert_memory_equal(&reading->longests, zero, sizeof(told.longests));
	verdict = -ESRCH;
	assert_int_equal(taskrt_self_get(self, ALL, reading, sizeof(*reading)), 0);
	assert_int_equal(reading->flags, TASKRT_FINAL);
	reading->flags = 0;
	assert_memory_equal(reading, &told, sizeof(told));
}

static void windows(void **state)
{
	struct taskrt_explanation e;
	struct taskrt_window w;

	(void)state;
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	told.stats.sample_time_ns += 100;
	told.times.states_ns[TASKRT_STATE_SLEEPING_POLL] += 90;
	told.times.states_ns[TASKRT_STATE_RUNNING] -= 1;	/* coarse */
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 100);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], 0);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.nr, 2);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_POLL);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[1].ns, 10);
	assert_int_equal(e.state, TASKRT_NONE);

	/* of a state whose parent is not known */
	told.stats.sample_time_ns += 100;
	told.times.states_ns[UNKNOWN] += 80;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.spent.states_ns[UNKNOWN], 80);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 110);
}

/* One that cannot be a parent is none. */
static void parents(void **state)
{
	static const struct {
		uint32_t parent;
		uint32_t cause;
	} cases[] = {
		{ TASKRT_STATE_SLEEPING, TASKRT_CAUSE_ASLEEP },
		{ TASKRT_STATE_BLOCKED_LOCK, TASKRT_CAUSE_LOCK },
		{ TASKRT_STATES_ROOM - 1, TASKRT_CAUSE_UNEXPLAINED },
		{ TASKRT_STATES_ROOM, TASKRT_CAUSE_UNEXPLAINED },
		{ UINT32_MAX, TASKRT_CAUSE_UNEXPLAINED },
	};
	struct taskrt_explanation e;
	struct taskrt_window w;
	unsigned int i, requests;

	finish(state);
	fake_reset(answer);
	assert_int_equal(taskrt_self_open(&self, 0), 0);
	requests = fake.requests;
	told.stats.measured.states |= 1 << UNKNOWN;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parent = cases[i].parent;
		finish(state);
		fake_reset(answer);
		assert_int_equal(taskrt_self_open(&self, 0), 0);
		/* They are asked for where they are needed. */
		assert_int_equal(fake.requests, requests + 1);
		assert_int_equal(taskrt_self_rest(self)->parent[UNKNOWN],
				 parent < TASKRT_STATES_ROOM ? parent : UNKNOWN);
		assert_int_equal(taskrt_window_begin(&w, self), 0);
		told.stats.sample_time_ns += 100;
		told.times.states_ns[UNKNOWN] += 100;
		assert_int_equal(taskrt_window_end(&w), 0);
		assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
		assert_int_equal(e.shares[0].cause, cases[i].cause);
		assert_int_equal(e.shares[0].ns, 100);
	}
}

/* It is final and stays so, with the last values, whatever the module answers afterwards. */
static void check_final(void)
{
	struct taskrt_snapshot now;
	unsigned int requests;

	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.at_ns, 400);
	verdict = 0;
	told.stats.start_time_ns = 5;
	told.stats.tracked_since_ns = 100;
	told.stats.sample_time_ns = 999;
	requests = fake.requests;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.at_ns, 400);
	assert_int_equal(fake.requests, requests);
}

static void thread_gone(void **state)
{
	(void)state;
	verdict = -ESRCH;
	check_final();
}

static void switched_off(void **state)
{
	(void)state;
	verdict = -ENODATA;
	check_final();
}

static void another_thread(void **state)
{
	(void)state;
	told.stats.start_time_ns = 6;
	told.stats.sample_time_ns = 500;
	check_final();
}

static void tracked_anew(void **state)
{
	(void)state;
	told.stats.tracked_since_ns = 400;
	told.stats.sample_time_ns = 500;
	check_final();
}

static void zombie(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	told.stats.flags |= TASKRT_FLAG_EXITED;
	told.stats.sample_time_ns = 450;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.at_ns, 450);
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

static void *read_often(void *wrong)
{
	struct taskrt_snapshot now;
	int i;

	for (i = 0; i < 100; i++)
		*(int *)wrong += taskrt_self_read(self, &now) || now.at_ns != 400;
	return NULL;
}

/* Two at once take turns. */
static void two_threads(void **state)
{
	int wrong = 0, wrong_there = 0;
	pthread_t thread;

	(void)state;
	slow = true;
	assert_int_equal(pthread_create(&thread, NULL, read_often, &wrong_there), 0);
	read_often(&wrong);
	pthread_join(thread, NULL);
	slow = false;
	assert_int_equal(disturbed, 0);
	assert_int_equal(wrong + wrong_there, 0);
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
		cmocka_unit_test_setup_teardown(measured_always, start, finish),
		cmocka_unit_test_setup_teardown(groups, start, finish),
		cmocka_unit_test_setup_teardown(windows, start, finish),
		cmocka_unit_test_setup_teardown(parents, start, finish),
		cmocka_unit_test_setup_teardown(thread_gone, start, finish),
		cmocka_unit_test_setup_teardown(switched_off, start, finish),
		cmocka_unit_test_setup_teardown(another_thread, start, finish),
		cmocka_unit_test_setup_teardown(tracked_anew, start, finish),
		cmocka_unit_test_setup_teardown(zombie, start, finish),
		cmocka_unit_test_setup_teardown(errors, start, finish),
		cmocka_unit_test_setup_teardown(two_threads, start, finish),
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
