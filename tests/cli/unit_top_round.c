// SPDX-License-Identifier: GPL-2.0-only
/* Rounds of taskrt top: what is computed from one look to the next. */
#include <errno.h>
#include <stdlib.h>

#include "top_world.h"
#include "top/column.h"

#define SECOND	FAKE_TOP_SECOND

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
	world.want.tgid = 200;
	assert_int_equal(look(&world), -EPERM);
	world.want.tgid = 203;
	assert_int_equal(look(&world), -ESRCH);
	assert_int_equal(world.round.count, 0);
	end(&world);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
		cmocka_unit_test(coming_and_going),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(failing),
		cmocka_unit_test(more_groups),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_round", tests, NULL, NULL);
}
