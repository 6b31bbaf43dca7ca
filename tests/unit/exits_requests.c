// SPDX-License-Identifier: GPL-2.0-only
/* A listener's requests, and what it makes of their answers. */
#include <errno.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "unit.h"
#include "exit_message.h"
#include "listening.h"

static int answer_errno;
static const char *answer_text;

static void answer(struct nlmsghdr *request)
{
	if (!answer_errno)
		fake_send(cpus_message("0-3,7"));
	fake_verdict(request, answer_errno, answer_text, true);
}

static int start(void **state)
{
	(void)state;
	answer_errno = 0;
	answer_text = NULL;
	return listening(answer);
}

static struct nlattr *asked(int attribute)
{
	return nlmsg_find_attr(fake.last, GENL_HDRLEN, attribute);
}

static uint8_t command(void)
{
	return ((struct genlmsghdr *)nlmsg_data(fake.last))->cmd;
}

static void what_is_asked(void **state)
{
	struct taskrt_listen listen = {
		.cpus = "1-2", .what = TASKRT_WHAT_PROCESSES, .own = 1, .tgid = 5,
		.cgroup = 1ULL << 40,
	};
	char accepted[6];

	(void)state;
	assert_int_equal(taskrt_listener_register(listener, NULL, 0, NULL, 0), 0);
	assert_int_equal(command(), TASKRT_CMD_REGISTER);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "all");
	assert_int_equal(fake_asked(TASKRT_A_VERSION), 3);
	assert_null(asked(TASKRT_A_WHAT));
	assert_null(asked(TASKRT_A_OWN));
	assert_null(asked(TASKRT_A_TGID));
	assert_null(asked(TASKRT_A_CGROUP));

	assert_int_equal(taskrt_listener_register(listener, &listen, sizeof(listen),
						  accepted, 6), 0);
	assert_string_equal(accepted, "0-3,7");
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "1-2");
	assert_int_equal(fake_asked(TASKRT_A_WHAT), TASKRT_WHAT_PROCESSES);
	assert_non_null(asked(TASKRT_A_OWN));
	assert_int_equal(fake_asked(TASKRT_A_TGID), 5);
	assert_int_equal(nla_get_u64(asked(TASKRT_A_CGROUP)), 1ULL << 40);
	assert_int_equal(taskrt_listener_register(listener, &listen, sizeof(listen),
						  accepted, 5), -ENOSPC);

	assert_int_equal(taskrt_listener_deregister(listener, "7", accepted, 6), 0);
	assert_int_equal(command(), TASKRT_CMD_DEREGISTER);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "7");
	assert_int_equal(taskrt_listener_deregister(listener, NULL, NULL, 0), 0);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "all");
	assert_int_equal(fake.requests, 5);
}

static void nothing_is_asked(void **state)
{
	struct { struct taskrt_listen listen; char more[8]; } longer = { 0 };
	struct taskrt_listen *listen = &longer.listen;
	struct taskrt_listener_status status;
	char cpus[TASKRT_CPUMASK_MAX + 1];

	(void)state;
	assert_int_equal(taskrt_listener_register(NULL, NULL, 0, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_listener_deregister(NULL, NULL, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_listener_status(NULL, &status, sizeof(status), NULL, NULL), -EINVAL);
	assert_int_equal(taskrt_listener_status(listener, &status, sizeof(status) - 1, NULL, NULL),
			 -EINVAL);
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(*listen) - 1, NULL, 0),
			 -EINVAL);
	longer.more[7] = 1;
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(longer), NULL, 0), -EINVAL);
	assert_non_null(strstr(taskrt_listener_error(listener), "does not know"));
	listen->reserved = 1;
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(*listen), NULL, 0), -EINVAL);
	listen->reserved = 0;
	listen->tgid = -1;
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(*listen), NULL, 0), -EINVAL);
	listen->tgid = 0;
	memset(cpus, '1', sizeof(cpus));
	cpus[TASKRT_CPUMASK_MAX] = '\0';
	listen->cpus = cpus;
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(*listen), NULL, 0), -EINVAL);
	assert_int_equal(taskrt_listener_deregister(listener, cpus, NULL, 0), -EINVAL);
	assert_non_null(strstr(taskrt_listener_error(listener), "too long"));
	assert_int_equal(fake.requests, 0);

	/* the longest, and a condition that is not one */
	cpus[TASKRT_CPUMASK_MAX - 1] = '\0';
	longer.more[7] = 0;
	assert_int_equal(taskrt_listener_register(listener, listen, sizeof(longer), NULL, 0), 0);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), cpus);
}

static void errors_and_words(void **state)
{
	static const int errors[] = { EINVAL, EPERM, ESRCH, ENOENT, EUSERS, ENODATA, EOPNOTSUPP };
	size_t i;

	(void)state;
	answer_text = "the module's words";
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		answer_errno = -errors[i];
		assert_int_equal(taskrt_listener_register(listener, NULL, 0, NULL, 0), -errors[i]);
		assert_string_equal(taskrt_listener_error(listener), answer_text);
	}
	answer_errno = 0;
	answer_text = NULL;
	assert_int_equal(taskrt_listener_register(listener, NULL, 0, NULL, 0), 0);
	assert_string_equal(taskrt_listener_error(listener), "");
	fake.family = 0;
	assert_int_equal(taskrt_listener_register(listener, NULL, 0, NULL, 0), -ENODEV);
	assert_string_equal(taskrt_listener_error(listener), strerror(ENODEV));
}

static void put_registration(struct nl_msg *message, const char *cpus, bool conditions)
{
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_REGISTRATION);

	if (cpus)
		nla_put_string(message, TASKRT_A_CPUMASK, cpus);
	nla_put_u32(message, TASKRT_A_WHAT, 3);
	if (conditions) {
		nla_put_flag(message, TASKRT_A_OWN);
		nla_put_u32(message, TASKRT_A_TGID, 77);
		nla_put_u64(message, TASKRT_A_CGROUP, 88);
	}
	nla_nest_end(message, nest);
}

static bool broken_list;

static void answer_list(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_LIST, 0);

	fake_notify(exit_message(0, 0, 1));
	nla_put_u64(message, TASKRT_A_SEQ, 100);
	nla_put_u64(message, TASKRT_A_LOST, 10);
	nla_put_u64(message, TASKRT_A_BACKLOG, 1ULL << 33);
	put_registration(message, "0-1", false);
	put_registration(message, broken_list ? NULL : "3", true);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static int check_registration(const struct taskrt_listen *listen, void *arg)
{
	unsigned int *count = arg;

	assert_string_equal(listen->cpus, *count ? "3" : "0-1");
	assert_int_equal(listen->what, 3);
	assert_int_equal(listen->own, *count);
	assert_int_equal(listen->tgid, *count ? 77 : 0);
	assert_int_equal(listen->cgroup, *count ? 88 : 0);
	++*count;
	return 0;
}

static int stop(const struct taskrt_listen *listen, void *arg)
{
	(void)listen;
	++*(unsigned int *)arg;
	return 1234;
}

static void status(void **state)
{
	struct { struct taskrt_listener_status status; char more; } longer = { .more = 1 };
	struct taskrt_listener_status *s = &longer.status;
	struct taskrt_exit exit;
	unsigned int count = 0;

	(void)state;
	fake.answer = answer_list;
	assert_int_equal(taskrt_listener_status(listener, s, sizeof(longer), check_registration,
						&count), 0);
	assert_int_equal(command(), TASKRT_CMD_LIST);
	assert_int_equal(count, 2);
	assert_int_equal(s->owed, 100);
	assert_int_equal(s->lost, 10);
	assert_int_equal(s->backlog_bytes, 1ULL << 33);
	assert_int_equal(s->registrations, 2);
	assert_int_equal(longer.more, 0);
	assert_int_equal(taskrt_listener_next(listener, &exit, sizeof(exit)), 1);
	assert_int_equal(taskrt_listener_next(listener, &exit, sizeof(exit)), 0);
	count = 0;
	assert_int_equal(taskrt_listener_status(listener, NULL, 0, stop, &count), 1234);
	assert_int_equal(count, 1);
	assert_int_equal(taskrt_listener_status(listener, NULL, 0, NULL, NULL), 0);

	broken_list = true;
	assert_int_equal(taskrt_listener_status(listener, s, sizeof(*s), NULL, NULL), -EBADMSG);
	assert_int_equal(s->owed, 100);
	fake.answer = answer;
	assert_int_equal(taskrt_listener_status(listener, s, sizeof(*s), NULL, NULL), -EBADMSG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_asked, start, finish),
		cmocka_unit_test_setup_teardown(nothing_is_asked, start, finish),
		cmocka_unit_test_setup_teardown(errors_and_words, start, finish),
		cmocka_unit_test_setup_teardown(status, start, finish),
	};

	return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
