// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening a thread from the device, here a file: how much the library maps, and what it
 * refuses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "unit.h"
#include "fake_device.h"
#include "fake_kernel.h"

#define ALL	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

uint64_t fake_now;

static struct taskrt_page *page;	/* what the device shows */
static size_t page_bytes;
static int opened;			/* how often it was */
static int open_flags;
static int refusal;			/* the errno of opening it; 0: it can be opened */
static int busy;			/* so often it cannot be mapped yet */
static int device_fd = -1;
static int pauses;
static const void *locked;		/* in memory */
static size_t locked_bytes;

static int device(int flags)
{
	opened++;
	open_flags = flags;
	device_fd = fake_device(page, page_bytes, 64 * sysconf(_SC_PAGESIZE));
	return device_fd;
}

/* Replaces open(2), for the library as well. */
int open(const char *path, int flags, ...)
{
	if (strcmp(path, TASKRT_DEVICE))
		return openat(AT_FDCWD, path, flags);
	if (!refusal)
		return device(flags);
	errno = refusal;
	return -1;
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (!busy || fd < 0 || fd != device_fd)
		return mmap64(at, length, protection, flags, fd, offset);
	busy--;
	errno = EAGAIN;
	return MAP_FAILED;
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)rest;
	assert_true(time->tv_nsec > 0);
	pauses++;
	return 0;
}

/* It may not be permitted. */
int mlock(const void *at, size_t bytes)
{
	locked = at;
	locked_bytes = bytes;
	errno = EPERM;
	return -1;
}

static void set_page(const struct page_shape *shape)
{
	struct timespec now;

	free(page);
	clock_gettime(CLOCK_MONOTONIC, &now);
	page = page_new_of(shape, now.tv_sec * 1000000000ULL + now.tv_nsec - 1000000);
	page_bytes = page->map_size;
	page->map_size = whole_pages(page->map_size);
}

static int start(void **state)
{
	(void)state;
	set_page(&page_now);
	fake_reset(NULL);
	fake.family = 0;
	opened = 0;
	refusal = 0;
	busy = 0;
	pauses = 0;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	free(page);
	page = NULL;
	fake_reset(NULL);
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

/* A program that is executed later has no use for the descriptor. */
static void flags(void **state)
{
	(void)state;
	check_open();
	assert_int_equal(open_flags, O_RDONLY | O_CLOEXEC);
}

static void locks_handle(void **state)
{
	struct taskrt_self *self;

	(void)state;
	assert_int_equal(taskrt_self_open(&self, TASKRT_SELF_MAPPED), 0);
	assert_ptr_equal(locked, (char *)self - sysconf(_SC_PAGESIZE));
	assert_int_equal(locked_bytes, 2 * sysconf(_SC_PAGESIZE));
	assert_int_equal(msync((void *)locked, 1, MS_ASYNC), 0);
	taskrt_self_close(self);
	/* It is not mapped any more. */
	assert_int_equal(msync((void *)locked, 1, MS_ASYNC), -1);
	assert_int_equal(errno, ENOMEM);
}

/* The clock is read without a call of the C library, where the kernel offers that. */
static void reads_vdso(void **state)
{
	struct taskrt_self *self;

	(void)state;
	assert_int_equal(taskrt_self_open(&self, TASKRT_SELF_MAPPED), 0);
	if (sizeof(long) == 8 && getauxval(AT_SYSINFO_EHDR))
		assert_true(self->clock != clock_gettime);
	taskrt_self_close(self);
}

/* Accounting is being switched on or off.  That ends, or the caller is told. */
static void busy_device(void **state)
{
	struct taskrt_self *self;

	(void)state;
	busy = 3;
	check_open();
	assert_int_equal(pauses, 3);
	pauses = 0;
	busy = 1000;
	assert_int_equal(taskrt_self_open(&self, 0), -EAGAIN);
	assert_null(self);
	assert_int_equal(1000 - busy, 100);
	assert_int_equal(pauses, 100);
	assert_int_equal(fake.sockets, 0);
}

/* Where there is no device for us, netlink is tried, unless that is not wanted. */
static void no_device(void **state)
{
	const int none[] = { ENOENT, EACCES, ENXIO, ENODEV, EOPNOTSUPP, EPERM };
	struct taskrt_self *self;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		refusal = none[i];
		fake.sockets = 0;
		assert_int_equal(taskrt_self_open(&self, TASKRT_SELF_MAPPED), -none[i]);
		assert_int_equal(fake.sockets, 0);
		assert_int_equal(taskrt_self_open(&self, 0), -ENOENT);
		assert_int_equal(fake.sockets, 1);
	}
	refusal = EMFILE;
	fake.sockets = 0;
	assert_int_equal(taskrt_self_open(&self, 0), -EMFILE);
	assert_int_equal(fake.sockets, 0);
}

/* A later module's, which is longer. */
static void next_page(void **state)
{
	(void)state;
	set_page(&page_next);
	page->version = TASKRT_PAGE_VERSION + 1;
	assert_true(page->map_size > whole_pages(20000));
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

/* None of these sizes is accepted, and the library does not use netlink instead. */
static void bad_sizes(void **state)
{
	const uint32_t bad[] = {
		0, 1, TASKRT_PAGE_SIZE, whole_pages(1) - 1, whole_pages(1) + 8, 1u << 31, ~0u,
		-whole_pages(1),
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
		cmocka_unit_test_setup_teardown(flags, start, finish),
		cmocka_unit_test_setup_teardown(locks_handle, start, finish),
		cmocka_unit_test_setup_teardown(reads_vdso, start, finish),
		cmocka_unit_test_setup_teardown(busy_device, start, finish),
		cmocka_unit_test_setup_teardown(no_device, start, finish),
		cmocka_unit_test_setup_teardown(next_page, start, finish),
		cmocka_unit_test_setup_teardown(bad_sizes, start, finish),
		cmocka_unit_test_setup_teardown(bad_pages, start, finish),
	};

	return cmocka_run_group_tests_name("self_open", tests, NULL, NULL);
}
