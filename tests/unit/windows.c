// SPDX-License-Identifier: GPL-2.0-only
/* Windows: from one instant of a thread to another. */
#include <errno.h>

#define SINCE	1234000000000ULL

#include "own_page.h"

#define MS	1000000ULL

static struct taskrt_window w;

/* Whatever was there before belongs to no window. */
static int start_window(void **state)
{
	memset(&w, 0xff, sizeof(w));
	return start(state);
}

static int explain(struct taskrt_explanation *e)
{
	return taskrt_window_explain(&w, e, sizeof(*e));
}

static void one_window(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	spend(TASKRT_STATE_SLEEPING_FUTEX, 1500, 2500);
	page->times.locks_ns[TASKRT_LOCK_MUTEX] += 300;
	page->times.timers_ns[TASKRT_TIMERS_ROOM - 1] += 2;
	at(3000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.status, 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED);
	assert_int_equal(w.elapsed_ns, 2000);
	assert_int_equal(w.begin_ns, SINCE + 1000);
	assert_int_equal(w.end_ns, SINCE + 3000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], 1000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_SLEEPING_FUTEX], 1000);
	assert_int_equal(w.spent.locks_ns[TASKRT_LOCK_MUTEX], 300);
	assert_int_equal(w.spent.timers_ns[TASKRT_TIMERS_ROOM - 1], 2);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	/* a longer one */
	at(4000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 3000);
}

/* It was never started, whatever it holds. */
static void unbegun_windows(void **state)
{
	static const unsigned char bytes[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xa5, 0xff };
	struct taskrt_explanation e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bytes); i++) {
		memset(&w, bytes[i], sizeof(w));
		assert_int_equal(explain(&e), -EINVAL);
		assert_int_equal(taskrt_window_end(&w), -EINVAL);
		assert_int_equal(w.status, -EINVAL);
		assert_int_equal(w.elapsed_ns, 0);
		assert_int_equal(sum_of_states(&w.spent), 0);
		assert_int_equal(explain(&e), -EINVAL);
		/* and from a thread that cannot be read */
		memset(&w, bytes[i], sizeof(w));
		assert_int_equal(taskrt_window_begin(&w, NULL), -EINVAL);
		assert_int_equal(taskrt_window_end(&w), -EINVAL);
	}
}

static void failed_windows(void **state)
{
	struct taskrt_explanation e;
	static struct taskrt_series s;

	(void)state;
	taskrt_series_init(&s, 1, 1);
	assert_int_equal(taskrt_window_begin(&w, NULL), -EINVAL);
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	page->changes[0] = 1;
	assert_int_equal(taskrt_window_begin(&w, self), -EAGAIN);
	page->changes[0] = 2;
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(explain(&e), -EINVAL);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
	assert_int_equal(taskrt_series_count(&s), 0);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	page->changes[0] = 3;
	assert_int_equal(taskrt_window_end(&w), -EAGAIN);
	assert_int_equal(explain(&e), -EINVAL);
	page->changes[0] = 4;
	at(1000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(explain(&e), 0);
	/* a longer one that cannot be read is not ended */
	page->changes[0] = 5;
	assert_int_equal(taskrt_window_end(&w), -EAGAIN);
	assert_int_equal(w.flags, 0);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(explain(&e), -EINVAL);
	page->changes[0] = 6;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(explain(&e), 0);
	/* the next window does not have the result of the one before */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(explain(&e), -EINVAL);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
}

/* Others read further behind the clock than the thread itself. */
static void ended_by_another(void **state)
{
	const void *opener = self->opener;
	struct taskrt_stage stage;

	(void)state;
	at(5000);
	taskrt_stage_init(&stage, "handed on");
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	at(5100);
	self->opener = NULL;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	assert_int_equal(stage.count, 1);
	assert_int_equal(stage.wall_ns, 0);
	assert_int_equal(stage.longest.ns, 0);
	assert_int_equal(sum_of_states(&stage.spent), 0);
	/* with nothing but the difference missing */
	at(9000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 4000 - (TASKRT_BEHIND_OTHERS_NS -
					      TASKRT_BEHIND_OWN_NS));
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	self->opener = opener;
}

static void window_until_the_end(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(w.flags, 0);
	page_final(page, TASKRT_PAGE_STOPPED, SINCE + 1700);
	at(5000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED | TASKRT_FINAL);
	assert_int_equal(w.elapsed_ns, 700);
	assert_int_equal(sum_of_states(&w.spent), 700);
	/* and another one, in which there is nothing */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(w.flags, TASKRT_FINAL);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED | TASKRT_FINAL);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
}

/* Nothing is written behind the end of the caller's structure. */
static void caller_owned(void **state)
{
	static struct {
		struct taskrt_window window;
		unsigned char behind_window[64];
		struct taskrt_stage stage;
		unsigned char behind_stage[64];
	} owned;
	unsigned char untouched[64];

	(void)state;
	memset(&owned, UNKNOWN, sizeof(owned));
	memset(untouched, UNKNOWN, sizeof(untouched));
	taskrt_stage_init(&owned.stage, "a name that is longer than there is room for");
	assert_int_equal(taskrt_window_begin(&owned.window, self), 0);
	assert_int_equal(taskrt_stage_begin(&owned.stage, self), 0);
	spend(TASKRT_STATE_SLEEPING, 1 * MS, 9 * MS);
	at(10 * MS);
	assert_int_equal(taskrt_stage_end(&owned.stage), 0);
	assert_int_equal(taskrt_window_end(&owned.window), 0);
	assert_memory_equal(owned.behind_window, untouched, sizeof(untouched));
	assert_memory_equal(owned.behind_stage, untouched, sizeof(untouched));
	assert_int_equal(sum_of_states(&owned.stage.spent), owned.stage.wall_ns);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_window, start_window, finish),
		cmocka_unit_test_setup_teardown(unbegun_windows, start_window, finish),
		cmocka_unit_test_setup_teardown(failed_windows, start_window, finish),
		cmocka_unit_test_setup_teardown(ended_by_another, start_window, finish),
		cmocka_unit_test_setup_teardown(window_until_the_end, start_window, finish),
		cmocka_unit_test_setup_teardown(caller_owned, start, finish),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
