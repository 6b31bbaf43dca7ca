// SPDX-License-Identifier: GPL-2.0-only
/* Columns of taskrt top: what their cells show, and which of them fit. */
#include <stdlib.h>

#include "top_world.h"
#include "top/column.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unmeasured),
		cmocka_unit_test(cycles),
		cmocka_unit_test(columns),
		cmocka_unit_test(system_within_cpu),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_column", tests, NULL, NULL);
}
