// SPDX-License-Identifier: GPL-2.0-only
/* Names are part of the interface: JSON is made of them. */
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

static void states(void **state)
{
	static const char *const names[] = {
		"running", "preempted", "woken", "blocked_lock", "blocked_fault",
		"blocked_io", "blocked_other", "sleeping_futex", "sleeping_poll",
		"sleeping_timer", "sleeping", "stopped", "throttled",
		"sleeping_read", "sleeping_recv", "sleeping_wait", "sleeping_pause",
	};
	unsigned int i;

	(void)state;
	check(taskrt_state_name, names, 17);
	for (i = 17; i < 31; i++)
		assert_null(taskrt_state_name(i));
	assert_string_equal(taskrt_state_name(31), "exited");
	assert_null(taskrt_state_name(32));
}

static void timers(void **state)
{
	static const char *const names[] = {
		"fault", "lock", "hardirq", "softirq", "steal", "reclaim", "compact",
		"thrashing", "swapin", "wpcopy", "expiry", "freeing",
	};

	(void)state;
	check(taskrt_timer_name, names, 12);
}

static void locks(void **state)
{
	static const char *const names[] = {
		"mutex", "rwsem_read", "rwsem_write", "rt_mutex", "other",
	};

	(void)state;
	check(taskrt_lock_name, names, 5);
}

static void values(void **state)
{
	static const char *const names[] = {
		"voluntary_switches", "involuntary_switches", "wakeups", "minor_faults",
		"major_faults", "minor_fault_ns", "major_fault_ns", "user_ns", "system_ns",
		"cycles", "instructions", "cycles_ns",
	};

	(void)state;
	check(taskrt_value_name, names, 12);
}

static void causes_and_reasons(void **state)
{
	static const char *const causes[] = {
		"computing", "queued", "page fault", "kernel lock", "I/O", "blocked", "futex",
		"poll", "timer", "asleep", "stopped", "unexplained", "interrupts", "softirqs",
		"late timer", "throttled", "read", "recv", "wait", "pause", "stolen",
		"freeing memory",
	};
	static const char *const reasons[] = { "told", "over" };

	(void)state;
	check(taskrt_cause_name, causes, 22);
	check(taskrt_reason_name, reasons, 2);
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
		cmocka_unit_test(states),
		cmocka_unit_test(timers),
		cmocka_unit_test(locks),
		cmocka_unit_test(values),
		cmocka_unit_test(causes_and_reasons),
		cmocka_unit_test(version),
		cmocka_unit_test(has),
		cmocka_unit_test(measures),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
