// SPDX-License-Identifier: GPL-2.0-only
/* Files of exit records that are cut off, damaged, foreign, or newer than the library. */
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

/*
 * Writes value at offset, and checks the result.  sealed: the record there gets the right
 * checksum.
 */
static void change(size_t offset, uint32_t value, size_t size, bool sealed, int want,
		   unsigned int records)
{
	size_t length;
	char *bytes = example(&length);
	unsigned int count;

	memcpy(bytes + offset, &value, size);
	if (sealed)
		seal(bytes + HEAD + (offset - HEAD) / RECORD * RECORD);
	assert_int_equal(read_all(bytes, length, &count), want);
	assert_int_equal(count, records);
	free(bytes);
}

static void changed(size_t offset, uint32_t value, size_t size, int want, unsigned int records)
{
	change(offset, value, size, false, want, records);
}

static void sealed(size_t offset, uint32_t value, size_t size, int want, unsigned int records)
{
	change(offset, value, size, true, want, records);
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
	changed(12, 3, 2, -EPROTO, 0);
	/* of the development releases, and of none */
	changed(12, 1, 2, -EBADMSG, 0);
	changed(12, 0, 2, -EBADMSG, 0);
	changed(14, 9, 2, 0, 3);
	changed(16, 63, 4, -EBADMSG, 0);
	changed(16, 0xffffffff, 4, -EBADMSG, 0);
	changed(20, 31, 4, -EBADMSG, 0);
	changed(20, 33, 4, -EBADMSG, 0);
	changed(20, 0xffffffff, 4, -EBADMSG, 0);
	/* any instant, boot id and reserved word are accepted */
	changed(24, 5, 4, 0, 3);
	changed(40, 5, 4, 0, 3);
	changed(56, 5, 4, 0, 3);
}

static void damaged(void **state)
{
	const size_t second = HEAD + RECORD;

	(void)state;
	changed(HEAD, 0, 4, -EBADMSG, 0);
	changed(HEAD, 31, 4, -EBADMSG, 0);
	changed(HEAD, RECORD + 1, 4, -EBADMSG, 0);
	changed(HEAD, 65544, 4, -EBADMSG, 0);
	changed(HEAD, 0xffffffff, 4, -EBADMSG, 0);
	changed(second, 65536, 4, -EBADMSG, 1);
	/* items that end behind the record, of a wrong length, or no statistics at all */
	sealed(second + 36, 700, 4, -EBADMSG, 1);
	sealed(second + 36, 0xffffffff, 4, -EBADMSG, 1);
	sealed(second + 36, 0xfffffff8, 4, -EBADMSG, 1);
	sealed(second + 36, 5, 4, -EBADMSG, 1);
	sealed(second + 316, 392, 4, -EBADMSG, 1);
	sealed(second + 52, 0, 4, -EBADMSG, 1);
	sealed(second + 48, 99, 4, -EBADMSG, 1);
	sealed(second + 60, 600, 4, -EBADMSG, 1);
	sealed(second + 56, 0, 4, -EBADMSG, 1);
	/* a loss without its number */
	sealed(second + RECORD + 32, 99, 4, -EBADMSG, 2);
	sealed(second + RECORD + 36, 4, 4, -EBADMSG, 2);
}

/* Every single byte of a record is looked at. */
static void checksum(void **state)
{
	size_t length, at;
	char *bytes = example(&length);
	unsigned int count;

	(void)state;
	for (at = HEAD + RECORD; at < HEAD + 2 * RECORD; at++) {
		bytes[at] ^= 0x10;
		assert_int_equal(read_all(bytes, length, &count), -EBADMSG);
		assert_int_equal(count, 1);
		bytes[at] ^= 0x10;
	}
	free(bytes);
	/* a checksum of 0 is not accepted */
	changed(HEAD + RECORD + 8, 0, 4, -EBADMSG, 1);
}

/* Types, items, flags and reserved words that came later. */
static void later(void **state)
{
	const size_t second = HEAD + RECORD;

	(void)state;
	sealed(second + 4, 3, 2, -EBADMSG, 1);
	sealed(second + 4, 0x7fff, 2, -EBADMSG, 1);
	sealed(second + 4, 0x8000, 2, 0, 2);
	sealed(second + 4, 0xffff, 2, 0, 2);
	sealed(second + 6, 0xffff, 2, 0, 3);
	sealed(second + 12, 5, 4, 0, 3);
	/* CPU, TIMES: under another name they are not known */
	sealed(second + 32, 99, 4, 0, 3);
	sealed(second + 32, 0x10001, 4, 0, 3);
	sealed(second + 312, 0xffffffff, 4, 0, 3);
	/* but what may be skipped has to be intact, too */
	changed(second + 4, 0x8000, 2, -EBADMSG, 1);
}

static char *put_item(char *to, uint32_t type, const void *data, uint32_t length, uint32_t room)
{
	memcpy(to, &type, 4);
	memcpy(to + 4, &length, 4);
	memcpy(to + 8, data, length);
	return to + 8 + room;
}

static char *put_record(char *to, uint16_t type, const struct taskrt_exit *exit, char *end)
{
	const uint32_t size = end - to;

	memset(to, 0xaa, 48);
	memcpy(to, &size, 4);
	memcpy(to + 4, &type, 2);
	memcpy(to + 16, &exit->seq, 16);
	seal(to);
	return end;
}

/* A later release: longer heads, groups and statistics, and unknown items among them. */
static void newer(void **state)
{
	static char bytes[8192];
	static uint64_t payload[200];
	struct taskrt_exit exit = thread_exit(4), got;
	const uint32_t head[] = { 80, 48 };
	struct taskrt_file *file;
	size_t length;
	char *old = example(&length), *at = bytes + 80, *to = at + 48;
	int fd, i;

	(void)state;
	for (i = 0; i < 200; i++)
		payload[i] = i + 1;
	memset(bytes, 0xaa, sizeof(bytes));
	memcpy(bytes, old, 64);
	memcpy(bytes + 16, head, 8);
	to = put_item(to, 1234, payload, 13, 16);
	to = put_item(to, TASKRT_AGGR_A_CPU, &exit.cpu, 4, 8);
	to = put_item(to, TASKRT_AGGR_A_COUNTS, payload, 1000, 1000);
	exit.reading.stats.version = 4;
	exit.reading.stats.size = 320;
	exit.reading.stats_room[39] = 77;
	to = put_item(to, TASKRT_AGGR_A_STATS, exit.reading.stats_room, 320, 320);
	to = put_item(to, 0x20000, payload, 0, 0);
	at = put_record(at, TASKRT_EXIT_THREAD, &exit, to);
	at = put_record(at, 0x8123, &exit, put_item(at + 48, TASKRT_AGGR_A_STATS, payload, 8, 8));
	to = put_item(at + 48, 7777, payload, 8, 8);
	at = put_record(at, TASKRT_EXIT_LOST, &loss,
			put_item(to, 0x10000, &loss.lost_now, 8, 8));

	fd = file_of(bytes, at - bytes);
	assert_int_equal(taskrt_file_open(&file, fd), 0);
	assert_int_equal(taskrt_file_next(file, &got, sizeof(got)), 1);
	exit.reading.groups = TASKRT_GROUP_COUNTS;
	memset(&exit.reading.times, 0, sizeof(exit.reading.times));
	memcpy(exit.reading.counts_room, payload, sizeof(exit.reading.counts_room));
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
		cmocka_unit_test(checksum),
		cmocka_unit_test(later),
		cmocka_unit_test(newer),
	};

	return cmocka_run_group_tests_name("file_damage", tests, NULL, NULL);
}
