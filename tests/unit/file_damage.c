// SPDX-License-Identifier: GPL-2.0-only
/* Files of exit records that are cut off, damaged, foreign, or newer than we are. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "file_example.h"

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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_off),
		cmocka_unit_test(foreign),
		cmocka_unit_test(damaged),
		cmocka_unit_test(newer),
	};

	return cmocka_run_group_tests_name("file_damage", tests, NULL, NULL);
}
