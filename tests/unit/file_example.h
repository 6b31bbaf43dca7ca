/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of exit records in memory, and how it reads. */
#ifndef TASKRT_FILE_EXAMPLE_H
#define TASKRT_FILE_EXAMPLE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "taskrt.h"

#define HEAD	32	/* of the file */
#define RECORD	640	/* of a thread or process */
#define LOST	40	/* of a loss */

static inline struct taskrt_exit thread_exit(uint32_t i)
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
	assert_memory_equal(&a->stats, &b->stats, sizeof(a->stats));
}

#endif /* TASKRT_FILE_EXAMPLE_H */
