// SPDX-License-Identifier: GPL-2.0-only
/* Files of exit records: byte for byte what taskrt_file(3) says, and what is damaged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "taskrt.h"

#define HEAD	32	/* of the file */
#define RECORD	640	/* of a thread or process */
#define LOST	40	/* of a loss */

static struct taskrt_exit thread_exit(uint32_t i)
{
	struct taskrt_exit exit = {
		.type = i & 1 ? TASKRT_EXIT_PROCESS : TASKRT_EXIT_THREAD,
		.cpu = i % 5, .seq = i + 10, .lost = 10, .lost_now = 0,
		.stats = { .version = 3, .size = 600, .valid = 7, .cpu_time_ns = 1ULL << 40 | i },
	};

	exit.stats.longest_lock.at_ns = i;
	return exit;
}

static const struct taskrt_exit loss = {
	.type = TASKRT_EXIT_LOST, .seq = 12, .lost = 15, .lost_now = 5,
};

/* A thread, a process, a loss: the bytes of it, into memory of just that size. */
static char *example(size_t *length)
{
	int fd = memfd_create("example", 0);
	struct taskrt_exit exit;
	struct taskrt_file *file;
	uint32_t i;
	char *bytes;

	assert_int_equal(taskrt_file_create(&file, fd), 0);
	for (i = 0; i < 2; i++) {
		exit = thread_exit(i);
		assert_int_equal(taskrt_file_write(file, &exit), 0);
	}
	assert_int_equal(taskrt_file_write(file, &loss), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(taskrt_file_close(file), 0);
	*length = lseek(fd, 0, SEEK_END);
	bytes = malloc(*length);
	assert_int_equal(pread(fd, bytes, *length, 0), *length);
	close(fd);
	return bytes;
}

static int file_of(const void *bytes, size_t length)
{
	int fd = memfd_create("bytes", 0);

	assert_int_equal(write(fd, bytes, length), length);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Open and read to the end.  Return: how that ended; *count records were read. */
static int read_all(const void *bytes, size_t length, unsigned int *count)
{
	struct taskrt_file *file = NULL;
	struct taskrt_exit exit;
	int fd = file_of(bytes, length), got = taskrt_file_open(&file, fd);

	*count = 0;
	while (!got || got == 1) {
		got = taskrt_file_next(file, &exit, sizeof(exit));
		if (got <= 0)
			break;
		++*count;
	}
	if (file && got < 0)
		assert_int_equal(taskrt_file_next(file, &exit, sizeof(exit)), got);
	assert_int_equal(taskrt_file_close(file), 0);
	close(fd);
	return got;
}

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

static void compare(const struct taskrt_exit *a, const struct taskrt_exit *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->seq, b->seq);
	assert_int_equal(a->lost, b->lost);
	assert_int_equal(a->lost_now, b->lost_now);
	assert_memory_equal(&a->stats, &b->stats, sizeof(a->stats));
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

static void cut_off(void **state)
{
	size_t length, cut;
	char *bytes = example(&length);
	unsigned int count;

	(void)state;
	for (cut = 0; cut < length; cut++) {
		bool between = cut == HEAD || cut == HEAD + RECORD || cut == HEAD + 2 * RECORD;

		assert_int_equal(read_all(bytes, cut, &count), between ? 0 : -EBADMSG);
		assert_int_equal(count, cut < HEAD ? 0 : (cut - HEAD) / RECORD);
	}
	assert_int_equal(read_all(bytes, length, &count), 0);
	assert_int_equal(count, 3);
	free(bytes);
}

/* value at offset, then what comes of it */
static void changed(size_t offset, uint32_t value, size_t size, int want, unsigned int records)
{
	size_t length;
	char *bytes = example(&length);
	unsigned int count;

	memcpy(bytes + offset, &value, size);
	assert_int_equal(read_all(bytes, length, &count), want);
	assert_int_equal(count, records);
	free(bytes);
}

static void foreign(void **state)
{
	unsigned int count;

	(void)state;
	assert_int_equal(read_all("#!/bin/sh\necho this is no such file\n", 35, &count), -EBADMSG);
	assert_int_equal(read_all("", 0, &count), -EBADMSG);
	changed(7, '\r', 1, -EBADMSG, 0);
	changed(8, 0x04030201, 4, -EPROTO, 0);
	changed(8, 0x01020403, 4, -EBADMSG, 0);
	changed(12, 2, 2, -EPROTO, 0);
	changed(12, 0, 2, -EBADMSG, 0);
	changed(14, 9, 2, 0, 3);
	changed(16, 31, 4, -EBADMSG, 0);
	changed(16, 0xffffffff, 4, -EBADMSG, 0);
	changed(20, 39, 4, -EBADMSG, 0);
	changed(20, 0xffffffff, 4, -EBADMSG, 0);
}

static void damaged(void **state)
{
	(void)state;
	changed(HEAD, 0, 4, -EBADMSG, 0);
	changed(HEAD, 39, 4, -EBADMSG, 0);
	changed(HEAD, RECORD + 1, 4, -EBADMSG, 0);
	changed(HEAD, 65544, 4, -EBADMSG, 0);
	changed(HEAD, 0xffffffff, 4, -EBADMSG, 0);
	changed(HEAD + RECORD, 65536, 4, -EBADMSG, 1);
	changed(HEAD + RECORD + 12, 601, 4, -EBADMSG, 1);
	changed(HEAD + RECORD + 12, RECORD, 4, -EBADMSG, 1);
	changed(HEAD + RECORD + 12, 0xffffffff, 4, -EBADMSG, 1);
	changed(HEAD + RECORD + 12, 599, 4, -EBADMSG, 1);
	changed(HEAD + RECORD + 40, 0, 4, -EBADMSG, 1);
	/* of a kind that came later */
	changed(HEAD + RECORD + 4, 3, 4, 0, 2);
}

/* A later release: longer heads, longer statistics, and more behind them. */
static void newer(void **state)
{
	static char bytes[48 + 800 + 56];
	struct taskrt_exit exit = thread_exit(4), got;
	const uint32_t head[] = { 48, 56 }, record[] = { 800, 0, 4, 700 };
	const uint32_t lost[] = { 56, 2, 0, 0 };
	struct taskrt_file *file;
	size_t length;
	char *old = example(&length);
	int fd;

	(void)state;
	memset(bytes, 0xaa, sizeof(bytes));
	memcpy(bytes, old, 32);
	memcpy(bytes + 16, head, 8);
	memcpy(bytes + 48, record, 16);
	memcpy(bytes + 48 + 16, &exit.seq, 24);
	exit.stats.version = 4;
	exit.stats.size = 700;
	memcpy(bytes + 48 + 56, &exit.stats, 600);
	memcpy(bytes + 848, lost, 16);
	memcpy(bytes + 848 + 16, &loss.seq, 24);
	fd = file_of(bytes, sizeof(bytes));
	assert_int_equal(taskrt_file_open(&file, fd), 0);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 1);
	exit.stats.version = 3;
	exit.stats.size = 600;
	compare(&got, &exit);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 1);
	compare(&got, &loss);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 0);
	taskrt_file_close(file);
	close(fd);
	free(old);
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
		cmocka_unit_test(cut_off),
		cmocka_unit_test(foreign),
		cmocka_unit_test(damaged),
		cmocka_unit_test(newer),
		cmocka_unit_test(other_sizes),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(no_room),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
