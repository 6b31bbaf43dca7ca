// SPDX-License-Identifier: GPL-2.0-only
/* Answers of modules, and structures of programs, that are newer or older than the library. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>

#include "asking.h"

#define ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* The sizes of what is put into the next answer; 0: it is left out. */
static struct {
	uint32_t version;
	size_t stats, times, counts, longest;
	bool unknown;
} told;

/* Behind the newest attribute that is known here, and far behind it. */
static void put_unknown(struct nl_msg *message, int newest)
{
	if (told.unknown) {
		put_words(message, newest + 1, 5000, 64);
		nla_put(message, 3000, 3, "abc");
	}
}

static void answer(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);
	struct nlattr *nest;

	put_unknown(message, TASKRT_A_MAX);
	nest = nla_nest_start(message, TASKRT_A_AGGR_TID);
	put_unknown(message, TASKRT_AGGR_A_MAX);
	if (told.times)
		put_words(message, TASKRT_AGGR_A_TIMES, 1000, told.times);
	if (told.counts)
		put_words(message, TASKRT_AGGR_A_COUNTS, 2000, told.counts);
	if (told.longest)
		put_words(message, TASKRT_AGGR_A_LONGEST, 3000, told.longest);
	put_stats(message, 77, told.version, told.stats);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static struct taskrt_reading get(void)
{
	struct taskrt_reading now;

	memset(&now, 0xff, sizeof(now));
	assert_int_equal(taskrt_get(handle, TASKRT_ENTITY_THREAD, 77, ALL, &now, sizeof(now)), 0);
	assert_int_equal(now.stats.cpu_time_ns, 1077);
	return now;
}

/* Checks that the first words are base, base + 1 and so on, and the rest of the room is zero. */
static void check_words(const void *at, uint64_t base, size_t words, size_t room)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < room; i++) {
		memcpy(&word, (const char *)at + i * sizeof(word), sizeof(word));
		assert_int_equal(word, i < words ? base + i : 0);
	}
}

static void check_groups(const struct taskrt_reading *now, size_t times, size_t counts,
			 size_t longest)
{
	assert_int_equal(now->groups, (times ? TASKRT_GROUP_TIMES : 0) |
				      (counts ? TASKRT_GROUP_COUNTS : 0) |
				      (longest ? TASKRT_GROUP_LONGEST : 0));
	check_words(&now->times, 1000, times, 48);
	check_words(now->counts_room, 2000, counts, 96);
	check_words(&now->longests, 3000, longest, 80);
}

static void lengths_of_groups(void **state)
{
	struct taskrt_reading now;

	(void)state;
	start(answer);
	told = (typeof(told)){ 3, 256, 384, 704, 640, false };
	now = get();
	check_groups(&now, 48, 88, 80);

	/* a 41st value */
	told.counts = 712;
	now = get();
	check_groups(&now, 48, 89, 80);
	assert_int_equal(now.counts.values[39], 2087);
	/* and more than there is room for */
	told.counts = 1024;
	told.times = 400;
	told.longest = 656;
	now = get();
	check_groups(&now, 48, 96, 80);

	/* an older module's are shorter; half a word is none */
	told = (typeof(told)){ 3, 256, 80, 9, 4, false };
	now = get();
	assert_int_equal(now.groups, ALL);
	check_words(&now.times, 1000, 10, 48);
	check_words(now.counts_room, 2000, 1, 96);
	check_words(&now.longests, 3000, 0, 80);

	/* or not there: it does not know them */
	told = (typeof(told)){ 3, 256, 0, 8, 0, false };
	now = get();
	check_groups(&now, 0, 1, 0);
}

static void versions(void **state)
{
	/* of what the module sends, and of what there is in the reading */
	const struct { uint32_t version, told; size_t size, room; uint64_t valid; } cases[] = {
		{ 1, 1, 32, 32, 3 }, { 2, 2, 48, 48, 15 }, { 3, 3, 256, 256, ~0ULL },
		{ 4, 4, 256, 256, ~0ULL }, { 4, 4, 320, 320, ~0ULL },
		{ 5, 3, 400, 256, 0x3ff },
	};
	struct taskrt_reading now;
	size_t i;

	(void)state;
	start(answer);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		told = (typeof(told)){ cases[i].version, cases[i].size, 384, 0, 0, false };
		now = get();
		assert_int_equal(now.stats.version, cases[i].told);
		assert_int_equal(now.stats.size, cases[i].room);
		assert_int_equal(now.stats.valid, cases[i].valid);
		assert_int_equal(now.groups, TASKRT_GROUP_TIMES);
		check_words(&now.times, 1000, 48, 48);
		check_words(now.stats_room + 32, 0, 0, 8);
	}
	told = (typeof(told)){ 3, 600, 384, 0, 0, false };
	assert_int_equal(taskrt_get(handle, 0, 77, ALL, &now, sizeof(now)), -EBADMSG);
	told.version = 4;
	told.stats = 248;
	assert_int_equal(taskrt_get(handle, 0, 77, ALL, &now, sizeof(now)), -EBADMSG);
}

static void unknown_attributes(void **state)
{
	struct taskrt_reading now, before;

	(void)state;
	start(answer);
	told = (typeof(told)){ 3, 256, 384, 704, 640, false };
	before = get();
	told.unknown = true;
	now = get();
	assert_memory_equal(&now, &before, sizeof(now));
	/* a request for groups that are unknown today is passed on, and they are absent */
	assert_int_equal(taskrt_get(handle, 0, 77, 0x7fffffff, &now, sizeof(now)), 0);
	assert_int_equal(fake_asked(TASKRT_A_GROUPS), 0x7fffffff);
	assert_memory_equal(&now, &before, sizeof(now));
}

/* No structure is shorter than that of version 1.0; a longer one ends in zeroes. */
static void sizes(void **state)
{
	const size_t full = sizeof(struct taskrt_reading);
	const unsigned char guard = 0xa5;
	struct taskrt_reading now;
	unsigned char *bytes;
	size_t size, i;

	(void)state;
	start(answer);
	told = (typeof(told)){ 4, 320, 384, 1024, 640, true };
	now = get();
	assert_int_equal(full, 2176);
	for (size = 0; size < full; size += 73)
		assert_int_equal(taskrt_get(handle, 0, 77, ALL, &now, size), -EINVAL);
	for (size = full; size <= 2 * full; size += 128) {
		bytes = malloc(size + 8);
		memset(bytes, guard, size + 8);
		assert_int_equal(taskrt_get(handle, 0, 77, ALL, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &now, full);
		for (i = full; i < size; i++)
			assert_int_equal(bytes[i], 0);
		for (; i < size + 8; i++)
			assert_int_equal(bytes[i], guard);
		free(bytes);
	}
}

static void answer_exited(struct nlmsghdr *request)
{
	struct taskrt_stats stats = {
		.version = 3, .size = 256, .cpu_time_ns = 1077, .flags = TASKRT_FLAG_EXITED,
		.measured = { .states = 0x80ffffff, .values = ~0ULL },
	};
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_TID);

	nla_put(message, TASKRT_AGGR_A_STATS, sizeof(stats), &stats);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

/* What is measured is passed on unchanged, whether it is known here or not. */
static void flags_and_measured(void **state)
{
	struct taskrt_reading now;

	(void)state;
	start(answer_exited);
	now = get();
	assert_int_equal(now.flags, TASKRT_FINAL);
	assert_int_equal(now.stats.measured.states, 0x80ffffff);
	assert_int_equal(now.stats.measured.values, ~0ULL);
	fake.answer = answer;
	told = (typeof(told)){ 3, 256, 384, 704, 640, false };
	now = get();
	assert_int_equal(now.flags, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(lengths_of_groups, finish),
		cmocka_unit_test_teardown(versions, finish),
		cmocka_unit_test_teardown(unknown_attributes, finish),
		cmocka_unit_test_teardown(sizes, finish),
		cmocka_unit_test_teardown(flags_and_measured, finish),
	};

	return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}
