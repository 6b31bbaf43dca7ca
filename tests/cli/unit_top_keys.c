// SPDX-License-Identifier: GPL-2.0-only
/* What the keys of taskrt top do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <curses.h>
#include <string.h>
#include <taskrt.h>

#include "top/keys.h"

#define ESCAPE	27

/* A screen of 20 lines, with 100 threads and the columns of 80 characters. */
static void begin(struct top_view *view)
{
	*view = (struct top_view){
		.want = top_want_default,
		.page = 20,
		.rows = 24,
		.matching = 100,
		.columns = top_column_fit(80, TOP_COLUMN_CPU),
	};
	view->want.sort = TOP_COLUMN_CPU;
}

static void type(struct top_view *view, const char *keys)
{
	for (; *keys; keys++)
		top_keys_take(view, *keys);
}

static void switches(void **state)
{
	struct top_view view;

	(void)state;
	begin(&view);
	type(&view, "rt ");
	assert_true(view.want.reverse && view.want.rt && view.paused);
	type(&view, "rt ");
	assert_false(view.want.reverse || view.want.rt || view.paused);
	type(&view, "xyz\r\n\t\033");
	top_keys_take(&view, KEY_RESIZE);
	top_keys_take(&view, KEY_F(1));
	assert_false(view.prompt || view.help || view.quit);
	type(&view, "?");
	assert_true(view.help);
	/* Any key leaves it, and does nothing else. */
	type(&view, "r");
	assert_false(view.help || view.want.reverse);
	type(&view, "hq");
	assert_true(view.quit);
}

static void sorting(void **state)
{
	struct top_view view;
	int i;

	(void)state;
	begin(&view);
	view.first = 7;
	top_keys_take(&view, KEY_RIGHT);
	assert_int_equal(view.want.sort, TOP_COLUMN_QUEUE);
	assert_int_equal(view.first, 0);
	type(&view, "<<");
	/* What is not shown is passed over. */
	assert_int_equal(view.want.sort, TOP_COLUMN_TID);
	top_keys_take(&view, KEY_LEFT);
	top_keys_take(&view, KEY_LEFT);
	assert_int_equal(view.want.sort, TOP_COLUMN_COMM);
	type(&view, ">");
	assert_int_equal(view.want.sort, TOP_COLUMN_PID);
	view.columns = 0;
	for (i = 0; i < TOP_NR_COLUMNS; i++)
		type(&view, ">");
	assert_int_equal(view.want.sort, TOP_COLUMN_PID);
}

static void scrolling(void **state)
{
	struct top_view view;

	(void)state;
	begin(&view);
	top_keys_take(&view, KEY_UP);
	assert_int_equal(view.first, 0);
	top_keys_take(&view, KEY_DOWN);
	top_keys_take(&view, KEY_NPAGE);
	assert_int_equal(view.first, 21);
	top_keys_take(&view, KEY_END);
	assert_int_equal(view.first, 80);
	top_keys_take(&view, KEY_DOWN);
	top_keys_take(&view, KEY_NPAGE);
	assert_int_equal(view.first, 80);
	top_keys_take(&view, KEY_PPAGE);
	assert_int_equal(view.first, 60);
	top_keys_take(&view, KEY_UP);
	assert_int_equal(view.first, 59);
	top_keys_take(&view, KEY_HOME);
	assert_int_equal(view.first, 0);
	/* Nothing to scroll. */
	view.matching = 5;
	top_keys_take(&view, KEY_END);
	top_keys_take(&view, KEY_DOWN);
	assert_int_equal(view.first, 0);
}

static void questions(void **state)
{
	struct top_view view;

	(void)state;
	begin(&view);
	assert_null(top_keys_question(&view));
	type(&view, "p");
	assert_string_equal(top_keys_question(&view), "process, an id or a name (none: all)");
	/* Keys that are commands otherwise are text now. */
	type(&view, "4q2");
	top_keys_take(&view, KEY_BACKSPACE);
	type(&view, "\177");
	assert_string_equal(view.input, "4");
	type(&view, "2\n");
	assert_int_equal(view.want.tgid, 42);
	assert_false(view.quit || view.prompt);
	type(&view, "p\r");
	assert_int_equal(view.want.tgid, 0);
	/* All threads have been read already. */
	type(&view, "pfirefox\r");
	assert_string_equal(view.want.name, "firefox");
	type(&view, "p\r");
	assert_string_equal(view.want.name, "");
	type(&view, "uroot\n");
	assert_true(view.want.by_user && !view.want.uid);
	type(&view, "u");
	top_keys_take(&view, KEY_ENTER);
	assert_false(view.want.by_user);
	type(&view, "sio\n");
	assert_int_equal(view.want.sort, TOP_COLUMN_IO);
	type(&view, "d0.5\n");
	assert_int_equal(view.want.interval_ns, 500000000);
}

static void wrong_answers(void **state)
{
	struct top_view view;
	int i;

	(void)state;
	begin(&view);
	type(&view, "sxyz\n");
	assert_non_null(strstr(view.message, "'xyz' is not a column: pid tid user"));
	assert_int_equal(view.want.sort, TOP_COLUMN_CPU);
	/* The message stays until the next key. */
	type(&view, "d");
	assert_string_equal(view.message, "");
	type(&view, "0\n");
	assert_non_null(strstr(view.message, "not between"));
	type(&view, "p12");
	top_keys_take(&view, ESCAPE);
	assert_int_equal(view.want.tgid, 0);
	assert_false(view.prompt);
	/* More than there is room for, and nothing to take back. */
	type(&view, "u");
	for (i = 0; i < 200; i++)
		type(&view, "9");
	assert_int_equal(strlen(view.input), sizeof(view.input) - 1);
	for (i = 0; i < 200; i++)
		top_keys_take(&view, KEY_BACKSPACE);
	assert_string_equal(view.input, "");
	top_keys_take(&view, 0x263a);
	top_keys_take(&view, KEY_RESIZE);
	assert_string_equal(view.input, "");
	type(&view, "nobody at all\n");
	assert_string_equal(view.message, "there is no user 'nobody at all'");
}

/* The help fits on a usual terminal. */
static void help_fits(void **state)
{
	int i;

	(void)state;
	for (i = 0; top_keys_help[i]; i++)
		assert_true(strlen(top_keys_help[i]) <= 80);
	assert_true(i <= 24);
}

/* Of a smaller one, each key shows what follows, and the last one leaves it. */
static void help_continues(void **state)
{
	struct top_view view;

	(void)state;
	begin(&view);
	view.rows = 10;
	type(&view, "h");
	assert_int_equal(view.help, 1);
	assert_int_equal(top_keys_help_end(&view), 9);
	type(&view, "x");
	assert_int_equal(view.help, 10);
	assert_int_equal(top_keys_help_end(&view), 18);
	type(&view, "x");
	assert_int_equal(view.help, 19);
	assert_null(top_keys_help[top_keys_help_end(&view)]);
	type(&view, "x");
	assert_int_equal(view.help, 0);
	view.rows = 1;
	type(&view, "hx");
	assert_int_equal(view.help, 2);
	assert_int_equal(top_keys_help_end(&view), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches),
		cmocka_unit_test(sorting),
		cmocka_unit_test(scrolling),
		cmocka_unit_test(questions),
		cmocka_unit_test(wrong_answers),
		cmocka_unit_test(help_fits),
		cmocka_unit_test(help_continues),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_keys", tests, NULL, NULL);
}
