// SPDX-License-Identifier: GPL-2.0-only
/* Windows, stages, and where the time of a window went. */
#include <errno.h>
#include <stdio.h>

#include "unit.h"
#include "fake_page.h"

#define SINCE	1234000000000ULL
#define MS	1000000ULL
#define OWN	64

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_window w;

/* So many ns after the beginning it is now, for a thread that reads itself. */
static void at(uint64_t ns)
{
	fake_now = SINCE + ns + OWN;
}

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	memset(&w, 0xff, sizeof(w));
	at(0);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

/* From one instant to another in a state, and running again. */
static void spend(uint32_t state, uint64_t from, uint64_t until)
{
	page_switch(page, state, SINCE + from);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + until);
}

static void one_window(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	spend(TASKRT_STATE_SLEEPING_FUTEX, 1500, 2500);
	page->totals.lock_time_ns[TASKRT_LOCK_MUTEX] += 300;
	page->totals.major_faults += 2;
	at(3000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.status, 0);
	assert_int_equal(w.elapsed_ns, 2000);
	assert_int_equal(w.begin.at_ns, SINCE + 1000);
	assert_int_equal(w.end.at_ns, SINCE + 3000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], 1000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_SLEEPING_FUTEX], 1000);
	assert_int_equal(w.spent.lock_time_ns[TASKRT_LOCK_MUTEX], 300);
	assert_int_equal(w.spent.major_faults, 2);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	/* a longer one */
	at(4000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 3000);
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
	assert_int_equal(taskrt_explain(&w, &e), -EINVAL);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
	assert_int_equal(taskrt_series_count(&s), 0);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	page->changes[0] = 3;
	assert_int_equal(taskrt_window_end(&w), -EAGAIN);
	assert_int_equal(taskrt_explain(&w, &e), -EINVAL);
	page->changes[0] = 4;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(taskrt_explain(&w, &e), 0);
	/* the next one is not the one before */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(taskrt_explain(&w, &e), -EINVAL);
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
	assert_int_equal(w.elapsed_ns, 4000 - (TASKRT_BEHIND_OTHERS_NS - OWN));
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	self->opener = opener;
}

static void window_until_the_end(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 1700);
	page->status = TASKRT_PAGE_STOPPED;
	at(5000);
	assert_int_equal(taskrt_window_end(&w), TASKRT_SELF_STOPPED);
	assert_int_equal(w.elapsed_ns, 700);
	assert_int_equal(sum_of_states(&w.spent), 700);
}

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
	page->totals.lock_contention_time_ns += 9 * MS;
	page->totals.page_fault_time_ns += 120499;
	at(13345 * 1000);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	assert_int_equal(stage.count, 1);
	assert_int_equal(stage.failed, 0);
	assert_int_equal(stage.wall_ns, 12345000);
	assert_int_equal(stage.longest.ns, 12345000);
	assert_int_equal(stage.longest.at_ns, SINCE + 1 * MS);
	length = taskrt_stage_line(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 12.345 ms, cpu 3.345 ms, queue 0.000 ms, "
				  "page fault 0.120 ms, lock 9.000 ms");
	assert_int_equal(length, strlen(line));

	/* again, and as it came from another process */
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
	taskrt_stage_line(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 28.690 ms, cpu 6.690 ms, queue 4.000 ms, "
				  "page fault 0.241 ms, lock 18.000 ms");

	/* no room */
	memcpy(exact, line, sizeof(line));
	memset(line, 'x', sizeof(line));
	assert_int_equal(taskrt_stage_line(&stage, line, 10), strlen(exact));
	assert_string_equal(line, "mix: wall");
	assert_int_equal(line[10], 'x');
	assert_int_equal(taskrt_stage_line(&stage, NULL, 0), strlen(exact));
	assert_int_equal(taskrt_stage_line(&stage, line, 1), strlen(exact));
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
	taskrt_stage_line(&stage, line, sizeof(line));
	assert_string_equal(line, "a name that is longer than ther: wall 0.000 ms, cpu 0.000 ms, "
				  "queue 0.000 ms, page fault 0.000 ms, lock 0.000 ms");
	taskrt_stage_init(&stage, NULL);
	assert_string_equal(stage.name, "");
}

static uint64_t sum_of_shares(const struct taskrt_explanation *e)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		sum += e->shares[i].ns;
	return sum;
}

static void explained(void **state)
{
	struct taskrt_explanation e;
	char line[600];
	int length;

	(void)state;
	at(500 * 1000);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_LOCK, 567891, 567891 + 9870 * 1000);
	spend(TASKRT_STATE_BLOCKED_LOCK, 11 * MS, 11 * MS + 1000);
	spend(TASKRT_STATE_PREEMPTED, 12 * MS, 12 * MS + 230 * 1000);
	page->totals.lock_time_ns[TASKRT_LOCK_RWSEM_WRITE] += 9870 * 1000;
	page->totals.lock_time_ns[TASKRT_LOCK_MUTEX] += 1000;
	at(14602 * 1000);
	taskrt_window_end(&w);
	assert_int_equal(taskrt_explain(&w, &e), 0);
	assert_int_equal(e.elapsed_ns, 14102 * 1000);
	assert_int_equal(sum_of_shares(&e), e.elapsed_ns);
	assert_int_equal(e.nr, 4);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_LOCK);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.shares[2].cause, TASKRT_CAUSE_QUEUED);
	assert_int_equal(e.shares[3].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[3].ns, 0);
	assert_int_equal(e.lock, TASKRT_LOCK_RWSEM_WRITE);
	assert_int_equal(e.timer, TASKRT_STATE_BLOCKED_LOCK);
	assert_int_equal(e.longest.ns, 9870 * 1000);
	assert_int_equal(e.longest.at_ns, SINCE + 567891);
	length = taskrt_explain_line(&e, 10 * MS, line, sizeof(line));
	assert_int_equal(length, strlen(line));
	assert_string_equal(line, "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, "
				  "rwsem_write, longest 9.870 ms from 1234.000567), "
				  "computing 4.001 ms (28.4 %), queued 0.230 ms (1.6 %), "
				  "unexplained 0.000 ms (0.0 %)");
	taskrt_explain_line(&e, 20 * MS, line, 40);
	assert_string_equal(line, "in time, 14.102 ms of 20.000: kernel lo");
	taskrt_explain_line(&e, 0, line, 20);
	assert_string_equal(line, "14.102 ms: kernel l");
	/* the deadline itself is in time */
	taskrt_explain_line(&e, e.elapsed_ns, line, 30);
	assert_string_equal(line, "in time, 14.102 ms of 14.102:");
}

/* Each state, for most of the window, is told as its cause, with the interval. */
static void every_cause(void **state)
{
	static const uint32_t causes[TASKRT_NR_STATES] = {
		TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_QUEUED, TASKRT_CAUSE_QUEUED,
		TASKRT_CAUSE_LOCK, TASKRT_CAUSE_FAULT, TASKRT_CAUSE_IO, TASKRT_CAUSE_BLOCKED,
		TASKRT_CAUSE_FUTEX, TASKRT_CAUSE_POLL, TASKRT_CAUSE_TIMER, TASKRT_CAUSE_ASLEEP,
		TASKRT_CAUSE_STOPPED,
	};
	struct taskrt_explanation e;
	uint64_t from = MS;
	uint32_t s;

	(void)state;
	for (s = 0; s < TASKRT_NR_STATES; s++, from += 11 * MS) {
		at(from);
		taskrt_window_begin(&w, self);
		spend(s, from + MS, from + 9 * MS);
		at(from + 10 * MS);
		taskrt_window_end(&w);
		assert_int_equal(taskrt_explain(&w, &e), 0);
		assert_int_equal(e.shares[0].cause, causes[s]);
		assert_int_equal(e.timer, s);
		assert_int_equal(e.longest.ns, 8 * MS);
		assert_int_equal(e.longest.at_ns, SINCE + from + MS);
		assert_int_equal(e.shares[e.nr - 1].cause, TASKRT_CAUSE_UNEXPLAINED);
		assert_int_equal(sum_of_shares(&e), 10 * MS);
	}
}

/* Over netlink the times may be coarse, and what is missing is told. */
static void unexplained(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	at(10 * MS);
	taskrt_window_end(&w);
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 2 * MS;
	w.spent.states_ns[TASKRT_STATE_SLEEPING] = 1;
	assert_int_equal(taskrt_explain(&w, &e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1);
	assert_int_equal(e.timer, TASKRT_NO_TIMER);
	assert_int_equal(e.nr, 3);
	taskrt_explain_line(&e, 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: unexplained 8.000 ms (80.0 %), computing 2.000 ms "
				  "(20.0 %), asleep 0.000 ms (0.0 %)");
	/* and never more than elapsed */
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 12 * MS;
	assert_int_equal(taskrt_explain(&w, &e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].ns, 10 * MS);
}

static void longest_inside(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	/* what was before, even if longer, is not in the window; what began before is, in part */
	spend(TASKRT_STATE_SLEEPING_POLL, 1 * MS, 90 * MS);
	at(95 * MS);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_SLEEPING_POLL, 97 * MS, 100 * MS);
	at(103 * MS);
	taskrt_window_end(&w);
	taskrt_explain(&w, &e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.longest.ns, 3 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 100 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 104 * MS);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 105 * MS);
	taskrt_explain(&w, &e);
	assert_int_equal(e.longest.ns, 3 * MS);

	/* a later one that is longer has taken its place */
	at(120 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 120 * MS);
	taskrt_explain(&w, &e);
	assert_int_equal(e.timer, TASKRT_NO_TIMER);
	assert_int_equal(e.longest.ns, 0);
	assert_int_equal(sum_of_shares(&e), 8 * MS);
}

/* Of many in descending order the first is forgotten; not if it is the longest of all. */
static void longest_dropped(void **state)
{
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	taskrt_window_begin(&w, self);
	for (i = 0; i < 2 * TASKRT_NR_PEAKS; i++)
		spend(TASKRT_STATE_STOPPED, i * MS + 1, i * MS + 900000 - i);
	at(2 * TASKRT_NR_PEAKS * MS);
	taskrt_window_end(&w);
	taskrt_explain(&w, &e);
	assert_int_equal(e.timer, TASKRT_STATE_STOPPED);
	assert_int_equal(e.longest.ns, 899999);
	assert_int_equal(e.longest.at_ns, SINCE + 1);
	page->longest[TASKRT_STATE_STOPPED] =
		(struct taskrt_longest){ .ns = 900500, .at_ns = SINCE - 900500 };
	taskrt_explain(&w, &e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_STOPPED);
	assert_int_equal(e.timer, TASKRT_NO_TIMER);
}

static void percent_of_long_times(void **state)
{
	struct taskrt_explanation e = {
		.elapsed_ns = 1ULL << 62, .nr = 2, .timer = TASKRT_NO_TIMER,
		.shares = { { .ns = 3ULL << 60, .cause = TASKRT_CAUSE_ASLEEP },
			    { .ns = 1ULL << 60, .cause = TASKRT_CAUSE_UNEXPLAINED } },
	};
	char line[600];

	(void)state;
	taskrt_explain_line(&e, 0, line, sizeof(line));
	assert_non_null(strstr(line, "asleep 3458764513820.541 ms (75.0 %)"));
	memset(&e, 0, sizeof(e));
	assert_int_equal(taskrt_explain_line(&e, 0, line, sizeof(line)), 8);
	assert_string_equal(line, "0.000 ms");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_window, start, finish),
		cmocka_unit_test_setup_teardown(failed_windows, start, finish),
		cmocka_unit_test_setup_teardown(ended_by_another, start, finish),
		cmocka_unit_test_setup_teardown(window_until_the_end, start, finish),
		cmocka_unit_test_setup_teardown(stages, start, finish),
		cmocka_unit_test_setup_teardown(failed_stage, start, finish),
		cmocka_unit_test_setup_teardown(explained, start, finish),
		cmocka_unit_test_setup_teardown(every_cause, start, finish),
		cmocka_unit_test_setup_teardown(unexplained, start, finish),
		cmocka_unit_test_setup_teardown(longest_inside, start, finish),
		cmocka_unit_test_setup_teardown(longest_dropped, start, finish),
		cmocka_unit_test(percent_of_long_times),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
