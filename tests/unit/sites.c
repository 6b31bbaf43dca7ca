// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_get_sites(): of the intervals of a reading, and from modules that are newer or older. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "asking.h"

#define SITES	sizeof(struct taskrt_sites)

/* What the module answers next; sites: the bytes of them, 0: none. */
static struct {
	uint32_t tid, entity;
	uint64_t started, tracked, at_ns;
	size_t sites;
	char filled_with;	/* each byte of the texts; 0: the name of the state's number */
} told;

static void put_sites(struct nl_msg *message)
{
	static char payload[2 * SITES];
	struct taskrt_sites *sites = (struct taskrt_sites *)payload;
	unsigned int state;

	memset(payload, told.filled_with, sizeof(payload));
	for (state = 0; state < TASKRT_STATES_ROOM && !told.filled_with; state++)
		snprintf(sites->states[state], TASKRT_SITE_ROOM, "site_%u", state);
	if (told.sites)
		nla_put(message, TASKRT_AGGR_A_SITES, told.sites, payload);
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
		.tid = 77, .entity = entity, .started = 4, .at_ns = 1000, .sites = SITES,
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

static void lengths(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;
	char longer[SITES + 48];

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	/* A later module has longer ones, and an end is put where none is. */
	told.sites = 2 * SITES;
	told.filled_with = 'y';
	assert_int_equal(get(&reading, &sites), 0);
	assert_int_equal(strlen(sites.states[TASKRT_STATE_SLEEPING_FILE]), TASKRT_SITE_ROOM - 1);
	told.sites = 6 * TASKRT_SITE_ROOM;
	told.filled_with = 0;
	assert_int_equal(get(&reading, &sites), 0);
	assert_string_equal(sites.states[TASKRT_STATE_BLOCKED_IO], "site_5");
	assert_string_equal(sites.states[TASKRT_STATE_BLOCKED_OTHER], "");
	/* A program of a later library has more room. */
	memset(longer, 'x', sizeof(longer));
	assert_int_equal(taskrt_get_sites(handle, &reading, (struct taskrt_sites *)longer,
					  sizeof(longer)), 0);
	assert_int_equal(longer[SITES], 0);
	assert_int_equal(longer[sizeof(longer) - 1], 0);
}

static void no_sites(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_sites sites;

	(void)state;
	begin(TASKRT_ENTITY_THREAD, &reading);
	told.sites = 0;
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
		cmocka_unit_test_teardown(lengths, finish),
		cmocka_unit_test_teardown(no_sites, finish),
		cmocka_unit_test_teardown(wrong_arguments, finish),
	};

	return cmocka_run_group_tests_name("sites", tests, NULL, NULL);
}
