// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_get_sites(): of the intervals of a reading, and from modules that are newer or older. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "asking.h"

#define SITES	sizeof(struct taskrt_sites)

/* What the module answers next. */
static struct {
	uint32_t tid, entity;
	uint64_t started, tracked, at_ns;
	void (*put_sites)(struct nl_msg *message);	/* NULL: the group is not known */
} told;

/* Without @name_size, the site has no name; the NUL is a part of it. */
static void put_site(struct nl_msg *message, uint32_t state, const char *name, int name_size)
{
	struct nlattr *nest = nla_nest_start(message, TASKRT_SITES_A_SITE);

	nla_put_u32(message, TASKRT_SITE_A_STATE, state);
	if (name_size)
		nla_put(message, TASKRT_SITE_A_NAME, name_size, name);
	nla_nest_end(message, nest);
}

static void one_for_each(struct nl_msg *message)
{
	char name[16];
	uint32_t state;

	for (state = 0; state < TASKRT_STATES_ROOM; state++)
		put_site(message, state, name,
			 snprintf(name, sizeof(name), "site_%u", state) + 1);
}

static void put_sites(struct nl_msg *message)
{
	struct nlattr *nest;

	if (!told.put_sites)
		return;
	nest = nla_nest_start(message, TASKRT_AGGR_A_SITES);
	told.put_sites(message);
	/* Not nla_nest_end(), which drops a nest without attributes. */
	nest->nla_len = (char *)nlmsg_tail(nlmsg_hdr(message)) - (char *)nest;
}

static void answer(struct nlmsghdr *request)
{
	const int process = told.entity == TASKRT_ENTITY_PROCESS;
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);
	struct taskrt_stats stats = {
		.version = 3, .size = sizeof(stats), .valid = ~0ULL, .entity = told.entity,
		.tid = process ? 0 : told.tid, .tgid = 70, .start_time_ns = told.started,
		.tracked_since_ns = told.tracked, .sample_time_ns = 2000,
	};
	struct taskrt_longests longests = { .states[TASKRT_STATE_SLEEPING_FILE] = { 5, told.at_ns } };
	struct nlattr *nest = nla_nest_start(message, process ? TASKRT_A_AGGR_TGID :
								TASKRT_A_AGGR_TID);

	nla_put(message, TASKRT_AGGR_A_STATS, sizeof(stats), &stats);
	nla_put(message, TASKRT_AGGR_A_LONGEST, sizeof(longests), &longests);
	put_sites(message);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void begin(uint32_t entity, struct taskrt_reading *reading)
{
	start(answer);
	told = (typeof(told)){
		.tid = 77, .entity = entity, .started = 4, .at_ns = 1000, .put_sites = one_for_each,
	};
	assert_int_equal(taskrt_get(handle, entity, 77, TASKRT_GROUP_LONGEST, reading,
				    sizeof(*reading)), 0);
}

static int get(const struct taskrt_reading *reading, struct taskrt_sites *sites)
{
	memset(sites, 'x', sizeof(*sites));
	return taskrt_get_sites(handle, reading, sites, sizeof(*sites));
}

static void of_a_thread(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	assert_int_equal(get(&reading, &sites), 0);
	assert_int_equal(fake_asked(TASKRT_A_TID), 77);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), TASKRT_GROUP_LONGEST | TASKRT_GROUP_SITES);
	assert_string_equal(sites.states[TASKRT_STATE_SLEEPING_FILE], "site_13");
	assert_string_equal(sites.states[TASKRT_STATE_BLOCKED_IO], "site_5");
}

static void of_a_process(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_PROCESS, &reading);
	assert_int_equal(get(&reading, &sites), 0);
	assert_int_equal(fake_asked(TASKRT_A_TGID), 70);
	assert_string_equal(sites.states[TASKRT_STATE_SLEEPING_FILE], "site_13");
}

static void another_interval(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.at_ns++;
	assert_int_equal(get(&reading, &sites), 0);
	assert_string_equal(sites.states[TASKRT_STATE_SLEEPING_FILE], "");
	assert_string_equal(sites.states[TASKRT_STATE_BLOCKED_IO], "site_5");
}

static void another_task(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.started++;
	assert_int_equal(get(&reading, &sites), -ESRCH);
	assert_int_equal(sites.states[0][0], 'x');
}

/* It has executed a program, and has the id and the start time of the main thread since then. */
static void taken_over(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.tracked++;
	assert_int_equal(get(&reading, &sites), -ESRCH);
	assert_int_equal(sites.states[0][0], 'x');
}

static void strange(struct nl_msg *message)
{
	static const uint32_t beyond[] = { TASKRT_STATES_ROOM, 31, 32, UINT32_MAX };
	char name[100];
	unsigned int i;

	memset(name, 'y', sizeof(name));
	put_site(message, TASKRT_STATE_BLOCKED_IO, name, sizeof(name));
	put_site(message, TASKRT_STATE_BLOCKED_LOCK, "mutex_lock", 5);
	put_site(message, TASKRT_STATE_SLEEPING, NULL, 0);
	for (i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++)
		put_site(message, beyond[i], "beyond", 7);
	nla_put_string(message, TASKRT_SITES_A_SITE + 1, "of a later version");
	nla_put_u32(message, TASKRT_SITES_A_SITE, 0);
}

/* A later module has longer names, and other states; and what it sends is not trusted. */
static void strange_sites(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.put_sites = strange;
	assert_int_equal(get(&reading, &sites), 0);
	assert_int_equal(strlen(sites.states[TASKRT_STATE_BLOCKED_IO]), TASKRT_SITE_ROOM - 1);
	assert_string_equal(sites.states[TASKRT_STATE_BLOCKED_LOCK], "mutex");
	assert_string_equal(sites.states[TASKRT_STATE_SLEEPING], "");
	assert_string_equal(sites.states[TASKRT_STATES_ROOM - 1], "");
}

static void nothing(struct nl_msg *message)
{
	(void)message;
}

static void none_known(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;
	unsigned int i;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.put_sites = nothing;
	assert_int_equal(get(&reading, &sites), 0);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		assert_string_equal(sites.states[i], "");
}

/* A program of a later library has more room. */
static void more_room(void **state)
{
	char longer[SITES + 48];
	struct taskrt_reading reading;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	memset(longer, 'x', sizeof(longer));
	assert_int_equal(taskrt_get_sites(handle, &reading, (struct taskrt_sites *)longer,
					  sizeof(longer)), 0);
	assert_string_equal(longer + TASKRT_STATE_BLOCKED_IO * TASKRT_SITE_ROOM, "site_5");
	assert_int_equal(longer[SITES], 0);
	assert_int_equal(longer[sizeof(longer) - 1], 0);
}

static void no_sites(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.put_sites = NULL;
	assert_int_equal(get(&reading, &sites), -EOPNOTSUPP);
	assert_int_equal(sites.states[0][0], 'x');
}

static void wrong_arguments(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	assert_int_equal(taskrt_get_sites(NULL, &reading, &sites, SITES), -EINVAL);
	assert_int_equal(taskrt_get_sites(handle, NULL, &sites, SITES), -EINVAL);
	assert_int_equal(taskrt_get_sites(handle, &reading, NULL, SITES), -EINVAL);
	assert_int_equal(taskrt_get_sites(handle, &reading, &sites, SITES - 1), -EINVAL);
	reading.groups = TASKRT_GROUP_TIMES;
	assert_int_equal(get(&reading, &sites), -EINVAL);
	reading.groups = TASKRT_GROUP_LONGEST;
	reading.stats.entity = TASKRT_ENTITY_CHILDREN;
	assert_int_equal(get(&reading, &sites), -EINVAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(of_a_thread, finish),
		cmocka_unit_test_teardown(of_a_process, finish),
		cmocka_unit_test_teardown(another_interval, finish),
		cmocka_unit_test_teardown(another_task, finish),
		cmocka_unit_test_teardown(taken_over, finish),
		cmocka_unit_test_teardown(strange_sites, finish),
		cmocka_unit_test_teardown(none_known, finish),
		cmocka_unit_test_teardown(more_room, finish),
		cmocka_unit_test_teardown(no_sites, finish),
		cmocka_unit_test_teardown(wrong_arguments, finish),
	};

	return cmocka_run_group_tests_name("sites", tests, NULL, NULL);
}
