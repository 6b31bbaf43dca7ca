/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of exit records in memory, and how the library reads it. */
#ifndef TASKRT_FILE_EXAMPLE_H
#define TASKRT_FILE_EXAMPLE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "taskrt.h"

#define HEAD	64	/* of the file */
#define RECORD	704	/* of a thread or process with its times */
#define LOST	48	/* of a loss */

static inline struct taskrt_exit thread_exit(uint32_t i)
{
	struct taskrt_exit exit = {
		.type = i & 1 ? TASKRT_EXIT_PROCESS : TASKRT_EXIT_THREAD,
		.cpu = i % 5, .seq = i + 10, .lost = 10, .lost_now = 0,
		.reading = {
			.groups = TASKRT_GROUP_TIMES,
			.stats = { .version = 3, .size = 256, .valid = 7,
				   .cpu_time_ns = 1ULL << 40 | i, .reserved = { [7] = i } },
			.times = { .states_ns = { i + 1 }, .locks_ns = { [7] = i + 2 } },
		},
	};

	return exit;
}

static const struct taskrt_exit loss = {
	.type = TASKRT_EXIT_LOST, .seq = 12, .lost = 15, .lost_now = 5,
};

/* A thread, a process, a loss: the bytes of the file, in memory of exactly that size. */
static inline char *example(size_t *length)
{
	int fd = memfd_create("example", 0);
	struct taskrt_exit exit;
	struct taskrt_file *file;
	uint32_t i;
	char *bytes;

	assert_int_equal(taskrt_file_create(&file, fd), 0);
	for (i = 0; i < 2; i++) {
		exit = thread_exit(i);
		assert_int_equal(taskrt_file_write(file, &exit, sizeof(exit)), 0);
	}
	assert_int_equal(taskrt_file_write(file, &loss, sizeof(loss)), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(taskrt_file_close(file), 0);
	*length = lseek(fd, 0, SEEK_END);
	bytes = malloc(*length);
	assert_int_equal(pread(fd, bytes, *length, 0), *length);
	close(fd);
	return bytes;
}

static inline int file_of(const void *bytes, size_t length)
{
	int fd = memfd_create("bytes", 0);

	assert_int_equal(write(fd, bytes, length), length);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Open and read to the end.  Return: how that ended; *count records were read. */
static inline int read_all(const void *bytes, size_t length, unsigned int *count)
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

static inline void compare(const struct taskrt_exit *a, const struct taskrt_exit *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->seq, b->seq);
	assert_int_equal(a->lost, b->lost);
	assert_int_equal(a->lost_now, b->lost_now);
	assert_memory_equal(&a->reading, &b->reading, sizeof(a->reading));
}

/* CRC-32 of IEEE 802.3, one bit after the other. */
static inline uint32_t crc32_of(const char *bytes, size_t length)
{
	uint32_t crc = 0xffffffff;
	int bit;

	while (length--) {
		crc ^= (unsigned char)*bytes++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

/* Give the record at bytes, whose size is right, the checksum of what it says. */
static inline void seal(char *bytes)
{
	uint32_t size, crc = 0;

	memcpy(&size, bytes, sizeof(size));
	memcpy(bytes + 8, &crc, sizeof(crc));
	crc = crc32_of(bytes, size);
	memcpy(bytes + 8, &crc, sizeof(crc));
}

#endif /* TASKRT_FILE_EXAMPLE_H */
