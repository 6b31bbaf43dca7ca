// SPDX-License-Identifier: GPL-2.0-only
/* The order of taskrt top: which threads it selects, how it sorts them, and the cost of many. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "top_world.h"
#include "top/order.h"

/* A function of ASan, whose header not every compiler brings. */
size_t __sanitizer_get_current_allocated_bytes(void);

#define MANY	20000

/* Is it right that a comes before b? */
static int in_order(const struct top_want *want, const struct top_place *a, const struct top_place *b)
{
	double one = top_column_value(want->sort, a->row), other = top_column_value(want->sort, b->row);
	int ascending = top_columns[want->sort].ascending != want->reverse;

	if (want->sort == TOP_COLUMN_COMM) {
		one = strcmp(a->row->comm, b->row->comm);
		other = 0;
	}
	if (want->sort == TOP_COLUMN_WAIT && one == other) {
		one = top_column_value(TOP_COLUMN_CPU, a->row);
		other = top_column_value(TOP_COLUMN_CPU, b->row);
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

	top_order_make(&all, &world->round, &world->want, 0);
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

	top_order_make(&order, &world->round, &world->want, 1);
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
		top_order_make(&order, &world.round, &world.want, 50);
		took = cpu_seconds() - began;
		assert_int_equal(order.count, 50);
		top_order_free(&order);
		if (!i || took < least)
			least = took;
		if (i == rounds / 3)
			bytes = __sanitizer_get_current_allocated_bytes();
	}
	assert_true(__sanitizer_get_current_allocated_bytes() <= bytes);
	assert_true(bytes < 44U << 20);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(filters),
		cmocka_unit_test(classes),
		cmocka_unit_test(many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_order", tests, NULL, NULL);
}
