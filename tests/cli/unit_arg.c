// SPDX-License-Identifier: GPL-2.0-only
/* The options of the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "common/arg.h"

#define MANY	40

static int taken[MANY];

static int take(void *request, int letter)
{
	(void)request;
	taken[letter < ARG_WITHOUT_LETTER ? letter - 'A' : letter - ARG_WITHOUT_LETTER]++;
	return 0;
}

/* However many a command has, none is dropped. */
static void many(void **state)
{
	static char names[MANY][24];
	struct option own[MANY + 1] = { 0 };
	int i, json = 0;
	const struct arg_options options = { own, take, NULL, &json, 0, NULL };
	char *argv[] = { (char *)"x", (char *)"--option0", (char *)"-Y", (char *)"--option39",
			 (char *)"-j", NULL };

	(void)state;
	for (i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "option%d", i);
		own[i] = (struct option){ names[i], no_argument, NULL,
					  i < 26 ? 'A' + i : ARG_WITHOUT_LETTER + i };
	}
	optind = 0;
	assert_int_equal(arg_take_options(&options, 5, argv), 0);
	assert_int_equal(optind, 5);
	for (i = 0; i < MANY; i++)
		assert_int_equal(taken[i], i == 0 || i == 24 || i == 39);
	assert_true(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("arg", tests, NULL, NULL);
}
