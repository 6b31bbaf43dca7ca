// SPDX-License-Identifier: GPL-2.0-only
/* Records that come while a listener waits for an answer, and answers that do not come. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <linux/netlink.h>

#include "unit.h"
#include "exit_messages.h"
#include "listening.h"

static unsigned int failures;	/* requests that fail before one succeeds */

static void answer(struct nlmsghdr *request)
{
	fake_send(cpus_message("0-3,7"));
	fake_verdict(request, 0, NULL, true);
}

static int start(void **state)
{
	(void)state;
	return listening(answer);
}

static void expect(uint64_t tid)
{
	struct taskrt_exit exit;

	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 1);
	assert_int_equal(exit.type, TASKRT_EXIT_THREAD);
	assert_int_equal(exit.seq, tid);
	assert_int_equal(exit.reading.stats.tid, tid);
}

static void expect_nothing(void)
{
	struct taskrt_exit exit;

	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 0);
}

/* A kind of message that means nothing, whatever request it answers. */
static struct nl_msg *noop_message(void)
{
	struct nl_msg *message = nlmsg_alloc();

	nlmsg_put(message, 0, 0, NLMSG_NOOP, 0, 0);
	return message;
}

/* Records everywhere around the answer. */
static void answer_amid(struct nlmsghdr *request)
{
	fake_notify(exit_message(2, 0, 2));
	fake_send(cpus_message("0"));
	fake_send(noop_message());
	fake_notify(exit_message(4, 0, 1));
	fake_verdict(request, 0, NULL, true);
	fake_notify(exit_message(5, 0, 2));
}

static void interleaved(void **state)
{
	char accepted[8];
	uint64_t tid;

	(void)state;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	fake_notify(exit_message(0, 0, 2));
	expect(0);
	/* in the midst of a message */
	fake.answer = answer_amid;
	assert_int_equal(taskrt_exits_deregister(listener, NULL, accepted, sizeof(accepted)), 0);
	assert_string_equal(accepted, "0");
	for (tid = 1; tid <= 2; tid++)
		expect(tid);
	/* and of one that was set aside */
	fake.answer = answer;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	for (tid = 3; tid <= 6; tid++)
		expect(tid);
	expect_nothing();
}

/* The listener is closed while a message is being read and others follow. */
static void never_read(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	fake.answer = answer_amid;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 1);
	assert_int_equal(exit.lost_now, 2);
}

/* The socket was full: no verdict. */
static void answer_dropped(struct nlmsghdr *request)
{
	fake_notify(exit_message(fake.requests - 1, 0, 1));
	if (fake.requests <= failures)
		fake.receive_errno = ENOBUFS;
	else
		answer(request);
}

/* Or there was no room for the reply: EAGAIN. */
static void answer_again(struct nlmsghdr *request)
{
	if (fake.requests <= failures)
		fake_verdict(request, -EAGAIN, NULL, true);
	else
		answer(request);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static void full_socket(void **state)
{
	char accepted[8] = "";
	uint64_t tid, begin;

	(void)state;
	fake.answer = answer_dropped;
	failures = 3;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, accepted, 8), 0);
	assert_string_equal(accepted, "0-3,7");
	assert_int_equal(fake.requests, 4);
	for (tid = 0; tid < 4; tid++)
		expect(tid);
	expect_nothing();

	fake.answer = answer_again;
	failures = 6;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, accepted, 8), 0);
	assert_int_equal(fake.requests, 7);
	failures = 1000;
	begin = now_ms();
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, accepted, 8), -EAGAIN);
	/* The module has had time to free what was replaced. */
	assert_true(now_ms() - begin >= 9 * 20);
	fake.answer = answer_dropped;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, accepted, 8), -ENOBUFS);
	assert_string_equal(taskrt_exits_error(listener), strerror(ENOBUFS));
	assert_true(fake.requests < 40);
}

/* The answer to a request that was given up. */
static void answer_late(struct nlmsghdr *request)
{
	struct nlmsghdr old = *request;
	struct nl_msg *message = cpus_message("5");

	nlmsg_hdr(message)->nlmsg_seq = old.nlmsg_seq - 1;
	fake_notify(message);
	message = nlmsg_alloc();
	nlmsg_put(message, 0, old.nlmsg_seq - 1, NLMSG_ERROR, 36, 0);
	fake_notify(message);
	answer(request);
}

static void late_answers(void **state)
{
	char accepted[8];

	(void)state;
	fake.answer = answer_late;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, accepted, 8), 0);
	assert_string_equal(accepted, "0-3,7");
	expect_nothing();
}

static void answer_gone(struct nlmsghdr *request)
{
	(void)request;
	fake_notify(exit_message(0, 0, 1));
	fake.receive_errno = ENODEV;
}

static void gone_meanwhile(void **state)
{
	struct taskrt_exit exit;

	(void)state;
	fake.answer = answer_gone;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), -ENODEV);
	expect(0);
	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), -ENODEV);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(interleaved, start, finish),
		cmocka_unit_test_setup_teardown(never_read, start, finish),
		cmocka_unit_test_setup_teardown(full_socket, start, finish),
		cmocka_unit_test_setup_teardown(late_answers, start, finish),
		cmocka_unit_test_setup_teardown(gone_meanwhile, start, finish),
	};

	return cmocka_run_group_tests_name("exits_amid", tests, NULL, NULL);
}
