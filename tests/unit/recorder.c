// SPDX-License-Identifier: GPL-2.0-only
/* Arming: what the library asks of the module, and what it refuses by itself. */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt *handle;
static int verdict;
static const char *words;

static void answer(struct nlmsghdr *request)
{
	fake_verdict(request, verdict, words, true);
}

static int start(void **state)
{
	(void)state;
	fake_reset(answer);
	verdict = 0;
	words = NULL;
	return taskrt_open(&handle);
}

static int finish(void **state)
{
	(void)state;
	taskrt_close(handle);
	fake_reset(NULL);
	return 0;
}

static int asked_command(void)
{
	return ((struct genlmsghdr *)nlmsg_data(fake.last))->cmd;
}

/* A u64 attribute of the last request; -1: it had none. */
static int64_t asked_long(int attribute)
{
	struct nlattr *attr = nlmsg_find_attr(fake.last, GENL_HDRLEN, attribute);

	return attr ? (int64_t)nla_get_u64(attr) : -1;
}

static void defaults(void **state)
{
	const struct taskrt_recorder_options none = { 0 };

	(void)state;
	assert_int_equal(taskrt_recorder_arm(handle, 17, NULL, 0), 0);
	assert_int_equal(asked_command(), TASKRT_CMD_ARM);
	assert_int_equal(fake.last->nlmsg_flags & NLM_F_ACK, NLM_F_ACK);
	assert_int_equal(fake_asked(TASKRT_A_TID), 17);
	assert_int_equal(fake_asked(TASKRT_A_DEPTH), -1);
	assert_int_equal(fake_asked(TASKRT_A_STATES), -1);
	assert_int_equal(asked_long(TASKRT_A_THRESHOLD), -1);
	assert_int_equal(asked_long(TASKRT_A_ALERT_OVER), -1);
	assert_int_equal(taskrt_recorder_arm(handle, 0, &none, sizeof(none)), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), 0);
	assert_int_equal(fake_asked(TASKRT_A_DEPTH), -1);
	assert_int_equal(taskrt_recorder_disarm(handle, 17), 0);
	assert_int_equal(asked_command(), TASKRT_CMD_DISARM);
	assert_int_equal(fake_asked(TASKRT_A_TID), 17);
	/* the arming belongs to the socket */
	assert_int_equal(fake.sockets, 1);
}

static void options(void **state)
{
	const struct taskrt_recorder_options all = {
		.depth = 100, .states = 6, .threshold_ns = 5000000000ULL,
		.alert_over_ns = 7000000000ULL,
	};

	(void)state;
	assert_int_equal(taskrt_recorder_arm(handle, 17, &all, sizeof(all)), 0);
	assert_int_equal(fake_asked(TASKRT_A_DEPTH), 100);
	assert_int_equal(fake_asked(TASKRT_A_STATES), 6);
	assert_int_equal(asked_long(TASKRT_A_THRESHOLD), 5000000000LL);
	assert_int_equal(asked_long(TASKRT_A_ALERT_OVER), 7000000000LL);
}

static void other_programs(void **state)
{
	struct {
		struct taskrt_recorder_options known;
		uint64_t unknown;
	} newer = { .known = { .depth = 8, .states = 6, .alert_over_ns = 9 } };

	(void)state;
	assert_int_equal(taskrt_recorder_arm(handle, 17, &newer.known, sizeof(newer)), 0);
	assert_int_equal(fake_asked(TASKRT_A_DEPTH), 8);
	assert_int_equal(asked_long(TASKRT_A_ALERT_OVER), 9);
	newer.unknown = 1;
	assert_int_equal(taskrt_recorder_arm(handle, 17, &newer.known, sizeof(newer)), -E2BIG);
	assert_string_equal(taskrt_error(handle), "an option that this library does not know");
	assert_int_equal(fake.requests, 1);
	/* a program that was built before the other options existed */
	assert_int_equal(taskrt_recorder_arm(handle, 17, &newer.known, 8), 0);
	assert_int_equal(fake_asked(TASKRT_A_STATES), 6);
	assert_int_equal(asked_long(TASKRT_A_ALERT_OVER), -1);
	assert_int_equal(taskrt_recorder_arm(handle, 17, &newer.known, 4), 0);
	assert_int_equal(fake_asked(TASKRT_A_DEPTH), 8);
	assert_int_equal(fake_asked(TASKRT_A_STATES), -1);
	assert_int_equal(fake.requests, 3);
}

static void refused(void **state)
{
	(void)state;
	assert_int_equal(taskrt_recorder_arm(NULL, 0, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_recorder_disarm(NULL, 0), -EINVAL);
	assert_int_equal(taskrt_recorder_arm(handle, -1, NULL, 0), -EINVAL);
	assert_string_equal(taskrt_error(handle), "the thread id is negative");
	assert_int_equal(fake.requests, 0);
	verdict = -EINVAL;
	words = "depth is 2 to 256";
	assert_int_equal(taskrt_recorder_arm(handle, 1, NULL, 0), -EINVAL);
	assert_string_equal(taskrt_error(handle), words);
	verdict = -EBUSY;
	words = NULL;
	assert_int_equal(taskrt_recorder_arm(handle, 1, NULL, 0), -EBUSY);
	verdict = -EOPNOTSUPP;
	assert_int_equal(taskrt_recorder_disarm(handle, 1), -EOPNOTSUPP);
	fake.family = 0;
	assert_int_equal(taskrt_recorder_arm(handle, 1, NULL, 0), -ENODEV);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults, start, finish),
		cmocka_unit_test_setup_teardown(options, start, finish),
		cmocka_unit_test_setup_teardown(other_programs, start, finish),
		cmocka_unit_test_setup_teardown(refused, start, finish),
	};

	return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
