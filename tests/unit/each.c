// SPDX-License-Identifier: GPL-2.0-only
/* Lists of threads: whole, cut off, refused, inconsistent. */
#include <errno.h>
#include <string.h>
#include <linux/netlink.h>

#include "asking.h"

static void answer_dump(struct nlmsghdr *request)
{
	(void)request;
	fake_send(stats_message(1, 3, 600, NLM_F_MULTI));
	fake_send_behind(stats_message(2, 3, 600, NLM_F_MULTI));
	fake_send(stats_message(3, 3, 600, NLM_F_MULTI));
	fake_done(answer_errno, answer_text);
}

static void answer_dump_interrupted(struct nlmsghdr *request)
{
	(void)request;
	fake_send(stats_message(1, 3, 600, NLM_F_MULTI | NLM_F_DUMP_INTR));
	fake_send(stats_message(2, 3, 600, NLM_F_MULTI));
	fake_done(0, NULL);
}

static int stop_at_two(const struct taskrt_stats *stats, void *arg)
{
	++*(int *)arg;
	return stats->tid == 2 ? 1234 : 0;
}

static void iteration(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump);
	assert_int_equal(taskrt_each_thread(handle, TASKRT_ALL, count, &seen), 0);
	assert_int_equal(seen, 3);
	assert_int_equal(fake_asked(TASKRT_A_TGID), -1);
	assert_int_equal(fake.last->nlmsg_flags & NLM_F_DUMP, NLM_F_DUMP);
	seen = 0;
	assert_int_equal(taskrt_each_thread(handle, 0, count, &seen), 0);
	assert_int_equal(fake_asked(TASKRT_A_TGID), 0);
	assert_int_equal(fake.sockets, 1);
}

static void iteration_fails_at_its_end(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump);
	answer_errno = -ENODATA;
	answer_text = "switched off";
	assert_int_equal(taskrt_each_thread(handle, 9, count, &seen), -ENODATA);
	assert_string_equal(taskrt_error(handle), "switched off");
	assert_int_equal(seen, 3);
}

static void iteration_refused(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_error);
	answer_errno = -ESRCH;
	assert_int_equal(taskrt_each_thread(handle, 9, count, &seen), -ESRCH);
	assert_int_equal(seen, 0);
}

static void iteration_inconsistent(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump_interrupted);
	assert_int_equal(taskrt_each_thread(handle, 0, count, &seen), -EINTR);
	assert_int_equal(seen, 2);
}

/* What was still to come must not answer the next question. */
static void iteration_stopped(void **state)
{
	struct taskrt_stats stats;
	int seen = 0, i;

	(void)state;
	start(answer_dump);
	for (i = 0; i < 3; i++) {
		fake.answer = answer_dump;
		seen = 0;
		assert_int_equal(taskrt_each_thread(handle, 0, stop_at_two, &seen), 1234);
		assert_int_equal(seen, 2);
		fake.answer = answer_stats;
		assert_int_equal(taskrt_get_self(handle, &stats, sizeof(stats)), 0);
		assert_int_equal(stats.tid, 77);
	}
}

static void refuse_dump(struct nlmsghdr *request)
{
	fake_verdict(request, -EPROTONOSUPPORT, NULL, true);
}

/* What the kernel says to a dump while it waits for the module's last users. */
static void module_is_going(void **state)
{
	int seen = 0;

	(void)state;
	start(refuse_dump);
	assert_int_equal(taskrt_each_thread(handle, 0, count, &seen), -ENODEV);
	assert_int_equal(seen, 0);
	assert_string_equal(taskrt_error(handle), strerror(ENODEV));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(iteration, finish),
		cmocka_unit_test_teardown(iteration_fails_at_its_end, finish),
		cmocka_unit_test_teardown(iteration_refused, finish),
		cmocka_unit_test_teardown(iteration_inconsistent, finish),
		cmocka_unit_test_teardown(iteration_stopped, finish),
		cmocka_unit_test_teardown(module_is_going, finish),
	};

	return cmocka_run_group_tests_name("each", tests, NULL, NULL);
}
