// SPDX-License-Identifier: GPL-2.0-only
/* Names of users in taskrt top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pwd.h>
#include <stdio.h>

#include "top/round.h"

static unsigned int lookups;

/* In place of that of the C library. */
struct passwd *getpwuid(uid_t uid)
{
	static struct passwd root = { .pw_name = (char *)"root" };

	lookups++;
	return uid ? NULL : &root;
}

/* Each is looked up once, whatever their numbers are. */
static void users(void **state)
{
	char own[16];
	unsigned int i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		uint32_t uid = 4000000000U + i % 1000 * 256;

		snprintf(own, sizeof(own), "%u", uid);
		assert_string_equal(top_user_name(uid), own);
	}
	assert_string_equal(top_user_name(0), "root");
	assert_string_equal(top_user_name(0), "root");
	assert_int_equal(lookups, 1001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("top_user", tests, NULL, NULL);
}
