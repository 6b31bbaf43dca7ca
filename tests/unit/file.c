// SPDX-License-Identifier: GPL-2.0-only
/* Files of exit records: byte for byte what taskrt_file(3) says. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file_example.h"

static uint64_t number(const char *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size);	/* see below: little-endian */
	return value;
}

static void byte_for_byte(void **state)
{
	size_t length;
	char *bytes = example(&length), *record = bytes + HEAD + RECORD;
	const uint16_t one = 1;

	(void)state;
	assert_int_equal(length, HEAD + 2 * RECORD + LOST);
	assert_memory_equal(bytes, "\x89taskrt\n", 8);
	if (!*(const char *)&one)
		goto out;
	assert_memory_equal(bytes + 8, "\x04\x03\x02\x01\x01\x00\x00\x00", 8);
	assert_int_equal(number(bytes + 16, 4), HEAD);
	assert_int_equal(number(bytes + 20, 4), LOST);
	assert_int_equal(number(bytes + 24, 8), 0);

	assert_int_equal(number(record, 4), RECORD);
	assert_int_equal(number(record + 4, 4), TASKRT_EXIT_PROCESS);
	assert_int_equal(number(record + 8, 4), 1);
	assert_int_equal(number(record + 12, 4), 600);
	assert_int_equal(number(record + 16, 8), 11);
	assert_int_equal(number(record + 24, 8), 10);
	assert_int_equal(number(record + 32, 8), 0);
	assert_int_equal(number(record + 40, 4), 3);
	assert_int_equal(number(record + 56, 8), 1ULL << 40 | 1);
	record += RECORD;
	assert_int_equal(number(record, 4), LOST);
	assert_int_equal(number(record + 4, 4), TASKRT_EXIT_LOST);
	assert_int_equal(number(record + 12, 4), 0);
	assert_int_equal(number(record + 32, 8), 5);
out:
	free(bytes);
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
			err = taskrt_file_write(to, &exit);
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

static void other_sizes(void **state)
{
	const size_t sizes[] = { 64, 80, 631, 632, 700 };
	const uint32_t versions[] = { 1, 2, 2, 3, 3 };
	size_t length, i;
	char *bytes = example(&length);

	(void)state;
	for (i = 0; i < 5; i++) {
		struct taskrt_exit *exit = malloc(sizes[i]);
		int fd = file_of(bytes, length);
		struct taskrt_file *file;

		assert_int_equal(taskrt_file_open(&file, fd), 0);
		assert_int_equal(taskrt_file_next(file, exit, 63), -EINVAL);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(exit->stats.version, versions[i]);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(taskrt_file_next(file, exit, sizes[i]), 1);
		assert_int_equal(exit->lost_now, 5);
		taskrt_file_close(file);
		close(fd);
		free(exit);
	}
	free(bytes);
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
	exit.stats.size = 601;
	assert_int_equal(taskrt_file_write(file, &exit), -EINVAL);
	exit.stats.size = 31;
	assert_int_equal(taskrt_file_write(file, &exit), -EINVAL);
	exit.stats.size = 600;
	exit.type = 3;
	assert_int_equal(taskrt_file_write(file, &exit), -EINVAL);
	assert_int_equal(taskrt_file_write(file, NULL), -EINVAL);
	assert_int_equal(taskrt_file_close(file), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), HEAD);

	lseek(fd, 0, SEEK_SET);
	assert_int_equal(taskrt_file_open(&file, fd), 0);
	assert_int_equal(taskrt_file_write(file, &loss), -EINVAL);
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
	assert_int_equal(taskrt_file_write(file, &loss), 0);
	assert_int_equal(taskrt_file_flush(file), -ENOSPC);
	assert_int_equal(taskrt_file_close(file), -ENOSPC);
	close(fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_for_byte),
		cmocka_unit_test(through_a_pipe),
		cmocka_unit_test(other_sizes),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(no_room),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
