// SPDX-License-Identifier: GPL-2.0-only
/* Files of exit records: byte for byte what taskrt_file(3) says. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "file_example.h"

static bool interrupting;	/* the first call of each descriptor is interrupted */
static bool no_progress;	/* write() writes nothing */
static int last_read = -1, last_written = -1;

static bool interrupted(int fd, int *last)
{
	if (!interrupting || fd == *last)
		return false;
	*last = fd;
	errno = EINTR;
	return true;
}

/* The library's calls, too. */
ssize_t read(int fd, void *to, size_t bytes)
{
	return interrupted(fd, &last_read) ? -1 : syscall(SYS_read, fd, to, bytes);
}

ssize_t write(int fd, const void *from, size_t bytes)
{
	if (no_progress)
		return 0;
	return interrupted(fd, &last_written) ? -1 : syscall(SYS_write, fd, from, bytes);
}

static uint64_t number(const char *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size);	/* see below: little-endian */
	return value;
}

static uint64_t now(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return at.tv_sec * 1000000000ULL + at.tv_nsec;
}

/* Compares the boot id in the bytes of a header with the kernel's text of it. */
static void check_boot_id(const char *bytes)
{
	char text[40] = "", *to = text, want[40] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY), i;

	assert_int_equal(read(fd, want, 36), 36);
	close(fd);
	for (i = 0; i < 16; i++)
		to += sprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      (unsigned char)bytes[i]);
	assert_string_equal(text, want);
}

static bool little_endian(void)
{
	const uint16_t one = 1;

	return *(const char *)&one;
}

static void the_header(void **state)
{
	const uint64_t real = now(CLOCK_REALTIME), mono = now(CLOCK_MONOTONIC);
	size_t length;
	char *bytes = example(&length);

	(void)state;
	assert_memory_equal(bytes, "\x89taskrt\n", 8);
	check_boot_id(bytes + 40);
	assert_memory_equal(bytes + 56, "\0\0\0\0\0\0\0\0", 8);
	assert_true(number(bytes + 24, 8) >= real && number(bytes + 24, 8) <= now(CLOCK_REALTIME));
	assert_true(number(bytes + 32, 8) >= mono && number(bytes + 32, 8) <= now(CLOCK_MONOTONIC));
	if (little_endian())
		assert_memory_equal(bytes + 8, "\4\3\2\1\2\0\0\0\x40\0\0\0\x20\0\0\0", 16);
	free(bytes);
}

/* An item: its type, its length, then value. */
static const char *check_item(const char *at, uint32_t type, uint32_t length)
{
	assert_int_equal(number(at, 4), type);
	assert_int_equal(number(at + 4, 4), length);
	return at + 8;
}

static void byte_for_byte(void **state)
{
	size_t length;
	char *bytes = example(&length), *record = bytes + HEAD + RECORD;
	const char *at;
	uint32_t crc;

	(void)state;
	assert_int_equal(length, HEAD + 2 * RECORD + LOST);
	if (!little_endian())
		goto out;
	assert_int_equal(number(record, 4), RECORD);
	assert_int_equal(number(record + 4, 2), TASKRT_EXIT_PROCESS);
	assert_int_equal(number(record + 6, 2), 0);
	assert_int_equal(number(record + 12, 4), 0);
	assert_int_equal(number(record + 16, 8), 11);
	assert_int_equal(number(record + 24, 8), 10);
	at = check_item(record + 32, 5, 4);
	assert_int_equal(number(at, 8), 1);
	at = check_item(at + 8, 4, 256);
	assert_int_equal(number(at, 4), 3);
	assert_int_equal(number(at + 16, 8), 1ULL << 40 | 1);
	assert_int_equal(number(at + 248, 8), 1);
	at = check_item(at + 256, 7, 384);
	assert_int_equal(number(at, 8), 2);
	assert_int_equal(number(at + 376, 8), 3);
	assert_ptr_equal(at + 384, record + RECORD);
	crc = number(record + 8, 4);
	seal(record);
	assert_int_equal(number(record + 8, 4), crc);

	record += RECORD;
	assert_int_equal(number(record, 4), LOST);
	assert_int_equal(number(record + 4, 2), TASKRT_EXIT_LOST);
	at = check_item(record + 32, 0x10000, 8);
	assert_int_equal(number(at, 8), 5);
	crc = number(record + 8, 4);
	seal(record);
	assert_int_equal(number(record + 8, 4), crc);
	assert_int_equal(crc32_of("123456789", 9), 0xcbf43926);
out:
	free(bytes);
}

/* Write one and read it again. */
static int there_and_back(const struct taskrt_exit *from, struct taskrt_exit *to)
{
	int fd = memfd_create("one", 0), err;
	struct taskrt_file *file;

	assert_int_equal(taskrt_file_create(&file, fd), 0);
	err = taskrt_file_write(file, from, sizeof(*from));
	assert_int_equal(taskrt_file_close(file), 0);
	lseek(fd, 0, SEEK_SET);
	if (!err) {
		assert_int_equal(taskrt_file_open(&file, fd), 0);
		memset(to, 0xff, sizeof(*to));
		assert_int_equal(taskrt_file_next(file, to, sizeof(*to)), 1);
		assert_int_equal(taskrt_file_close(file), 0);
	}
	close(fd);
	return err;
}

static void fill_groups(struct taskrt_reading *r)
{
	memset(&r->times, 1, sizeof(r->times));
	memset(&r->counts_room, 2, sizeof(r->counts));
	memset(&r->longests, 3, sizeof(r->longests));
}

/* Every group, or none; also what this library has only the room for. */
static void groups_and_versions(void **state)
{
	struct taskrt_exit exit = thread_exit(0), got;
	struct taskrt_reading *r = &exit.reading;
	const struct taskrt_reading zero = { 0 };

	(void)state;
	fill_groups(r);
	r->groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST;
	assert_int_equal(there_and_back(&exit, &got), 0);
	compare(&got, &exit);
	r->counts_room[88] = 5;
	assert_int_equal(there_and_back(&exit, &got), 0);
	compare(&got, &exit);
	r->counts_room[95] = 5;
	assert_int_equal(there_and_back(&exit, &got), 0);
	compare(&got, &exit);

	/* what is not marked as being there is not written */
	r->groups = 0;
	assert_int_equal(there_and_back(&exit, &got), 0);
	assert_int_equal(got.reading.groups, 0);
	assert_memory_equal(&got.reading.times, &zero.times, sizeof(zero.times));

	r->stats.version = 4;
	r->stats.size = 320;
	r->stats_room[39] = 6;
	r->stats.valid = ~0ULL;
	r->stats.flags = TASKRT_FLAG_EXITED;
	assert_int_equal(there_and_back(&exit, &got), 0);
	assert_memory_equal(&got.reading.stats, &r->stats, 320);
	assert_int_equal(got.reading.flags, TASKRT_FINAL);
	r->stats.version = 1;
	r->stats.size = 32;
	assert_int_equal(there_and_back(&exit, &got), 0);
	assert_int_equal(got.reading.stats.version, 1);
	assert_int_equal(got.reading.stats.cpu_time_ns, r->stats.cpu_time_ns);
	assert_int_equal(got.reading.stats.valid, 3);
}

/* Through a pipe that never has more than a part of it: nothing is lost or torn. */
static void through_a_pipe(void **state)
{
	const uint32_t records = 5000;
	struct taskrt_file *to, *from = NULL;
	struct taskrt_exit exit, want;
	uint32_t written = 0, got = 0;
	int fds[2], err;

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	assert_int_equal(taskrt_file_open(&from, fds[0]), -EAGAIN);
	assert_int_equal(taskrt_file_create(&to, fds[1]), 0);
	assert_int_equal(taskrt_file_flush(to), 0);
	assert_int_equal(taskrt_file_open(&from, fds[0]), 0);
	while (got < records) {
		for (err = 0; !err && written < records; written += !err) {
			exit = thread_exit(written);
			err = taskrt_file_write(to, &exit, sizeof(exit));
		}
		err = err ? err : taskrt_file_flush(to);
		assert_true(!err || err == -EAGAIN);
		while ((err = taskrt_file_next(from, &exit, sizeof(exit))) == 1) {
			want = thread_exit(got++);
			compare(&exit, &want);
		}
		assert_int_equal(err, -EAGAIN);
	}
	assert_int_equal(taskrt_file_close(to), 0);
	close(fds[1]);
	assert_int_equal(taskrt_file_next(from, &exit, sizeof(exit)), 0);
	assert_int_equal(taskrt_file_next(from, &exit, sizeof(exit)), 0);
	assert_int_equal(taskrt_file_close(from), 0);
	close(fds[0]);
}

/* By a timer's signal, whose handler does not restart calls.  Nothing is seen of it. */
static void interruptions(void **state)
{
	struct taskrt_exit exit = thread_exit(7), got;

	(void)state;
	interrupting = true;
	assert_int_equal(there_and_back(&exit, &got), 0);
	interrupting = false;
	assert_true(last_read >= 0 && last_read == last_written);
	compare(&got, &exit);
}

/* A file that takes nothing and gives no reason. */
static void nothing_written(void **state)
{
	int fd = memfd_create("nothing", 0);
	struct taskrt_file *file;

	(void)state;
	assert_int_equal(taskrt_file_create(&file, fd), 0);
	no_progress = true;
	assert_int_equal(taskrt_file_flush(file), -EIO);
	no_progress = false;
	assert_int_equal(taskrt_file_close(file), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), HEAD);
	close(fd);
}

static void other_sizes(void **state)
{
	const size_t full = sizeof(struct taskrt_exit);
	const size_t sizes[] = { full, full + 1, full + 100, 2 * full };
	size_t length, i, k;
	char *bytes = example(&length);

	(void)state;
	for (i = 0; i < 4; i++) {
		struct taskrt_exit *exit = malloc(sizes[i]);
		int fd = file_of(bytes, length);
		struct taskrt_file *file;

		memset(exit, 0xff, sizes[i]);
		assert_int_equal(taskrt_file_open(&file, fd), 0);
		assert_int_equal(taskrt_file_next(file, exit, full - 1), -EINVAL);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(exit->seq, 10);
		for (k = full; k < sizes[i]; k++)
			assert_int_equal(((char *)exit)[k], 0);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(exit->lost_now, 5);
		taskrt_file_close(file);
		close(fd);
		free(exit);
	}
	free(bytes);
}

/* What a program of another release writes. */
static void written_sizes(void **state)
{
	struct { struct taskrt_exit exit; uint64_t more; } longer = { .exit = thread_exit(1) };
	char *shorter = malloc(40);
	int fd = memfd_create("sizes", 0);
	struct taskrt_file *file;
	struct taskrt_exit got, *exit = &longer.exit;

	(void)state;
	memcpy(shorter, &loss, 40);
	assert_int_equal(taskrt_file_create(&file, fd), 0);
	assert_int_equal(taskrt_file_write(file, exit, sizeof(longer)), 0);
	longer.more = 1;
	assert_int_equal(taskrt_file_write(file, exit, sizeof(longer)), -E2BIG);
	exit->reserved[3] = 1;
	assert_int_equal(taskrt_file_write(file, exit, sizeof(*exit)), -E2BIG);
	exit->reserved[3] = 0;
	assert_int_equal(taskrt_file_write(file, (void *)shorter, 40), 0);
	assert_int_equal(taskrt_file_close(file), 0);
	free(shorter);
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(taskrt_file_open(&file, fd), 0);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 1);
	compare(&got, exit);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 1);
	compare(&got, &loss);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 0);
	assert_int_equal(taskrt_file_close(file), 0);
	close(fd);
}

static void bad_arguments(void **state)
{
	struct taskrt_exit exit = thread_exit(0);
	struct taskrt_file *file = (struct taskrt_file *)state;
	int fd = memfd_create("bad", 0);

	assert_int_equal(taskrt_file_create(NULL, fd), -EINVAL);
	assert_int_equal(taskrt_file_open(NULL, fd), -EINVAL);
	assert_int_equal(taskrt_file_create(&file, -1), -EBADF);
	assert_null(file);
	assert_int_equal(taskrt_file_open(&file, -1), -EBADF);
	assert_int_equal(taskrt_file_close(NULL), 0);
	assert_int_equal(taskrt_file_flush(NULL), -EINVAL);

	assert_int_equal(taskrt_file_create(&file, fd), 0);
	assert_int_equal(taskrt_file_next(file, &exit, sizeof(exit)), -EINVAL);
	exit.reading.stats.size = 257;
	assert_int_equal(taskrt_file_write(file, &exit, sizeof(exit)), -EINVAL);
	exit.reading.stats.size = 31;
	assert_int_equal(taskrt_file_write(file, &exit, sizeof(exit)), -EINVAL);
	exit.reading.stats.size = 256;
	exit.reading.stats.version = 0;
	assert_int_equal(taskrt_file_write(file, &exit, sizeof(exit)), -EINVAL);
	exit.reading.stats.version = 3;
	assert_int_equal(taskrt_file_write(file, &exit, 63), -EINVAL);
	exit.type = 3;
	assert_int_equal(taskrt_file_write(file, &exit, sizeof(exit)), -EINVAL);
	assert_int_equal(taskrt_file_write(file, NULL, sizeof(exit)), -EINVAL);
	assert_int_equal(taskrt_file_close(file), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), HEAD);

	lseek(fd, 0, SEEK_SET);
	assert_int_equal(taskrt_file_open(&file, fd), 0);
	assert_int_equal(taskrt_file_write(file, &loss, sizeof(loss)), -EINVAL);
	assert_int_equal(taskrt_file_flush(file), -EINVAL);
	assert_int_equal(taskrt_file_next(file, NULL, sizeof(exit)), -EINVAL);
	assert_int_equal(taskrt_file_close(file), 0);
	close(fd);
}

static void no_room(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct taskrt_file *file;

	(void)state;
	assert_int_equal(taskrt_file_create(&file, fd), 0);
	assert_int_equal(taskrt_file_write(file, &loss, sizeof(loss)), 0);
	assert_int_equal(taskrt_file_flush(file), -ENOSPC);
	assert_int_equal(taskrt_file_close(file), -ENOSPC);
	close(fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header),
		cmocka_unit_test(byte_for_byte),
		cmocka_unit_test(groups_and_versions),
		cmocka_unit_test(through_a_pipe),
		cmocka_unit_test(interruptions),
		cmocka_unit_test(nothing_written),
		cmocka_unit_test(other_sizes),
		cmocka_unit_test(written_sizes),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(no_room),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
