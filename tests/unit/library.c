// SPDX-License-Identifier: GPL-2.0-only
/* The library's GET requests, and what it makes of a kernel's answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "unit.h"
#include "asking.h"

static void open_without_module(void **state)
{
	struct taskrt *h = (struct taskrt *)state;

	fake_reset(NULL);
	fake.family = 0;
	assert_int_equal(taskrt_open(&h), -ENOENT);
	assert_null(h);
	assert_int_equal(taskrt_open(NULL), -EINVAL);
	taskrt_close(NULL);
}

static void open_wrong_version(void **state)
{
	struct taskrt *h = (struct taskrt *)state;

	fake_reset(NULL);
	fake.family_version = 2;
	assert_int_equal(taskrt_open(&h), -EPROTO);
	assert_null(h);
}

static void socket_is_strict(void **state)
{
	static const int options[] = {
		NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK,
	};
	size_t i;

	(void)state;
	start(answer_stats);
	for (i = 0; i < 3; i++) {
		int on = 0;
		socklen_t length = sizeof(on);

		assert_int_equal(getsockopt(fake.fd, SOL_NETLINK, options[i], &on,
					    &length), 0);
		assert_int_equal(on, 1);
	}
}

static int get(uint32_t entity, pid_t id, uint32_t groups, struct taskrt_reading *now)
{
	return taskrt_get(handle, entity, id, groups, now, sizeof(*now));
}

static void what_is_asked(void **state)
{
	const uint32_t all = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST;
	struct taskrt_reading now;

	(void)state;
	start(answer_stats);
	assert_int_equal(get(TASKRT_ENTITY_THREAD, 0, all, &now), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), 0);
	assert_int_equal(fake_asked(TASKRT_A_TGID), -1);
	assert_int_equal(fake_asked(TASKRT_A_VERSION), 3);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), all);
	assert_int_equal(fake_asked(TASKRT_A_ENTITIES), -1);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER));
	/* the answer is the verdict: no acknowledgement is requested */
	assert_int_equal(fake.last->nlmsg_flags & (NLM_F_ACK | NLM_F_DUMP), 0);
	assert_int_equal(now.groups, all);
	assert_int_equal(now.stats.tid, 77);
	assert_int_equal(now.stats.cpu_time_ns, 1077);
	assert_int_equal(now.times.states_ns[0], 1000);
	assert_int_equal(now.counts.values[23], 2071);
	assert_int_equal(now.longests.timers[15].at_ns, 3079);

	assert_int_equal(get(TASKRT_ENTITY_THREAD, 5, 0, &now), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), 5);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), 0);
	assert_int_equal(now.groups, 0);
	assert_int_equal(now.times.states_ns[0], 0);
	assert_int_equal(fake.requests, 2);
	assert_int_equal(fake.sockets, 1);
}

static void nothing_is_asked(void **state)
{
	struct { struct taskrt_query query; char more[8]; } longer = { .more = { 1 } };
	struct taskrt_query *query = &longer.query;
	struct taskrt_reading now;
	int seen = 0;

	(void)state;
	start(answer_stats);
	assert_int_equal(get(TASKRT_ENTITY_THREAD, -1, 0, &now), -EINVAL);
	assert_int_equal(get(TASKRT_ENTITY_PROCESS, -5, 0, &now), -EINVAL);
	assert_int_equal(get(TASKRT_ENTITY_THREAD, 0, 1U << 31, &now), -EINVAL);
	assert_int_equal(get(TASKRT_ENTITY_CGROUP, 1, 0, &now), -EOPNOTSUPP);
	assert_int_equal(get(77, 1, 0, &now), -EOPNOTSUPP);
	assert_int_equal(taskrt_get(handle, 0, 0, 0, &now, sizeof(now) - 1), -EINVAL);
	assert_int_equal(taskrt_get(handle, 0, 0, 0, NULL, sizeof(now)), -EINVAL);
	assert_int_equal(taskrt_get(NULL, 0, 0, 0, &now, sizeof(now)), -EINVAL);
	assert_int_equal(taskrt_each(handle, NULL, 0, sizeof(now), NULL, NULL), -EINVAL);
	assert_string_equal(taskrt_error(handle), strerror(EINVAL));
	assert_int_equal(taskrt_each(NULL, NULL, 0, sizeof(now), count, &seen), -EINVAL);
	assert_int_equal(taskrt_each(handle, NULL, 0, sizeof(now) - 1, count, &seen), -EINVAL);
	query->tgid = -2;
	assert_int_equal(each_of(query, sizeof(*query)), -EINVAL);
	query->tgid = 0;
	query->groups = 1U << 31;
	assert_int_equal(each_of(query, sizeof(*query)), -EINVAL);
	query->groups = 0;
	assert_int_equal(each_of(query, sizeof(longer)), -E2BIG);
	query->reserved[4] = 1;
	assert_int_equal(each_of(query, sizeof(*query)), -E2BIG);
	assert_non_null(strstr(taskrt_error(handle), "does not know"));
	assert_non_null(taskrt_error(NULL));
	assert_int_equal(fake.requests, 0);
}

static void errors_and_words(void **state)
{
	static const int errors[] = { ESRCH, EPERM, EINVAL, ENODATA, EOPNOTSUPP };
	struct taskrt_reading now;
	size_t i;

	(void)state;
	start(answer_error);
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		answer_errno = -errors[i];
		answer_capped = i & 1;
		answer_text = "the kernel's words";
		assert_int_equal(get_own(&now),
				 -errors[i]);
		assert_string_equal(taskrt_error(handle), "the kernel's words");

		answer_text = NULL;
		assert_int_equal(get_own(&now),
				 -errors[i]);
		assert_string_equal(taskrt_error(handle), strerror(errors[i]));
	}
	assert_int_equal(fake.sockets, 1);
}

static void long_words(void **state)
{
	struct taskrt_reading now;
	char words[2000];

	(void)state;
	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	start(answer_error);
	answer_errno = -EPERM;
	answer_text = words;
	assert_int_equal(get_own(&now), -EPERM);
	assert_true(strlen(taskrt_error(handle)) > 100);
	assert_memory_equal(taskrt_error(handle), words, strlen(taskrt_error(handle)));
}

static void module_comes_and_goes(void **state)
{
	struct taskrt_reading now;
	int seen = 0;

	(void)state;
	start(answer_stats);
	fake.family = 0;
	assert_int_equal(get_own(&now), -ENODEV);
	assert_string_equal(taskrt_error(handle), strerror(ENODEV));
	assert_int_equal(get_own(&now), -ENODEV);
	assert_int_equal(each(&seen), -ENODEV);
	fake.family = 41;
	assert_int_equal(get_own(&now), 0);
	assert_int_equal(now.stats.tid, 77);
	/* removed and inserted between two calls */
	fake.family = 42;
	assert_int_equal(get_own(&now), -ENODEV);
	assert_int_equal(get_own(&now), 0);
}

static void receive_fails(void **state)
{
	struct taskrt_reading now;

	(void)state;
	start(answer_stats);
	fake.receive_errno = ENOBUFS;
	assert_true(get_own(&now) < 0);
	assert_string_not_equal(taskrt_error(handle), "");
	assert_int_equal(get_own(&now), 0);
	assert_int_equal(fake.sockets, 2);

	/* a signal is not an error */
	fake.receive_errno = EINTR;
	assert_int_equal(get_own(&now), 0);
}

/* Answers to an earlier request, which are ignored. */
static void answer_after_old(struct nlmsghdr *request)
{
	struct nl_msg *message = thread_message(666, 0);

	nlmsg_hdr(message)->nlmsg_seq = request->nlmsg_seq - 1;
	fake_notify(message);
	message = nlmsg_alloc();
	nlmsg_put(message, 0, request->nlmsg_seq - 1, NLMSG_ERROR, 36, 0);
	fake_notify(message);
	answer_stats(request);
}

static void of_another_request(void **state)
{
	struct taskrt_reading now;

	(void)state;
	start(answer_after_old);
	assert_int_equal(get_own(&now), 0);
	assert_int_equal(now.stats.tid, 77);
	assert_int_equal(fake.sockets, 1);
}

static void answer_after_a_reply(struct nlmsghdr *request)
{
	fake.port = 4711;
	fake_send(thread_message(666, 0));
	fake_verdict(request, 0, NULL, true);
	fake.port = 0;
	answer_stats(request);
}

/* All that another program may send to the port of this one. */
static void send_foreign(struct nlmsghdr *request)
{
	struct nl_msg *message = thread_message(666, 0);

	fake.port = 4711;
	fake_notify(thread_message(666, 0));
	nlmsg_hdr(message)->nlmsg_flags |= NLM_F_DUMP_INTR;
	fake_send(message);
	fake_send(thread_message(667, NLM_F_MULTI));
	fake_verdict(request, -EPERM, "not the kernel's words", true);
	fake_done(-EPERM, "nor these");
	fake_verdict(request, 0, NULL, true);
	fake.port = 0;
}

static void answer_after_foreign(struct nlmsghdr *request)
{
	send_foreign(request);
	answer_stats(request);
}

static void answer_list_among_foreign(struct nlmsghdr *request)
{
	uint32_t tid;

	for (tid = 1; tid <= 3; tid++) {
		send_foreign(request);
		fake_send(thread_message(tid, NLM_F_MULTI));
	}
	send_foreign(request);
	fake_done(0, NULL);
}

static void not_of_the_kernel(void **state)
{
	struct taskrt_reading now;
	int seen = 0;

	(void)state;
	start(answer_after_a_reply);
	assert_false(fake.stray);
	assert_int_equal(get_own(&now), 0);
	assert_int_equal(now.stats.tid, 77);
	fake.answer = answer_after_foreign;
	assert_int_equal(get_own(&now), 0);
	assert_int_equal(now.stats.tid, 77);
	assert_string_equal(taskrt_error(handle), "");
	fake.answer = answer_list_among_foreign;
	assert_int_equal(each(&seen), 0);
	assert_int_equal(seen, 3);
	assert_int_equal(fake.sockets, 1);
}

/* An acknowledgement that was not requested. */
static void answer_nothing(struct nlmsghdr *request)
{
	request->nlmsg_flags |= NLM_F_ACK;
	fake_verdict(request, 0, NULL, true);
}

static void answer_without_stats(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	nla_nest_end(message, nla_nest_start(message, TASKRT_A_AGGR_TID));
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void answer_unpublished(struct nlmsghdr *request)
{
	fake_send(stats_message(1, 3, 600, 0, 0));
	fake_verdict(request, 0, NULL, true);
}

static void answer_of_a_process(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_TGID);

	put_stats(message, 1, 3, 256);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void answer_short_stats(struct nlmsghdr *request)
{
	fake_send(stats_message(1, 3, 255, 0, 0));
	fake_verdict(request, 0, NULL, true);
}

/* A message that is shorter than the header of generic netlink. */
static void answer_headless(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	nlmsg_hdr(message)->nlmsg_len = NLMSG_HDRLEN;
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void bad_answers(void **state)
{
	static void (*const answers[])(struct nlmsghdr *) = {
		answer_nothing, answer_without_stats, answer_short_stats, answer_unpublished,
		answer_of_a_process, answer_headless,
	};
	struct taskrt_reading now;
	size_t i;

	(void)state;
	start(answer_stats);
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		fake.answer = answers[i];
		memset(&now, 0x5a, sizeof(now));
		assert_int_equal(get_own(&now), -EBADMSG);
		assert_int_equal(now.groups, 0x5a5a5a5a);
		assert_int_equal(now.stats.version, 0x5a5a5a5a);
		fake.answer = answer_stats;
		assert_int_equal(get_own(&now), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(open_without_module, finish),
		cmocka_unit_test_teardown(open_wrong_version, finish),
		cmocka_unit_test_teardown(socket_is_strict, finish),
		cmocka_unit_test_teardown(what_is_asked, finish),
		cmocka_unit_test_teardown(nothing_is_asked, finish),
		cmocka_unit_test_teardown(errors_and_words, finish),
		cmocka_unit_test_teardown(long_words, finish),
		cmocka_unit_test_teardown(module_comes_and_goes, finish),
		cmocka_unit_test_teardown(receive_fails, finish),
		cmocka_unit_test_teardown(not_of_the_kernel, finish),
		cmocka_unit_test_teardown(of_another_request, finish),
		cmocka_unit_test_teardown(bad_answers, finish),
	};

	return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
