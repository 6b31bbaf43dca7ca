// SPDX-License-Identifier: GPL-2.0-only
/* Reading a page: what the library adds to it, when it adds nothing, and what a child can read. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SINCE	1000000000ULL

#include "own_page.h"

#define IN_FAULT	(1u << TASKRT_TIMER_FAULT)
#define IN_LOCK		(1u << TASKRT_TIMER_LOCK)

static void current(void **state)
{
	struct taskrt_snapshot now;
	int i;

	(void)state;
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 300);
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 1000);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 1100);
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		page->times.locks_ns[i] = 100 + i;
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		page->times.timers_ns[i] = 200 + i;
	fake_now = SINCE + 5064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(now.flags, 0);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_RUNNING], 300 + 3900);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_WOKEN], 100);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_SLEEPING_POLL], 700);
	assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
	now.times.states_ns[TASKRT_STATE_RUNNING] -= 3900;
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));

	fake_now = SINCE + 6000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
}

/* The clock is a little behind the page: then the read is of the page's instant. */
static void clock_behind(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 400);
	fake_now = SINCE + 463;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 400);
	assert_int_equal(sum_of_states(&now.times), 400);
	page_switch(page, TASKRT_STATE_SLEEPING, SINCE + 500);
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 500);
	assert_int_equal(sum_of_states(&now.times), 500);
}

/* The clock stands still, or goes back: each read is later than the one before. */
static void clock_still(void **state)
{
	struct taskrt_snapshot first, now;
	int i;

	(void)state;
	fake_now = SINCE + 5064;
	assert_int_equal(taskrt_self_read(self, &first), 0);
	for (i = 1; i < 4; i++) {
		assert_int_equal(taskrt_self_read(self, &now), 0);
		assert_int_equal(now.at_ns, first.at_ns + i);
		assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
		fake_now -= 10;
	}
	page->changes[0]++;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	page->changes[0]++;
	page->in_progress = IN_FAULT;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, first.at_ns + 4);
	page->in_progress = 0;
	fake_now = SINCE + 6064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 6000);
}

static void in_progress(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page->times.timers_ns[TASKRT_TIMER_FAULT] = 10;
	page->times.timers_ns[TASKRT_TIMER_LOCK] = 20;
	page->times.locks_ns[TASKRT_LOCK_RWSEM_WRITE] = 20;
	page->in_progress = IN_FAULT | IN_LOCK;
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 1000;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 1200;
	page->lock = TASKRT_LOCK_RWSEM_WRITE;
	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + 1500);
	fake_now = SINCE + 3000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_BLOCKED_LOCK], 500);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10 + 1000);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20 + 800);
	assert_int_equal(now.times.locks_ns[TASKRT_LOCK_RWSEM_WRITE], 20 + 800);
	assert_int_equal(sum_of_states(&now.times), 2000);

	/* one that began after now has not begun */
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 2500;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 2500;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20);

	/* a thread that reads itself is in no timer, but the page decides */
	page->in_progress = IN_FAULT;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 2600);
	fake_now = SINCE + 2764;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10 + 200);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20);
}

static void final(void **state)
{
	static const uint32_t stops[] = {
		TASKRT_PAGE_ENDED, TASKRT_PAGE_STOPPED, TASKRT_PAGE_REVOKED, 99,
	};
	unsigned int i;

	(void)state;
	page_final(page, TASKRT_PAGE_ENDED, SINCE + 700);
	page->in_progress = IN_FAULT;
	fake_now = SINCE + 1000000;
	for (i = 0; i < 4; i++) {
		page->status = stops[i];
		expect_final(SINCE + 700);
	}
	assert_int_equal(sum_of_states(&page->times), 700);
}

/* The writer stays in the middle of a change: the reader gives up, and does not wait. */
static void always_changing(void **state)
{
	struct taskrt_snapshot now;
	struct taskrt_reading reading;
	struct taskrt_histogram *histogram;

	(void)state;
	page->changes[0] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(read_elsewhere(&now), -EAGAIN);
	page->changes[0] = 2;
	page->changes[1] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), -EAGAIN);
	assert_int_equal(taskrt_histogram_open(&histogram, self), 0);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), -EAGAIN);
	page->changes[1] = 2;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), 0);
	taskrt_histogram_close(histogram);
}

/* The page changes after the clock was read. */
static int late_clock(clockid_t clock, struct timespec *now)
{
	fake_clock(clock, now);
	page_switch(page, TASKRT_STATE_SLEEPING, fake_now + 100);
	page_switch(page, TASKRT_STATE_RUNNING, fake_now + 5000);
	return 0;
}

static void changed_after_the_clock(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	self->clock = late_clock;
	fake_now = SINCE + 1000;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 6000);
	assert_int_equal(sum_of_states(&now.times), 6000);
}

static void time_namespace(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page->clock_offset_ns = 7000;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	fake_now = SINCE + 9064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
	page->clock_offset_ns = -7000ULL;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	fake_now = SINCE - 4936;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
}

static int in_the_child(struct taskrt_histogram *histogram)
{
	struct taskrt_histogram *another;
	struct taskrt_measured measured;
	struct taskrt_reading reading;
	struct taskrt_snapshot now;
	struct taskrt_window w;

	if (taskrt_self_mapped(self) || taskrt_self_read(self, &now) != -ECHILD)
		return 1;
	if (taskrt_self_get(self, ALL, &reading, sizeof(reading)) != -ECHILD ||
	    taskrt_self_measured(self, &measured, sizeof(measured)) != -ECHILD ||
	    taskrt_histogram_read(histogram, NULL, 0) != -ECHILD ||
	    taskrt_histogram_open(&another, self) != -ECHILD || another ||
	    taskrt_self_alert(self, "late", 0) != -ECHILD)
		return 2;
	if (taskrt_window_begin(&w, self) != -ECHILD || taskrt_window_end(&w) != -EINVAL)
		return 3;
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
	/* what is mapped at the page's address now must not be unmapped */
	return page->version == TASKRT_PAGE_VERSION ? 0 : 4;
}

static void after_fork(void **state)
{
	struct taskrt_histogram *histogram;
	struct taskrt_snapshot now;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(taskrt_self_mapped(self), 1);
	assert_int_equal(taskrt_histogram_open(&histogram, self), 0);
	child = fork();
	if (!child)
		_exit(in_the_child(histogram));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	fake_now = SINCE + 100;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(taskrt_self_mapped(self), 1);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), 0);
	taskrt_histogram_close(histogram);
}

static void bad_arguments(void **state)
{
	struct taskrt_self *none = self;
	struct taskrt_measured measured;
	struct taskrt_reading reading;

	(void)state;
	assert_int_equal(taskrt_self_open(NULL, 0), -EINVAL);
	assert_int_equal(taskrt_self_open(&none, 2), -EINVAL);
	assert_null(none);
	taskrt_self_close(NULL);
	assert_int_equal(taskrt_self_mapped(NULL), 0);
	assert_int_equal(taskrt_self_alert(NULL, "late", 0), -EINVAL);
	assert_int_equal(taskrt_self_get(NULL, 0, &reading, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_get(self, 0, NULL, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_get(self, 1u << 31, &reading, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_measured(NULL, &measured, sizeof(measured)), -EINVAL);
	assert_int_equal(taskrt_self_measured(self, NULL, sizeof(measured)), -EINVAL);
}

/* The handle's clock is CLOCK_MONOTONIC, also if it is not the C library's function. */
static void real_clock(void **state)
{
	struct taskrt_self *own = taskrt_self_new();
	struct timespec before, between, after;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(own->clock(CLOCK_MONOTONIC, &between), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(between.tv_sec > before.tv_sec ||
		    (between.tv_sec == before.tv_sec && between.tv_nsec >= before.tv_nsec));
	assert_true(after.tv_sec > between.tv_sec ||
		    (after.tv_sec == between.tv_sec && after.tv_nsec >= between.tv_nsec));
	taskrt_self_close(own);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(current, start, finish),
		cmocka_unit_test_setup_teardown(clock_behind, start, finish),
		cmocka_unit_test_setup_teardown(in_progress, start, finish),
		cmocka_unit_test_setup_teardown(final, start, finish),
		cmocka_unit_test_setup_teardown(always_changing, start, finish),
		cmocka_unit_test_setup_teardown(changed_after_the_clock, start, finish),
		cmocka_unit_test_setup_teardown(clock_still, start, finish),
		cmocka_unit_test_setup_teardown(time_namespace, start, finish),
		cmocka_unit_test_setup_teardown(after_fork, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test(real_clock),
	};

	return cmocka_run_group_tests_name("self", tests, NULL, NULL);
}
