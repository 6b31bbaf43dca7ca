// SPDX-License-Identifier: GPL-2.0-only
/* Stages: windows that add up. */
#include <errno.h>
#include <stdio.h>

#define SINCE	1234000000000ULL

#include "own_page.h"

#define MS	1000000ULL

static void stages(void **state)
{
	struct taskrt_stage stage, copy;
	char line[160], exact[160];
	int length;

	(void)state;
	taskrt_stage_init(&stage, "mix");
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	at(1 * MS);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	spend(TASKRT_STATE_BLOCKED_LOCK, 2 * MS, 11 * MS);
	page->times.timers_ns[TASKRT_TIMER_LOCK] += 9 * MS;
	page->times.timers_ns[TASKRT_TIMER_FAULT] += 120499;
	at(13345 * 1000);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(stage.count, 1);
	assert_int_equal(stage.failed, 0);
	assert_int_equal(stage.wall_ns, 12345000);
	assert_int_equal(stage.longest.ns, 12345000);
	assert_int_equal(stage.longest.at_ns, SINCE + 1 * MS);
	length = taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 12.345 ms, cpu 3.345 ms, queue 0.000 ms, "
				  "page fault 0.120 ms, lock 9.000 ms");
	assert_int_equal(length, strlen(line));

	/* again, and merged with a copy as if from another process */
	at(20 * MS);
	taskrt_stage_begin(&stage, self);
	spend(TASKRT_STATE_PREEMPTED, 20 * MS, 21 * MS);
	spend(TASKRT_STATE_WOKEN, 21 * MS, 22 * MS);
	at(22 * MS);
	taskrt_stage_end(&stage);
	assert_int_equal(stage.count, 2);
	assert_int_equal(stage.wall_ns, 14345000);
	assert_int_equal(stage.longest.ns, 12345000);
	copy = stage;
	strcpy(copy.name, "there");
	copy.failed = 5;
	copy.longest.ns = 99 * MS;
	taskrt_stage_merge(&stage, &copy);
	assert_string_equal(stage.name, "mix");
	assert_int_equal(stage.count, 4);
	assert_int_equal(stage.failed, 5);
	assert_int_equal(stage.longest.ns, 99 * MS);
	taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 28.690 ms, cpu 6.690 ms, queue 4.000 ms, "
				  "page fault 0.241 ms, lock 18.000 ms");

	/* no room */
	memcpy(exact, line, sizeof(line));
	memset(line, 'x', sizeof(line));
	assert_int_equal(taskrt_stage_format(&stage, line, 10), strlen(exact));
	assert_string_equal(line, "mix: wall");
	assert_int_equal(line[10], 'x');
	assert_int_equal(taskrt_stage_format(&stage, NULL, 0), strlen(exact));
	assert_int_equal(taskrt_stage_format(&stage, line, 1), strlen(exact));
	assert_string_equal(line, "");
}

static void failed_stage(void **state)
{
	struct taskrt_stage stage;
	char line[200];

	(void)state;
	taskrt_stage_init(&stage, "without a thread");
	assert_int_equal(taskrt_stage_begin(&stage, NULL), -EINVAL);
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(stage.failed, 1);
	taskrt_stage_init(&stage, "a name that is longer than there is room for");
	assert_int_equal(strlen(stage.name), TASKRT_STAGE_NAME - 1);
	page->changes[1] = 1;
	assert_int_equal(taskrt_stage_begin(&stage, self), -EAGAIN);
	page->changes[1] = 2;
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	page->changes[1] = 3;
	assert_int_equal(taskrt_stage_end(&stage), -EAGAIN);
	assert_int_equal(stage.failed, 2);
	assert_int_equal(stage.count, 0);
	assert_int_equal(stage.wall_ns, 0);
	taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "a name that is longer than ther: wall 0.000 ms, cpu 0.000 ms, "
				  "queue 0.000 ms, page fault 0.000 ms, lock 0.000 ms");
	taskrt_stage_init(&stage, NULL);
	assert_string_equal(stage.name, "");
}

/* Of the states of a later module, the page says whether they are one on a CPU or in a queue. */
static void unknown_states(void **state)
{
	struct taskrt_stage stage, copy;
	char line[160];

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	page->measured.states = (1u << TASKRT_STATES_ROOM) - 1;
	page->parent[21] = TASKRT_STATE_PREEMPTED;
	page->parent[22] = TASKRT_STATE_RUNNING;
	page->parent[23] = TASKRT_STATE_SLEEPING;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	self->clock = fake_clock;
	taskrt_stage_init(&stage, "mix");
	at(0);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	spend(21, 1 * MS, 3 * MS);
	spend(22, 4 * MS, 8 * MS);
	spend(23, 9 * MS, 10 * MS);
	at(10 * MS);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	copy = stage;
	taskrt_stage_merge(&stage, &copy);
	taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 20.000 ms, cpu 14.000 ms, queue 4.000 ms, "
				  "page fault 0.000 ms, lock 0.000 ms");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stages, start, finish),
		cmocka_unit_test_setup_teardown(failed_stage, start, finish),
		cmocka_unit_test_setup_teardown(unknown_states, start, finish),
	};

	return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
