// SPDX-License-Identifier: GPL-2.0-only
/* Names of users in taskrt top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "top/user.h"

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
		cmocka_unit_test(users),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_user", tests, NULL, NULL);
}
