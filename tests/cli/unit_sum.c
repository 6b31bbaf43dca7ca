// SPDX-License-Identifier: GPL-2.0-only
/* The sum of readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <taskrt.h>

#include "common/element.h"
#include "common/names.h"
#include "common/reading_json.h"
#include "run/run.h"

static void sums(void **state)
{
	struct taskrt_reading sum, one = {
		.groups = READING_JSON_GROUPS,
		.stats = { .valid = field_valid_all(), .measured = names_usual, .cpu_time_ns = 5 },
	};
	struct taskrt_reading other = {
		.groups = TASKRT_GROUP_TIMES,
		.stats = { .valid = TASKRT_VALID_CPU_TIME, .measured.states = 0x3,
			   .cpu_time_ns = 6 },
	};

	(void)state;
	/* A state of a later module: it is kept if all have it. */
	one.stats.measured.states |= 1U << 23;
	one.times.states_ns[23] = 2;
	one.times.states_ns[TASKRT_STATE_WOKEN] = 3;
	one.counts.locks[TASKRT_LOCK_OTHER] = 2;
	one.counts.values[TASKRT_VALUES_ROOM - 1] = 1;
	one.longests.timers[TASKRT_TIMER_LOCK] = (struct taskrt_longest){ 9, 100 };
	one.stats.flags = TASKRT_FLAG_INCOMPLETE | TASKRT_FLAG_EXITED;
	sum = one;
	sum.stats.flags = 0;
	one.longests.timers[TASKRT_TIMER_LOCK] = (struct taskrt_longest){ 8, 200 };
	sum_add(&sum, &one);
	assert_true(element_of(&sum, TASKRT_NAME_STATE, 23).timed);
	assert_int_equal(sum.times.states_ns[23], 4);
	assert_int_equal(sum.times.states_ns[TASKRT_STATE_WOKEN], 6);
	assert_int_equal(sum.counts.locks[TASKRT_LOCK_OTHER], 4);
	assert_int_equal(sum.counts.values[TASKRT_VALUES_ROOM - 1], 2);
	assert_int_equal(sum.longests.timers[TASKRT_TIMER_LOCK].at_ns, 100);
	assert_int_equal(sum.stats.flags, TASKRT_FLAG_INCOMPLETE);
	sum_add(&sum, &other);
	assert_int_equal(sum.stats.cpu_time_ns, 16);
	assert_int_equal(sum.stats.valid, TASKRT_VALID_CPU_TIME);
	assert_int_equal(sum.stats.measured.states, 0x3);
	assert_int_equal(sum.groups, TASKRT_GROUP_TIMES);
}

/* A process that has no stolen time yet has 0 of it, whichever of the two is added first. */
static void sums_from_0(void **state)
{
	const uint32_t fault = 1U << TASKRT_TIMER_FAULT, steal = 1U << TASKRT_TIMER_STEAL;
	const uint32_t hardirq = 1U << TASKRT_TIMER_HARDIRQ;
	struct taskrt_reading sum, of[2] = {
		{ .stats.measured.timers = fault | steal | hardirq,
		  .times.timers_ns[TASKRT_TIMER_STEAL] = 7 },
		{ .stats.measured.timers = fault },
	};
	int first;

	(void)state;
	for (first = 0; first < 2; first++) {
		sum = of[first];
		sum_add(&sum, &of[!first]);
		sum_add(&sum, &of[1]);
		assert_int_equal(sum.stats.measured.timers, fault | steal);
		assert_int_equal(sum.times.timers_ns[TASKRT_TIMER_STEAL], 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(sums_from_0),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
