// SPDX-License-Identifier: GPL-2.0-only
/* A listener's requests, and what it makes of the answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "unit.h"
#include "exit_messages.h"
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

/* One attribute of the filter that was requested. */
static struct nlattr *filter(int attribute)
{
	struct nlattr *nest = asked(TASKRT_A_FILTER);

	assert_non_null(nest);
	return nla_find(nla_data(nest), nla_len(nest), attribute);
}

static void what_is_asked(void **state)
{
	struct taskrt_query query = {
		.entities = TASKRT_ENTITIES_PROCESSES, .own_only = 1, .tgid = 5,
		.cgroup = 1ULL << 40, .groups = TASKRT_GROUP_COUNTS,
	};
	char accepted[6];

	(void)state;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	assert_int_equal(command(), TASKRT_CMD_REGISTER);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "all");
	assert_int_equal(fake_asked(TASKRT_A_VERSION), 3);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), 0);
	assert_null(asked(TASKRT_A_ENTITIES));
	assert_null(asked(TASKRT_A_FILTER));
	assert_null(asked(TASKRT_A_TGID));

	assert_int_equal(taskrt_exits_register(listener, "1-2", &query, sizeof(query),
					       accepted, 6), 0);
	assert_string_equal(accepted, "0-3,7");
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "1-2");
	assert_int_equal(fake_asked(TASKRT_A_ENTITIES), 2);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), TASKRT_GROUP_COUNTS);
	assert_null(asked(TASKRT_A_TGID));
	assert_non_null(filter(TASKRT_FILTER_A_OWN));
	assert_int_equal(nla_get_u32(filter(TASKRT_FILTER_A_TGID)), 5);
	assert_int_equal(nla_get_u64(filter(TASKRT_FILTER_A_CGROUP)), 1ULL << 40);
	assert_int_equal(taskrt_exits_register(listener, "1-2", &query, sizeof(query),
					       accepted, 5), -ENOSPC);
	/* only the statistics; and a program that knew no more than that */
	query.groups = 0;
	assert_int_equal(taskrt_exits_register(listener, NULL, &query, 4, NULL, 0), 0);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), 0);
	assert_null(asked(TASKRT_A_FILTER));

	assert_int_equal(taskrt_exits_deregister(listener, "7", accepted, 6), 0);
	assert_int_equal(command(), TASKRT_CMD_DEREGISTER);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "7");
	assert_int_equal(taskrt_exits_deregister(listener, NULL, NULL, 0), 0);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), "all");
	assert_int_equal(fake.requests, 6);
}

static int enlist(const char *cpus, const struct taskrt_query *query, size_t size)
{
	return taskrt_exits_register(listener, cpus, query, size, NULL, 0);
}

static void nothing_is_asked(void **state)
{
	struct { struct taskrt_query query; char more[8]; } longer = { 0 };
	struct taskrt_query *query = &longer.query;
	struct taskrt_exits_status status;
	struct taskrt_registration r;
	char cpus[TASKRT_CPUMASK_MAX + 1];

	(void)state;
	assert_int_equal(taskrt_exits_register(NULL, NULL, NULL, 0, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_exits_deregister(NULL, NULL, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_exits_get_status(NULL, &status, sizeof(status)), -EINVAL);
	assert_int_equal(taskrt_exits_get_status(listener, NULL, sizeof(status)), -EINVAL);
	assert_int_equal(taskrt_exits_get_status(listener, &status, 0), -EINVAL);
	assert_int_equal(taskrt_exits_registration(NULL, &r, sizeof(r)), -EINVAL);
	assert_int_equal(taskrt_exits_registration(listener, NULL, sizeof(r)), -EINVAL);
	assert_int_equal(taskrt_exits_registration(listener, &r, 0), -EINVAL);
	assert_int_equal(taskrt_exits_registration(listener, &r, sizeof(r)), -ENOENT);
	longer.more[7] = 1;
	assert_int_equal(enlist(NULL, query, sizeof(longer)), -E2BIG);
	assert_non_null(strstr(taskrt_exits_error(listener), "does not know"));
	query->reserved[0] = 1;
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -E2BIG);
	query->reserved[0] = 0;
	query->tgid = -1;
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -EINVAL);
	query->tgid = 0;
	query->groups = 1U << 31;
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -EINVAL);
	query->groups = 0;
	query->comm[0] = 'x';
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -EOPNOTSUPP);
	query->comm[0] = '\0';
	query->states = 1;
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -EOPNOTSUPP);
	query->states = 0;
	query->changed_since_ns = 1;
	assert_int_equal(enlist(NULL, query, sizeof(*query)), -EOPNOTSUPP);
	query->changed_since_ns = 0;
	memset(cpus, '1', sizeof(cpus));
	cpus[TASKRT_CPUMASK_MAX] = '\0';
	assert_int_equal(enlist(cpus, query, sizeof(*query)), -EINVAL);
	assert_int_equal(taskrt_exits_deregister(listener, cpus, NULL, 0), -EINVAL);
	assert_non_null(strstr(taskrt_exits_error(listener), "too long"));
	assert_int_equal(fake.requests, 0);

	/* the longest, with all conditions, and one that is not one */
	cpus[TASKRT_CPUMASK_MAX - 1] = '\0';
	longer.more[7] = 0;
	*query = (struct taskrt_query){ .groups = 7, .entities = 3, .own_only = 1, .tgid = 1,
					.cgroup = 1 };
	assert_int_equal(enlist(cpus, query, sizeof(longer)), 0);
	assert_string_equal(nla_get_string(asked(TASKRT_A_CPUMASK)), cpus);
	assert_non_null(filter(TASKRT_FILTER_A_CGROUP));
	assert_int_equal(taskrt_exits_deregister(listener, cpus, NULL, 0), 0);
}

static int refused;

static void refuse(struct nlmsghdr *request)
{
	fake_refuse(request, -EINVAL, "Unknown attribute type", refused);
}

static void refuse_all(struct nlmsghdr *request)
{
	fake_verdict(request, -EINVAL, NULL, true);
}

/* An attribute that the module does not know is distinguished from a bad list of CPUs. */
static void older_module(void **state)
{
	const struct taskrt_query query = { .own_only = 1, .entities = 1 }, none = { 0 };

	(void)state;
	fake.answer = refuse;
	refused = TASKRT_A_FILTER;
	assert_int_equal(enlist("1", &query, sizeof(query)), -EOPNOTSUPP);
	refused = TASKRT_A_ENTITIES;
	assert_int_equal(enlist("1", &query, sizeof(query)), -EOPNOTSUPP);
	refused = TASKRT_A_GROUPS;
	assert_int_equal(enlist("1", &none, sizeof(none)), -EOPNOTSUPP);
	refused = TASKRT_A_CPUMASK;
	assert_int_equal(enlist("1", &query, sizeof(query)), -EINVAL);
	assert_string_equal(taskrt_exits_error(listener), "Unknown attribute type");
	fake.answer = refuse_all;
	assert_int_equal(enlist("1", &query, sizeof(query)), -EINVAL);
	assert_int_equal(enlist(NULL, &query, sizeof(query)), -EOPNOTSUPP);
	assert_int_equal(enlist(NULL, NULL, 0), -EINVAL);
}

static void errors_and_words(void **state)
{
	static const int errors[] = { EINVAL, EPERM, ESRCH, ENOENT, EUSERS, ENODATA, EOPNOTSUPP };
	size_t i;

	(void)state;
	answer_text = "the module's words";
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		answer_errno = -errors[i];
		assert_int_equal(enlist(NULL, NULL, 0), -errors[i]);
		assert_string_equal(taskrt_exits_error(listener), answer_text);
	}
	answer_errno = 0;
	answer_text = NULL;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), 0);
	assert_string_equal(taskrt_exits_error(listener), "");
	fake.family = 0;
	assert_int_equal(taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0), -ENODEV);
	assert_string_equal(taskrt_exits_error(listener), strerror(ENODEV));
}

static void put_registration(struct nl_msg *message, const char *cpus, bool conditions)
{
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_REGISTRATION), *filter;

	if (cpus)
		nla_put_string(message, TASKRT_A_CPUMASK, cpus);
	nla_put_u32(message, TASKRT_A_ENTITIES, 3);
	nla_put_u32(message, TASKRT_A_GROUPS, TASKRT_GROUP_LONGEST);
	if (conditions) {
		filter = nla_nest_start(message, TASKRT_A_FILTER);
		nla_put_flag(message, TASKRT_FILTER_A_OWN);
		nla_put_u32(message, TASKRT_FILTER_A_TGID, 77);
		nla_put_u64(message, TASKRT_FILTER_A_MAX + 1, 99);
		nla_put_u64(message, TASKRT_FILTER_A_CGROUP, 88);
		nla_nest_end(message, filter);
	}
	nla_nest_end(message, nest);
}

static bool broken_list, no_registration;

static void answer_list(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_LIST, 0);

	fake_notify(exit_message(0, 0, 1));
	nla_put_u64(message, TASKRT_A_SEQ, 100);
	nla_put_u64(message, TASKRT_A_LOST, 10);
	nla_put_u64(message, TASKRT_A_BACKLOG, 1ULL << 33);
	if (!no_registration)
		put_registration(message, broken_list ? NULL : "3", true);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

/* Checks the registration of answer_list(). */
static void check_registration(void)
{
	struct { struct taskrt_registration r; char more; } longer = { .more = 1 };
	const struct taskrt_query *query = &longer.r.query;
	size_t i;

	assert_int_equal(taskrt_exits_registration(listener, &longer.r, sizeof(longer)), 0);
	assert_int_equal(longer.more, 0);
	assert_string_equal(longer.r.cpus, "3");
	assert_int_equal(query->entities, 3);
	assert_int_equal(query->groups, TASKRT_GROUP_LONGEST);
	assert_int_equal(query->own_only, 1);
	assert_int_equal(query->tgid, 77);
	assert_int_equal(query->cgroup, 88);
	for (i = 0; i < 7; i++)
		assert_int_equal(longer.r.reserved[i], 0);
	for (i = 0; i < 7; i++)
		assert_int_equal(query->reserved[i], 0);
}

static void registration(void **state)
{
	struct taskrt_exits_status status;
	struct taskrt_registration r;
	size_t size;

	(void)state;
	fake.answer = answer_list;
	assert_int_equal(taskrt_exits_get_status(listener, &status, sizeof(status)), 0);
	check_registration();
	assert_int_equal(taskrt_exits_registration(listener, &r, sizeof(r)), 0);
	/* in memory of exactly that length */
	for (size = 1; size <= sizeof(r); size++) {
		char *bytes = malloc(size);

		assert_int_equal(taskrt_exits_registration(listener, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &r, size);
		free(bytes);
	}
	/* after an error the last answer still holds */
	broken_list = true;
	assert_int_equal(taskrt_exits_get_status(listener, &status, sizeof(status)), -EBADMSG);
	broken_list = false;
	check_registration();
	/* and the words are those of the last call */
	assert_string_equal(taskrt_exits_error(listener), strerror(EBADMSG));
	assert_int_equal(taskrt_exits_get_status(listener, NULL, 0), -EINVAL);
	assert_string_equal(taskrt_exits_error(listener), strerror(EINVAL));
	no_registration = true;
	assert_int_equal(taskrt_exits_get_status(listener, &status, sizeof(status)), 0);
	no_registration = false;
	assert_string_equal(taskrt_exits_error(listener), "");
	assert_int_equal(status.registered, 0);
	assert_int_equal(status.sequence, 100);
	assert_int_equal(taskrt_exits_registration(listener, &r, sizeof(r)), -ENOENT);
}

static void status(void **state)
{
	struct { struct taskrt_exits_status status; char more; } longer = { .more = 1 };
	struct taskrt_exits_status *s = &longer.status;
	struct taskrt_exit exit;
	size_t size;

	(void)state;
	fake.answer = answer_list;
	assert_int_equal(taskrt_exits_get_status(listener, s, sizeof(longer)), 0);
	assert_int_equal(command(), TASKRT_CMD_LIST);
	assert_int_equal(s->sequence, 100);
	assert_int_equal(s->lost, 10);
	assert_int_equal(s->backlog_bytes, 1ULL << 33);
	assert_int_equal(s->registered, 1);
	assert_int_equal(longer.more, 0);
	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 1);
	assert_int_equal(taskrt_exits_next(listener, 0, &exit, sizeof(exit)), 0);
	/* in memory of exactly that length */
	for (size = 1; size <= sizeof(*s); size++) {
		char *bytes = malloc(size);

		memset(bytes, 0xff, size);
		assert_int_equal(taskrt_exits_get_status(listener, (void *)bytes, size), 0);
		assert_memory_equal(bytes, s, size);
		free(bytes);
	}
	broken_list = true;
	assert_int_equal(taskrt_exits_get_status(listener, s, sizeof(*s)), -EBADMSG);
	assert_int_equal(s->sequence, 100);
	fake.answer = answer;
	assert_int_equal(taskrt_exits_get_status(listener, s, sizeof(*s)), -EBADMSG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_asked, start, finish),
		cmocka_unit_test_setup_teardown(nothing_is_asked, start, finish),
		cmocka_unit_test_setup_teardown(older_module, start, finish),
		cmocka_unit_test_setup_teardown(errors_and_words, start, finish),
		cmocka_unit_test_setup_teardown(registration, start, finish),
		cmocka_unit_test_setup_teardown(status, start, finish),
	};

	return cmocka_run_group_tests_name("exits_requests", tests, NULL, NULL);
}
