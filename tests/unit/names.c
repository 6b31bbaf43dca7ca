// SPDX-License-Identifier: GPL-2.0-only
/* Names are part of the interface: JSON is made of them. */
#include <limits.h>

#include "unit.h"
#include "taskrt.h"

static void states(void **state)
{
	static const char *const names[] = {
		"running", "preempted", "woken", "blocked_lock", "blocked_fault",
		"blocked_io", "blocked_other", "sleeping_futex", "sleeping_poll",
		"sleeping_timer", "sleeping", "stopped", "exited",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 13; i++)
		assert_string_equal(taskrt_state_name(i), names[i]);
	assert_null(taskrt_state_name(13));
	assert_null(taskrt_state_name(UINT_MAX));
}

static void locks(void **state)
{
	static const char *const names[] = {
		"mutex", "rwsem_read", "rwsem_write", "rt_mutex", "other",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 5; i++)
		assert_string_equal(taskrt_lock_name(i), names[i]);
	assert_null(taskrt_lock_name(5));
	assert_null(taskrt_lock_name(UINT_MAX));
}

/* EXPECTED_VERSION is what dkms.conf says. */
static void version(void **state)
{
	(void)state;
	assert_string_equal(taskrt_version(), EXPECTED_VERSION);
}

static void has(void **state)
{
	struct taskrt_stats s = { .valid = TASKRT_VALID_LOCKS | TASKRT_VALID_STATE };

	(void)state;
	assert_true(taskrt_has(&s, TASKRT_VALID_LOCKS));
	assert_true(taskrt_has(&s, TASKRT_VALID_LOCKS | TASKRT_VALID_STATE));
	assert_false(taskrt_has(&s, TASKRT_VALID_LOCKS | TASKRT_VALID_STATES));
	assert_false(taskrt_has(&s, TASKRT_VALID_THREADS));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(locks),
		cmocka_unit_test(version),
		cmocka_unit_test(has),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
