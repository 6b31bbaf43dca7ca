// SPDX-License-Identifier: GPL-2.0-only
/* Rounds of taskrt top, without a screen: what is computed, selected and sorted. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <taskrt.h>

#include "fake_top.h"
#include "top/order.h"
#include "top/user.h"

/* A function of ASan, whose header not every compiler brings. */
size_t __sanitizer_get_current_allocated_bytes(void);

#define SECOND	FAKE_TOP_SECOND
#define MANY	20000

struct world {
	struct taskrt *handle;
	struct top_round round;
	struct top_want want;
	uint32_t groups;
};

static void begin(struct world *world, unsigned int threads, const char *then)
{
	fake_top_begin(threads, then);
	*world = (struct world){
		.want = top_want_default,
		.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS,
	};
	assert_int_equal(taskrt_open(&world->handle), 0);
}

static void end(struct world *world)
{
	top_round_forget(&world->round);
	taskrt_close(world->handle);
}

static int look(struct world *world)
{
	return top_round_next(&world->round, world->handle, world->want.tgid, world->groups);
}

static const struct top_row *find(const struct world *world, unsigned int thread)
{
	size_t i;

	for (i = 0; i < world->round.count; i++)
		if (world->round.rows[i].tid == FAKE_TOP_TID + thread)
			return &world->round.rows[i];
	return NULL;
}

static unsigned int sum(const struct top_row *row)
{
	unsigned int permille[NR_SHARES], i, sum = 0;

	top_row_permille(row, permille);
	for (i = 0; i < NR_SHARES; i++)
		sum += permille[i];
	return sum;
}

/* What each has spent in a second, to the nanosecond. */
static void rates(void **state)
{
	struct world world;
	unsigned int i, s;

	(void)state;
	begin(&world, 500, NULL);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.elapsed_ns, 0);
	for (i = 0; i < 500; i++)
		assert_int_equal(world.round.rows[i].known, 0);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.count, 500);
	assert_int_equal(world.round.elapsed_ns, SECOND);
	assert_int_equal(world.round.born + world.round.gone, 0);
	for (i = 0; i < 500; i++) {
		const struct top_row *row = &world.round.rows[i];

		assert_int_equal(row->known, 1);
		assert_int_equal(row->base_ns, SECOND);
		assert_int_equal(row->values[TASKRT_VALUE_VOLUNTARY_SWITCHES], i);
		assert_int_equal(row->values[TASKRT_VALUE_MINOR_FAULTS], 1);
		for (s = 0; s < TASKRT_STATES_ROOM; s++)
			assert_int_equal(row->states_ns[s], fake_top_spends(i, s));
		assert_int_equal(sum(row), 1000);
	}
	end(&world);
}

/* One ended, one id has gone to another, one is new. */
static void coming_and_going(void **state)
{
	struct world world;
	const struct top_row *row;

	(void)state;
	begin(&world, 10, NULL);
	look(&world);
	look(&world);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.born, 2);
	assert_int_equal(world.round.gone, 2);
	assert_null(find(&world, 3));
	row = find(&world, 5);
	assert_int_equal(row->known, 1);
	assert_int_equal(row->states_ns[TASKRT_STATE_RUNNING],
			 fake_top_spends(5, TASKRT_STATE_RUNNING) / 4);
	/* A quarter of the second: the shares are of all of it. */
	assert_int_equal(row->base_ns, SECOND);
	assert_int_equal(sum(row), 250);
	row = find(&world, 10);
	assert_int_equal(row->base_ns, SECOND);
	assert_int_equal(sum(row), 500);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.born + world.round.gone, 0);
	assert_int_equal(sum(find(&world, 10)), 1000);
	end(&world);
}

/* An interrupted list lacks one: when it is back, nothing is known of it, and it is not new. */
static void interrupted(void **state)
{
	struct world world;
	size_t i;

	(void)state;
	begin(&world, 100, "eintr");
	look(&world);
	look(&world);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.incomplete, 1);
	assert_int_equal(world.round.number, 3);
	assert_int_equal(world.round.count, 99);
	assert_null(find(&world, 50));
	for (i = 1; i < world.round.count; i++)
		assert_true(world.round.rows[i].tid > world.round.rows[i - 1].tid);
	assert_int_equal(sum(find(&world, 1)), 1000);
	look(&world);
	assert_int_equal(look(&world), 0);
	assert_int_equal(world.round.incomplete, 0);
	assert_int_equal(find(&world, 50)->known, 0);
	assert_int_equal(world.round.born, 0);
	assert_int_equal(look(&world), 0);
	assert_int_equal(find(&world, 50)->known, 1);
	end(&world);
}

/* A round that fails leaves the one before, and the next is computed from that. */
static void failing(void **state)
{
	static const struct { const char *then; int error; } failures[] = {
		{ "gone", -ENODEV }, { "off", -ENODATA },
	};
	struct world world;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		begin(&world, 10, failures[i].then);
		look(&world);
		look(&world);
		assert_int_equal(look(&world), failures[i].error);
		assert_int_equal(look(&world), failures[i].error);
		assert_int_equal(world.round.count, 10);
		assert_int_equal(world.round.number, 2);
		assert_int_equal(look(&world), 0);
		assert_int_equal(world.round.elapsed_ns, 3 * SECOND);
		end(&world);
	}
	/* Threads of fake_tasks.c: those of 200 may not be read, and 203 does not exist. */
	begin(&world, 10, NULL);
	unsetenv("FAKE_TOP");
	setenv("FAKE", "v1", 1);
	assert_int_equal(look(&world), -EOPNOTSUPP);
	unsetenv("FAKE");
	world.want.tgid = 200;
	assert_int_equal(look(&world), -EPERM);
	world.want.tgid = 203;
	assert_int_equal(look(&world), -ESRCH);
	assert_int_equal(world.round.count, 0);
	end(&world);
}

/* What was not measured is not shown as 0. */
static void unmeasured(void **state)
{
	char text[TOP_CELL_MAX];
	struct world world;
	int measured;

	(void)state;
	begin(&world, 10, NULL);
	setenv("FAKE", "nolock", 1);
	look(&world);
	look(&world);
	unsetenv("FAKE");
	top_row_share_ns(find(&world, 7), SHARE_LOCK, &measured);
	assert_int_equal(measured, 0);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_LOCK, find(&world, 7)), "-");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_BLOCK, find(&world, 7)), "2.0");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_WAIT, find(&world, 7)), "2.0");
	assert_true(top_column_value(TOP_COLUMN_LOCK, find(&world, 7)) == TOP_UNKNOWN);
	assert_int_equal(sum(find(&world, 7)), 1000);
	end(&world);
}

/* Cycles by the time and by the instructions of the same round. */
static void cycles(void **state)
{
	char text[TOP_CELL_MAX];
	struct world world;

	(void)state;
	setenv("FAKE", "cycles", 1);
	begin(&world, 200, NULL);
	look(&world);
	look(&world);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 7)), "1.70");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_CPI, find(&world, 7)), "5.40");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 89)), "9.90");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 90)), "10.0");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_CPI, find(&world, 142)), "99.9");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_CPI, find(&world, 199)), "140");
	/* The first has not run: nothing is known of it. */
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 0)), "-");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_CPI, find(&world, 0)), "-");
	assert_true(top_column_value(TOP_COLUMN_CPI, find(&world, 0)) == TOP_UNKNOWN);
	/* Counted from the next look on, as if the parameter was just set. */
	unsetenv("FAKE");
	look(&world);
	setenv("FAKE", "cycles", 1);
	look(&world);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 7)), "-");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_CPI, find(&world, 7)), "-");
	assert_true(top_column_value(TOP_COLUMN_GHZ, find(&world, 7)) == TOP_UNKNOWN);
	look(&world);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_GHZ, find(&world, 7)), "1.70");
	unsetenv("FAKE");
	end(&world);
}

/* Is it right that a comes before b? */
static int in_order(const struct top_want *want, const struct top_place *a, const struct top_place *b)
{
	double one = top_column_value(want->sort, a->row), other = top_column_value(want->sort, b->row);
	int ascending = top_columns[want->sort].ascending != want->reverse;

	if (want->sort == TOP_COLUMN_COMM) {
		one = strcmp(a->row->comm, b->row->comm);
		other = 0;
	}
	if (one == other || (want->sort == TOP_COLUMN_COMM && !one))
		return a->row->tid < b->row->tid;
	if (want->sort != TOP_COLUMN_COMM && (one == TOP_UNKNOWN || other == TOP_UNKNOWN))
		return other == TOP_UNKNOWN;
	return ascending ? one < other : one > other;
}

/* The first threads of a partial order are the first of all, whatever their number. */
static void check_order(struct world *world)
{
	static const size_t firsts[] = { 1, 2, 3, 40, 299, 300, 1000 };
	struct top_order all, some;
	size_t i, j;

	assert_int_equal(top_order_make(&all, &world->round, &world->want, 0), 0);
	assert_int_equal(all.count, world->round.count);
	for (i = 1; i < all.count; i++)
		assert_true(in_order(&world->want, &all.places[i - 1], &all.places[i]));
	for (i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		top_order_make(&some, &world->round, &world->want, firsts[i]);
		assert_int_equal(some.count, firsts[i] < all.count ? firsts[i] : all.count);
		assert_int_equal(some.matching, all.count);
		for (j = 0; j < some.count; j++)
			assert_ptr_equal(some.places[j].row, all.places[j].row);
		top_order_free(&some);
	}
	top_order_free(&all);
}

static void orders(void **state)
{
	struct world world;
	int column;

	(void)state;
	/* Nothing is known of the one that was missing. */
	setenv("FAKE", "cycles", 1);
	begin(&world, 300, "eintr");
	for (column = 0; column < 5; column++)
		assert_int_equal(look(&world), 0);
	assert_int_equal(find(&world, 150)->known, 0);
	top_round_ask_classes(&world.round);
	for (column = 0; column < TOP_NR_COLUMNS; column++) {
		world.want.sort = (enum top_column)column;
		world.want.reverse = 0;
		check_order(&world);
		world.want.reverse = 1;
		check_order(&world);
	}
	unsetenv("FAKE");
	end(&world);
}

static size_t matching(struct world *world)
{
	struct top_order order;
	size_t count;

	assert_int_equal(top_order_make(&order, &world->round, &world->want, 1), 0);
	count = order.matching;
	top_order_free(&order);
	return count;
}

static void filters(void **state)
{
	struct world world;
	char text[ARG_WHY_MAX];

	(void)state;
	begin(&world, 120, NULL);
	look(&world);
	look(&world);
	assert_int_equal(matching(&world), 120);
	world.want.by_user = 1;
	assert_int_equal(matching(&world), 40);
	world.want.uid = FAKE_TOP_UID;
	assert_int_equal(matching(&world), 80);
	world.want.rt = 1;
	assert_int_equal(matching(&world), 0);
	top_round_ask_classes(&world.round);
	assert_int_equal(matching(&world), 8);
	assert_string_equal(top_want_filters(&world.want, text), " of user 4000001, real-time");
	world.want.by_user = 0;
	world.want.tgid = FAKE_TOP_TID + 20;
	assert_int_equal(matching(&world), 1);
	assert_string_equal(top_want_filters(&world.want, text), " of process 1020, real-time");
	world.want.rt = 0;
	assert_int_equal(matching(&world), 4);
	top_round_forget(&world.round);
	look(&world);
	assert_int_equal(world.round.count, 4);
	end(&world);
}

/*
 * Of twenty thousand threads, the class of none is requested without need, then that of
 * each, then that of each fourth.
 */
static void classes(void **state)
{
	struct world world;

	(void)state;
	begin(&world, MANY, NULL);
	look(&world);
	look(&world);
	matching(&world);
	assert_int_equal(fake_top_classes, 0);
	top_round_ask_classes(&world.round);
	assert_int_equal(fake_top_classes, MANY);
	assert_int_equal(find(&world, 11)->class.policy, 0);
	assert_int_equal(find(&world, 10)->class.priority, 60);
	assert_int_equal(find(&world, 2)->class.policy, -1);
	/* The classes of the new one and of the one with the old id must be requested. */
	look(&world);
	top_round_ask_classes(&world.round);
	assert_in_range(fake_top_classes, MANY + MANY / 4, MANY + MANY / 4 + 2);
	end(&world);
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The CPU time of the quickest of some rounds, which is that on a host without other work. */
static double quickest(int threads, int rounds)
{
	double began, least = 0, took;
	struct top_order order;
	struct world world;
	size_t bytes = 0;
	int i;

	begin(&world, threads, NULL);
	for (i = 0; i < rounds; i++) {
		began = cpu_seconds();
		assert_int_equal(look(&world), 0);
		assert_int_equal(top_order_make(&order, &world.round, &world.want, 50), 0);
		took = cpu_seconds() - began;
		assert_int_equal(order.count, 50);
		top_order_free(&order);
		if (!i || took < least)
			least = took;
		if (i == rounds / 3)
			bytes = __sanitizer_get_current_allocated_bytes();
	}
	assert_true(__sanitizer_get_current_allocated_bytes() <= bytes);
	assert_true(bytes < 40U << 20);
	end(&world);
	return least;
}

/* Twenty thousand threads, thirty times: bounded memory, and time that does not grow with the square. */
static void many(void **state)
{
	double few = quickest(MANY / 10, 30), all = quickest(MANY, 30);

	(void)state;
	print_message("# a round of %d threads: %.0f ms with ASan; of a tenth of them: %.1f ms\n",
		      MANY, all * 1000, few * 1000);
	assert_true(all < 50 * few);
}

static void columns(void **state)
{
	int width, sorted, i;

	(void)state;
	assert_int_equal(top_column_fit(0, TOP_COLUMN_CPU), (1 << TOP_NR_COLUMNS) - 1);
	for (sorted = 0; sorted < TOP_NR_COLUMNS; sorted++) {
		unsigned int before = 0;

		for (width = 1; width < 200; width++) {
			unsigned int columns = top_column_fit(width, sorted);
			int sum = 0, count = 0;

			for (i = 0; i < TOP_NR_COLUMNS; i++) {
				sum += columns & (1U << i) ? top_columns[i].width : 0;
				count += columns >> i & 1;
			}
			assert_true(sum <= width || count <= 3);
			assert_true(columns & (1U << sorted));
			assert_true(columns & (1U << TOP_COLUMN_TID));
			assert_true(columns & (1U << TOP_COLUMN_COMM));
			assert_int_equal(before & ~columns, 0);
			before = columns;
		}
		assert_int_equal(before, (1 << TOP_NR_COLUMNS) - 1);
	}
	/* What few measure takes the place of nothing else. */
	for (width = 1; width < 200; width++) {
		unsigned int columns = top_column_fit(width, TOP_COLUMN_CPU);

		if (columns & (1U << TOP_COLUMN_GHZ | 1U << TOP_COLUMN_CPI))
			assert_int_equal(columns | 1U << TOP_COLUMN_CPI, (1 << TOP_NR_COLUMNS) - 1);
	}
	/* The usual terminal has all shares. */
	for (i = TOP_COLUMN_CPU; i <= TOP_COLUMN_SLEEP; i++)
		assert_true(top_column_fit(80, TOP_COLUMN_CPU) & (1U << i));
}

/* Switches and cycles are of another group than times: a column that is not there costs nothing. */
static void groups(void **state)
{
	struct top_want want = top_want_default;
	unsigned int narrow = top_column_fit(80, TOP_COLUMN_CPU);

	(void)state;
	assert_false(narrow & (1U << TOP_COLUMN_SWITCHES | 1U << TOP_COLUMN_SYSTEM |
			       1U << TOP_COLUMN_GHZ | 1U << TOP_COLUMN_CPI));
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES);
	assert_int_equal(top_want_groups(&want, top_column_fit(0, TOP_COLUMN_CPU)),
			 TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
	want.sort = TOP_COLUMN_SWITCHES;
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
	want.sort = TOP_COLUMN_SYSTEM;
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
	want.sort = TOP_COLUMN_GHZ;
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
	want.sort = TOP_COLUMN_CPI;
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
	want.sort = TOP_COLUMN_CPU;
	want.json = 1;
	assert_int_equal(top_want_groups(&want, narrow), TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS);
}

/* Counts that are requested from some look on are known one look later. */
static void more_groups(void **state)
{
	char text[TOP_CELL_MAX];
	struct world world;

	(void)state;
	begin(&world, 10, NULL);
	world.groups = TASKRT_GROUP_TIMES;
	assert_int_equal(look(&world), 0);
	world.groups |= TASKRT_GROUP_COUNTS;
	assert_int_equal(look(&world), 0);
	assert_int_equal(find(&world, 7)->known, 1);
	assert_int_equal(sum(find(&world, 7)), 1000);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SWITCHES, find(&world, 7)), "-");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SYSTEM, find(&world, 7)), "-");
	assert_int_equal(look(&world), 0);
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SWITCHES, find(&world, 7)), "7.0");
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SYSTEM, find(&world, 7)), "0.7");
	end(&world);
}

/* The kernel may tell a tick of system time later than the rest. */
static void system_within_cpu(void **state)
{
	struct top_row row = {
		.known = 1, .base_ns = 1000,
		.states = 1U << TASKRT_STATE_RUNNING, .states_ns[TASKRT_STATE_RUNNING] = 500,
		.counted = 1ULL << TASKRT_VALUE_SYSTEM_NS, .values[TASKRT_VALUE_SYSTEM_NS] = 400,
	};
	char text[TOP_CELL_MAX];

	(void)state;
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SYSTEM, &row), "40.0");
	row.values[TASKRT_VALUE_SYSTEM_NS] = 600;
	assert_string_equal(top_column_cell(text, TOP_COLUMN_SYSTEM, &row), "50.0");
}

static void answers(void **state)
{
	static const struct {
		int (*take)(struct top_want *want, const char *text, char *why);
		const char *right, *wrong;
	} cases[] = {
		{ top_want_process, "1", "0" }, { top_want_process, "2147483647", "2147483648" },
		{ top_want_process, "", "-1" }, { top_want_process, "7", "7x" },
		{ top_want_process, "7", " 7" }, { top_want_process, "7", "99999999999999999999" },
		{ top_want_user, "root", "no such user" }, { top_want_user, "4294967294", "4294967295" },
		{ top_want_user, "", "-1" }, { top_want_sort, "comm", "Comm" },
		{ top_want_sort, "cpu", "" }, { top_want_interval, "0.1", "0.09" },
		{ top_want_interval, "86400", "86401" }, { top_want_interval, ".5", "." },
		{ top_want_interval, "1.5", "1.5.5" }, { top_want_interval, "2", "" },
		{ top_want_interval, "2", "1e3" }, { top_want_interval, "2", "-2" },
	};
	struct top_want want, before;
	char why[ARG_WHY_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		want = top_want_default;
		assert_int_equal(cases[i].take(&want, cases[i].right, why), 0);
		before = want;
		why[0] = '\0';
		assert_int_equal(cases[i].take(&want, cases[i].wrong, why), -1);
		assert_memory_equal(&want, &before, sizeof(want));
		assert_true(*why);
	}
}

/* Names are cached by a part of the number. */
static void users(void **state)
{
	char own[16];
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		uint32_t uid = 4000000000U + i % 2 * 256;

		snprintf(own, sizeof(own), "%u", uid);
		assert_string_equal(top_user_name(uid), own);
	}
	assert_string_equal(top_user_name(0), "root");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
		cmocka_unit_test(coming_and_going),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(failing),
		cmocka_unit_test(unmeasured),
		cmocka_unit_test(cycles),
		cmocka_unit_test(orders),
		cmocka_unit_test(filters),
		cmocka_unit_test(classes),
		cmocka_unit_test(many),
		cmocka_unit_test(columns),
		cmocka_unit_test(groups),
		cmocka_unit_test(more_groups),
		cmocka_unit_test(system_within_cpu),
		cmocka_unit_test(answers),
		cmocka_unit_test(users),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
