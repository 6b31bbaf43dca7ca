// SPDX-License-Identifier: GPL-2.0-only
/* What taskrt top is told to show: what the user may type, and what must be read for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <taskrt.h>

#include "top/want.h"

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

static void answers(void **state)
{
	static const struct {
		int (*take)(struct top_want *want, const char *text, char *why);
		const char *right, *wrong;
	} cases[] = {
		{ top_want_process, "1", "0" }, { top_want_process, "2147483647", "2147483648" },
		{ top_want_process, "", "-1" }, { top_want_process, "7x", "-7" },
		{ top_want_process, "7", "99999999999999999999" },
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups),
		cmocka_unit_test(answers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_want", tests, NULL, NULL);
}
