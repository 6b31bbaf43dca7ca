// SPDX-License-Identifier: GPL-2.0-only
/* Lists of threads: whole, cut off, refused, inconsistent. */
#include <errno.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "asking.h"

static void answer_dump(struct nlmsghdr *request)
{
	(void)request;
	fake_send(thread_message(1, NLM_F_MULTI));
	fake_send_behind(thread_message(2, NLM_F_MULTI));
	fake_send(thread_message(3, NLM_F_MULTI));
	fake_done(answer_errno, answer_text);
}

static void answer_dump_interrupted(struct nlmsghdr *request)
{
	(void)request;
	fake_send(thread_message(1, NLM_F_MULTI | NLM_F_DUMP_INTR));
	fake_send(thread_message(2, NLM_F_MULTI));
	fake_done(0, NULL);
}

static int stop_at_two(const struct taskrt_reading *reading, void *arg)
{
	++*(int *)arg;
	return reading->stats.tid == 2 ? 1234 : 0;
}

static void iteration(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump);
	assert_int_equal(each(&seen), 0);
	assert_int_equal(seen, 3);
	assert_int_equal(fake_asked(TASKRT_A_TGID), -1);
	assert_int_equal(fake_asked(TASKRT_A_VERSION), 3);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), 0);
	assert_int_equal(fake_asked(TASKRT_A_ENTITIES), -1);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER));
	assert_int_equal(fake.last->nlmsg_flags & NLM_F_DUMP, NLM_F_DUMP);
	assert_int_equal(fake.last->nlmsg_flags & NLM_F_ACK, 0);
	assert_int_equal(fake.sockets, 1);
}

/* One attribute of the filter that was requested. */
static struct nlattr *filter(int attribute)
{
	struct nlattr *nest = nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER);

	assert_non_null(nest);
	assert_int_equal(nest->nla_type, NLA_F_NESTED | TASKRT_A_FILTER);
	return nla_find(nla_data(nest), nla_len(nest), attribute);
}

static void conditions(void **state)
{
	struct { struct taskrt_query query; char more[64]; } longer = { 0 };
	struct taskrt_query *query = &longer.query;

	(void)state;
	start(answer_dump);
	/* a process alone is named, as for GET of one */
	query->tgid = 9;
	query->groups = TASKRT_GROUP_COUNTS;
	assert_int_equal(each_of(query, sizeof(*query)), 0);
	assert_int_equal(fake_asked(TASKRT_A_TGID), 9);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), TASKRT_GROUP_COUNTS);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER));

	query->own_only = 1;
	query->cgroup = 1ULL << 40;
	query->entities = TASKRT_ENTITIES_THREADS;
	assert_int_equal(each_of(query, sizeof(longer)), 0);
	assert_int_equal(fake_asked(TASKRT_A_TGID), -1);
	assert_int_equal(fake_asked(TASKRT_A_ENTITIES), 1);
	assert_non_null(filter(TASKRT_FILTER_A_OWN));
	assert_int_equal(nla_get_u32(filter(TASKRT_FILTER_A_TGID)), 9);
	assert_int_equal(nla_get_u64(filter(TASKRT_FILTER_A_CGROUP)), 1ULL << 40);

	/* a program that knew no more than the groups */
	assert_int_equal(each_of(query, 4), 0);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), TASKRT_GROUP_COUNTS);
	assert_int_equal(fake_asked(TASKRT_A_ENTITIES), -1);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER));
	longer.more[63] = 1;
	assert_int_equal(each_of(query, sizeof(longer)), -E2BIG);
	assert_int_equal(each_of(query, sizeof(longer) - 1), 0);
	assert_int_equal(fake.requests, 4);
}

/* Thread n has the user 10 + n, the state n and the name "cn". */
static void put_one(uint32_t n)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, NLM_F_MULTI);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_TID);
	struct taskrt_stats stats = {
		.version = 3, .size = sizeof(stats), .valid = ~0ULL, .tid = n, .uid = 10 + n,
		.state = n, .comm = { 'c', '0' + n },
	};

	nla_put_u32(message, TASKRT_AGGR_A_TID, n);
	nla_put(message, TASKRT_AGGR_A_PAD, 0, NULL);
	nla_put(message, TASKRT_AGGR_A_STATS, sizeof(stats), &stats);
	nla_nest_end(message, nest);
	fake_send(message);
}

static void answer_old(struct nlmsghdr *request)
{
	(void)request;
	fake_send(stats_message(1, 2, 48, 0, NLM_F_MULTI));
	fake_done(0, NULL);
}

static void answer_varied(struct nlmsghdr *request)
{
	(void)request;
	put_one(TASKRT_STATE_PREEMPTED);
	put_one(TASKRT_STATE_BLOCKED_LOCK);
	put_one(9);
	put_one(TASKRT_STATE_THROTTLED);
	fake_done(0, NULL);
}

static int note(const struct taskrt_reading *reading, void *arg)
{
	*(uint32_t *)arg |= 1U << reading->stats.tid;
	return 0;
}

/* The threads that match, as a mask; or a negative errno. */
static int matching(const struct taskrt_query *query)
{
	uint32_t seen = 0;
	int err = taskrt_each(handle, query, sizeof(*query), sizeof(struct taskrt_reading), note,
			      &seen);

	return err ? err : (int)seen;
}

/* Conditions that the library checks, and does not send. */
static void conditions_of_the_library(void **state)
{
	struct taskrt_query query = { .uid = 13, .set = TASKRT_QUERY_UID };

	(void)state;
	start(answer_varied);
	assert_int_equal(matching(&query), 1 << 3);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_FILTER));
	query.uid = 0;
	assert_int_equal(matching(&query), 0);
	query = (struct taskrt_query){ .states = 1U << TASKRT_STATE_BLOCKED_LOCK | 1U << 9 };
	assert_int_equal(matching(&query), 1 << 3 | 1 << 9);
	/* with its child states, such as THROTTLED */
	query.states = 1U << TASKRT_STATE_PREEMPTED;
	assert_int_equal(matching(&query), 1 << 1 | 1 << 12);
	query.states = 1U << TASKRT_STATE_THROTTLED;
	assert_int_equal(matching(&query), 1 << 12);
	query = (struct taskrt_query){ .comm = "c3" };
	assert_int_equal(matching(&query), 1 << 3);
	query = (struct taskrt_query){ .comm = "c" };
	assert_int_equal(matching(&query), 0);
	query = (struct taskrt_query){ .after = 3 };
	assert_int_equal(matching(&query), 1 << 9 | 1 << 12);
	query.after = 1ULL << 40;
	assert_int_equal(matching(&query), 0);
	query = (struct taskrt_query){ .after = 1, .comm = "c3", .states = 8, .uid = 13,
				       .set = TASKRT_QUERY_UID };
	assert_int_equal(matching(&query), 1 << 3);
	query.states = 2;
	assert_int_equal(matching(&query), 0);
}

static void conditions_of_nobody(void **state)
{
	struct taskrt_query query = { .changed_since_ns = 1 };

	(void)state;
	start(answer_varied);
	assert_int_equal(matching(&query), -EOPNOTSUPP);
	query = (struct taskrt_query){ .policies = 1 };
	assert_int_equal(matching(&query), -EOPNOTSUPP);
	query = (struct taskrt_query){ .set = 2 };
	assert_int_equal(matching(&query), -E2BIG);
	query = (struct taskrt_query){ .uid = 1 };
	assert_int_equal(matching(&query), -EINVAL);
	assert_non_null(strstr(taskrt_error(handle), "TASKRT_QUERY_UID"));
	assert_int_equal(fake.requests, 0);
	/* an old module says neither whose threads they are nor their states */
	fake.answer = answer_old;
	query = (struct taskrt_query){ .states = 1 };
	assert_int_equal(matching(&query), -EOPNOTSUPP);
}

static void refuse_filter(struct nlmsghdr *request)
{
	fake_refuse(request, -EINVAL, "Unknown attribute type", TASKRT_A_FILTER);
}

static void no_such_cgroup(struct nlmsghdr *request)
{
	fake_verdict(request, -ENOENT, "CGROUP: no such cgroup", true);
}

static int refuse(const struct taskrt_reading *reading, void *arg)
{
	(void)reading;
	(void)arg;
	return -EINVAL;
}

/* A module that is older than a part of the query: this is not the caller's mistake. */
static void older_module(void **state)
{
	const struct taskrt_query query = { .cgroup = 5 }, process = { .tgid = 5 };
	const struct taskrt_query processes = { .entities = TASKRT_ENTITIES_PROCESSES };

	(void)state;
	start(refuse_filter);
	assert_int_equal(each_of(&query, sizeof(query)), -EOPNOTSUPP);
	assert_string_equal(taskrt_error(handle), "Unknown attribute type");
	/* it does not say what it does not know */
	fake.answer = answer_error;
	answer_errno = -EINVAL;
	assert_int_equal(each_of(&query, sizeof(query)), -EOPNOTSUPP);
	assert_int_equal(each_of(&processes, sizeof(processes)), -EOPNOTSUPP);
	assert_int_equal(each_of(&process, sizeof(process)), -EINVAL);
	assert_int_equal(each_of(NULL, 0), -EINVAL);
	/* the module is there, it is the cgroup that is not */
	fake.answer = no_such_cgroup;
	assert_int_equal(each_of(&query, sizeof(query)), -ENOENT);
	/* the value that fn returns is passed on unchanged */
	fake.answer = answer_dump;
	assert_int_equal(taskrt_each(handle, &query, sizeof(query), sizeof(struct taskrt_reading),
				     refuse, NULL), -EINVAL);
}

static void iteration_fails_at_its_end(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump);
	answer_errno = -ENODATA;
	answer_text = "switched off";
	assert_int_equal(each(&seen), -ENODATA);
	assert_string_equal(taskrt_error(handle), "switched off");
	assert_int_equal(seen, 3);
}

static void iteration_refused(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_error);
	answer_errno = -ESRCH;
	assert_int_equal(each(&seen), -ESRCH);
	assert_int_equal(seen, 0);
}

static void iteration_inconsistent(void **state)
{
	int seen = 0;

	(void)state;
	start(answer_dump_interrupted);
	assert_int_equal(each(&seen), -EINTR);
	assert_int_equal(seen, 2);
}

/* The rest of a dump must not be taken for the answer to the next query. */
static void iteration_stopped(void **state)
{
	struct taskrt_reading now;
	int seen = 0, i;

	(void)state;
	start(answer_dump);
	for (i = 0; i < 3; i++) {
		fake.answer = answer_dump;
		seen = 0;
		assert_int_equal(taskrt_each(handle, NULL, 0, sizeof(now), stop_at_two, &seen),
				 1234);
		assert_int_equal(seen, 2);
		fake.answer = answer_stats;
		assert_int_equal(get_own(&now), 0);
		assert_int_equal(now.stats.tid, 77);
		/* It is the socket that holds threads armed. */
		assert_int_equal(fake.sockets, 1);
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
	assert_int_equal(each(&seen), -ENODEV);
	assert_int_equal(seen, 0);
	assert_string_equal(taskrt_error(handle), strerror(ENODEV));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(iteration, finish),
		cmocka_unit_test_teardown(conditions, finish),
		cmocka_unit_test_teardown(conditions_of_the_library, finish),
		cmocka_unit_test_teardown(conditions_of_nobody, finish),
		cmocka_unit_test_teardown(older_module, finish),
		cmocka_unit_test_teardown(iteration_fails_at_its_end, finish),
		cmocka_unit_test_teardown(iteration_refused, finish),
		cmocka_unit_test_teardown(iteration_inconsistent, finish),
		cmocka_unit_test_teardown(iteration_stopped, finish),
		cmocka_unit_test_teardown(module_is_going, finish),
	};

	return cmocka_run_group_tests_name("each", tests, NULL, NULL);
}
