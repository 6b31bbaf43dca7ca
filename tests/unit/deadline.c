// SPDX-License-Identifier: GPL-2.0-only
/* A deadline, and the queue of the reasons why it was missed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

#include "unit.h"
#include "fake_device.h"
#include "self/deadline.h"
#define TASKRT_EXPERIMENTAL
#include "taskrt_experimental.h"

#define SINCE	1234000000000ULL
#define MS	1000000ULL
#define OWN	64
#define QUEUE	64

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_deadline *d;
static uint64_t passed;		/* since SINCE */
static char line[600];
static size_t device_bytes;	/* of the page, which is the device's; 0: there is no device */

/* Replaces open(2), for the library as well. */
int open(const char *path, int flags, ...)
{
	if (strcmp(path, TASKRT_DEVICE))
		return openat(AT_FDCWD, path, flags);
	if (device_bytes)
		return fake_device(page, device_bytes, page->map_size);
	errno = ENOENT;
	return -1;
}

/* Time passes, all of it in one state, until the thread runs again. */
static void pass(uint32_t state, uint64_t ns)
{
	page_switch(page, state, SINCE + passed);
	passed += ns;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + passed);
	fake_now = SINCE + passed + OWN;
}

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	passed = 0;
	fake_now = SINCE + OWN;
	d = taskrt_deadline_new(fake_self(page), 10 * MS);
	return !d;
}

static int finish(void **state)
{
	(void)state;
	taskrt_deadline_close(d);
	free(page);
	return 0;
}

static int cycle(uint64_t ns)
{
	pass(TASKRT_STATE_SLEEPING_TIMER, MS);
	assert_int_equal(taskrt_deadline_begin(d), 0);
	pass(TASKRT_STATE_BLOCKED_LOCK, ns);
	return taskrt_deadline_end(d);
}

static void in_time(void **state)
{
	(void)state;
	assert_int_equal(cycle(3 * MS), 0);
	assert_int_equal(cycle(10 * MS), 0);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 0);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 20), 0);
}

static void late(void **state)
{
	(void)state;
	assert_int_equal(cycle(12 * MS), 1);
	assert_int_equal(cycle(4 * MS), 0);
	assert_int_equal(cycle(15 * MS), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), -1), 1);
	assert_string_equal(line, "late by 2.000 ms of 10.000: kernel lock 12.000 ms (100.0 %, "
				  "longest 12.000 ms from 1234.001000), unexplained 0.000 ms (0.0 %)");
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_string_equal(line, "late by 5.000 ms of 10.000: kernel lock 15.000 ms (100.0 %, "
				  "longest 15.000 ms from 1234.019000), unexplained 0.000 ms (0.0 %)");
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 0);
}

/* Misses for which there is no room are reported as a number, in their place. */
static void full(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < QUEUE + 3; i++)
		assert_int_equal(cycle((11 + i) * MS), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_memory_equal(line, "late by 1.000 ms", 16);
	assert_int_equal(cycle(911 * MS), 1);
	for (i = 1; i < QUEUE; i++)
		assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_memory_equal(line, "late by 64.000 ms", 17);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_string_equal(line, "late, but the queue of reports was full: 3");
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_memory_equal(line, "late by 901.000 ms", 18);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 0);
}

/* The same if no other miss follows. */
static void full_at_last(void **state)
{
	int i;

	(void)state;
	for (i = 0; i <= QUEUE; i++)
		assert_int_equal(cycle(11 * MS), 1);
	for (i = 0; i < QUEUE; i++)
		assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_string_equal(line, "late, but the queue of reports was full: 1");
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 0);
}

static void stopped(void **state)
{
	(void)state;
	assert_int_equal(cycle(11 * MS), 1);
	taskrt_deadline_stop(d);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), -1), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), -1), 0);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), -1), 0);
}

/* Opens d from a device, which calls each function once, and is late with it. */
static void open_device(void)
{
	finish(NULL);
	page = page_new(1);
	device_bytes = page->map_size;
	page->map_size = whole_pages(page->map_size);
	assert_int_equal(taskrt_deadline_open(&d, TASKRT_SELF_MAPPED, 1), 0);
	device_bytes = 0;
}

/* Work that was not begun does not end, and is not reported. */
static void expect_not_begun(void)
{
	assert_int_equal(taskrt_deadline_end(d), -EINVAL);
	assert_int_equal(taskrt_deadline_end(d), -EINVAL);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 0);
}

/* It ends once, however it ends. */
static void ends_once(void **state)
{
	(void)state;
	assert_int_equal(cycle(3 * MS), 0);
	expect_not_begun();
	assert_int_equal(cycle(12 * MS), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	expect_not_begun();
	assert_int_equal(taskrt_deadline_begin_due(d, 0), 0);
	page->changes[0]++;
	assert_int_equal(taskrt_deadline_end(d), -EAGAIN);
	page->changes[0]++;
	expect_not_begun();
	page->changes[0]++;
	assert_int_equal(taskrt_deadline_begin(d), -EAGAIN);
	assert_int_equal(taskrt_deadline_begin_due(d, 0), -EAGAIN);
	page->changes[0]++;
	expect_not_begun();
	assert_int_equal(cycle(12 * MS), 1);
}

static void refused(void **state)
{
	struct taskrt_deadline *none = d;

	(void)state;
	expect_not_begun();
	open_device();
	expect_not_begun();
	assert_int_equal(taskrt_deadline_begin(NULL), -EINVAL);
	assert_int_equal(taskrt_deadline_end(NULL), -EINVAL);
	assert_int_equal(taskrt_deadline_next(NULL, line, sizeof(line), 0), -EINVAL);
	assert_int_equal(taskrt_deadline_next(d, NULL, sizeof(line), 0), -EINVAL);
	assert_int_equal(taskrt_deadline_next(d, line, 0, 0), -EINVAL);
	assert_int_equal(taskrt_deadline_open(&none, 0, 0), -EINVAL);
	assert_null(none);
	assert_int_equal(taskrt_deadline_open(NULL, 0, MS), -EINVAL);
	assert_int_equal(taskrt_deadline_open(&none, TASKRT_SELF_MAPPED, MS), -ENOENT);
	assert_null(none);
	assert_null(taskrt_deadline_self(NULL));
	assert_int_equal(taskrt_self_mapped(taskrt_deadline_self(d)), 1);
	taskrt_deadline_stop(NULL);
	taskrt_deadline_close(NULL);
}

#define MISSES	20000

static void *miss(void *unused)
{
	long i;

	for (i = 0; i < MISSES; i++)
		if (cycle(11 * MS) != 1)
			return unused;
	taskrt_deadline_stop(d);
	return d;
}

/* Each miss is reported exactly once. */
static void two_threads(void **state)
{
	unsigned long told = 0, times;
	pthread_t writer;
	void *ended;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, miss, NULL), 0);
	while (taskrt_deadline_next(d, line, sizeof(line), -1) == 1)
		told += sscanf(line, "late, but the queue of reports was full: %lu", &times) == 1 ? times : 1;
	pthread_join(writer, &ended);
	assert_ptr_equal(ended, d);
	assert_int_equal(told, MISSES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_time, start, finish),
		cmocka_unit_test_setup_teardown(late, start, finish),
		cmocka_unit_test_setup_teardown(full, start, finish),
		cmocka_unit_test_setup_teardown(full_at_last, start, finish),
		cmocka_unit_test_setup_teardown(stopped, start, finish),
		cmocka_unit_test_setup_teardown(ends_once, start, finish),
		cmocka_unit_test_setup_teardown(refused, start, finish),
		cmocka_unit_test_setup_teardown(two_threads, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
