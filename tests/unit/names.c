// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names are part of the interface: JSON is made of them.  layout.c freezes the numbers, and
 * check_spec holds the name of each against its number.
 */
#include <limits.h>

#include "unit.h"
#include "taskrt.h"

static void check(const char *(*name)(unsigned int), const char *const *names, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		assert_string_equal(name(i), names[i]);
	assert_null(name(nr));
	assert_null(name(64));
	assert_null(name(UINT_MAX));
}

/* There is no hole: a number that was never assigned is behind all others. */
static void check_numbers(const char *(*name)(unsigned int), unsigned int least, unsigned int room)
{
	unsigned int nr = 0, i;

	while (name(nr))
		nr++;
	assert_in_range(nr, least, room);
	for (i = nr; i < 64; i++)
		if (i != TASKRT_STATE_EXITED)
			assert_null(name(i));
	assert_null(name(64));
	assert_null(name(UINT_MAX));
}

static void numbers(void **state)
{
	(void)state;
	check_numbers(taskrt_state_name, 17, TASKRT_STATES_ROOM);
	check_numbers(taskrt_timer_name, 12, TASKRT_TIMERS_ROOM);
	check_numbers(taskrt_lock_name, 5, TASKRT_LOCKS_ROOM);
	check_numbers(taskrt_value_name, 12, TASKRT_VALUES_ROOM);
	assert_string_equal(taskrt_state_name(TASKRT_STATE_EXITED), "exited");
	assert_null(taskrt_timer_name(TASKRT_STATE_EXITED));
	assert_null(taskrt_lock_name(TASKRT_STATE_EXITED));
	assert_null(taskrt_value_name(TASKRT_STATE_EXITED));
}

static void causes_and_reasons(void **state)
{
	static const char *const causes[] = {
		"computing", "queued", "page fault", "kernel lock", "I/O", "blocked", "futex",
		"poll", "timer", "asleep", "stopped", "unexplained", "interrupts", "softirqs",
		"late timer", "throttled", "file", "socket", "wait", "pause", "stolen",
		"reclaiming memory", "yielded", "handling page faults",
	};
	static const char *const reasons[] = { "requested", "over", "disarmed" };

	(void)state;
	check(taskrt_cause_name, causes, 24);
	check(taskrt_reason_name, reasons, 3);
}

/* EXPECTED_VERSION is what dkms.conf says. */
static void version(void **state)
{
	(void)state;
	assert_string_equal(taskrt_version(), EXPECTED_VERSION);
}

static void has(void **state)
{
	struct taskrt_stats s = { .valid = TASKRT_VALID_CPU | TASKRT_VALID_STATE };

	(void)state;
	assert_true(taskrt_has(&s, TASKRT_VALID_CPU));
	assert_true(taskrt_has(&s, TASKRT_VALID_CPU | TASKRT_VALID_STATE));
	assert_false(taskrt_has(&s, TASKRT_VALID_CPU | TASKRT_VALID_CLOCK));
	assert_false(taskrt_has(&s, TASKRT_VALID_THREADS));
}

static void measures(void **state)
{
	(void)state;
	assert_true(taskrt_measures(1ULL << 63 | 5, 0));
	assert_false(taskrt_measures(1ULL << 63 | 5, 1));
	assert_true(taskrt_measures(1ULL << 63 | 5, 2));
	assert_true(taskrt_measures(1ULL << 63 | 5, 63));
	assert_false(taskrt_measures(~0ULL, 64));
	assert_false(taskrt_measures(~0ULL, UINT_MAX));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(causes_and_reasons),
		cmocka_unit_test(version),
		cmocka_unit_test(has),
		cmocka_unit_test(measures),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
