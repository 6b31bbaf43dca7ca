// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening a thread from the device, here a file: how much the library maps, and what it
 * refuses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "fake_page.h"

#define ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

uint64_t fake_now;

static struct taskrt_page *page;	/* what the device shows */
static size_t page_bytes;
static int opened;			/* how often it was */

static int device(void)
{
	int fd = memfd_create("taskrt", MFD_CLOEXEC);

	opened++;
	if (fd < 0 || pwrite(fd, page, page_bytes, 0) != (ssize_t)page_bytes ||
	    ftruncate(fd, 64 * sysconf(_SC_PAGESIZE)))
		abort();
	return fd;
}

/* The library's call, too. */
int open(const char *path, int flags, ...)
{
	if (!strcmp(path, TASKRT_DEVICE))
		return device();
	return openat(AT_FDCWD, path, flags);
}

static uint32_t whole(uint32_t bytes)
{
	uint32_t size = sysconf(_SC_PAGESIZE);

	return (bytes + size - 1) / size * size;
}

static void set_page(const struct page_shape *shape)
{
	struct timespec now;

	free(page);
	clock_gettime(CLOCK_MONOTONIC, &now);
	page = page_new_of(shape, now.tv_sec * 1000000000ULL + now.tv_nsec - 1000000);
	page_bytes = page->map_size;
	page->map_size = whole(page->map_size);
}

static int start(void **state)
{
	(void)state;
	set_page(&page_now);
	opened = 0;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	free(page);
	page = NULL;
	return 0;
}

/* How many bytes of the device are mapped. */
static size_t mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, until;
	size_t sum = 0;
	char line[512];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:taskrt") && sscanf(line, "%lx-%lx", &from, &until) == 2)
			sum += until - from;
	fclose(maps);
	return sum;
}

/* The lowest number that is free. */
static int next_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void check_open(void)
{
	struct taskrt_histogram *histogram;
	struct taskrt_reading reading;
	struct taskrt_snapshot now;
	struct taskrt_self *self;
	int fd = next_fd();

	assert_int_equal(taskrt_self_open(&self, TASKRT_SELF_MAPPED), 0);
	assert_int_equal(taskrt_self_mapped(self), 1);
	assert_int_equal(mapped(), page->map_size);
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.flags, 0);
	assert_true(now.at_ns > page->since_ns);
	assert_int_equal(sum_of_states(&now.times), now.at_ns - page->tracked_since_ns);
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, ALL);
	assert_int_equal(taskrt_histogram_open(&histogram, self), 0);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), 0);
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
	assert_int_equal(mapped(), 0);
	assert_int_equal(next_fd(), fd);
}

static void all_of_it(void **state)
{
	(void)state;
	check_open();
	assert_int_equal(opened, 1);
}

/* A later module's, which is longer. */
static void next_page(void **state)
{
	(void)state;
	set_page(&page_next);
	page->version = TASKRT_PAGE_VERSION + 1;
	assert_true(page->map_size > whole(20000));
	check_open();
}

static void refused(void)
{
	struct taskrt_self *self = (void *)page;
	int fd = next_fd();

	assert_int_equal(taskrt_self_open(&self, 0), -EPROTO);
	assert_null(self);
	assert_int_equal(mapped(), 0);
	assert_int_equal(next_fd(), fd);
}

/* Neither of these can be; and what is refused is not asked for over netlink instead. */
static void bad_sizes(void **state)
{
	const uint32_t bad[] = {
		0, 1, TASKRT_PAGE_SIZE, whole(1) - 1, whole(1) + 8, 1u << 31, ~0u, -whole(1),
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		page->map_size = bad[i];
		refused();
	}
}

static void bad_pages(void **state)
{
	(void)state;
	page->version = 0;
	refused();
	page->version = TASKRT_PAGE_VERSION;
	page->size = TASKRT_PAGE_SIZE - 8;
	refused();
	page->size = TASKRT_PAGE_SIZE;
	page->timer_intervals.offset = page->map_size - sizeof(struct taskrt_intervals);
	refused();
	page->timer_intervals.nr = 1;
	check_open();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_of_it, start, finish),
		cmocka_unit_test_setup_teardown(next_page, start, finish),
		cmocka_unit_test_setup_teardown(bad_sizes, start, finish),
		cmocka_unit_test_setup_teardown(bad_pages, start, finish),
	};

	return cmocka_run_group_tests_name("self_open", tests, NULL, NULL);
}
