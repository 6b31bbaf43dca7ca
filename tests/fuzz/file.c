// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer: a file of exit records.  Their checksums are corrected first, because the
 * reader would reject everything else.  What was read is written, and read again as the
 * same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "taskrt.h"
#include "file/crc32.h"
#include "file/file_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static int rewound(int fd)
{
	if (lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

/* Corrects the checksum of every record that is whole, unless its flags say not to. */
static void seal(uint8_t *data, size_t length)
{
	struct taskrt_file_header header;
	struct taskrt_file_record record;
	size_t at;

	if (length < sizeof(header))
		return;
	memcpy(&header, data, sizeof(header));
	for (at = header.size; at < length && length - at >= sizeof(record); at += record.size) {
		memcpy(&record, data + at, sizeof(record));
		if (record.size < sizeof(record) || record.size > length - at)
			return;
		if (record.flags & 1)
			continue;
		record.crc = 0;
		memcpy(data + at, &record, sizeof(record));
		record.crc = taskrt_crc32(0, data + at, record.size);
		memcpy(data + at, &record, sizeof(record));
	}
}

static void write_sealed(int fd, const uint8_t *data, size_t length)
{
	uint8_t *copy = malloc(length + 1);

	memcpy(copy, data, length);
	seal(copy, length);
	if (write(fd, copy, length) != (ssize_t)length)
		abort();
	free(copy);
}

/* The records of one file into another.  Return: how many. */
static size_t copy(struct taskrt_file *from, struct taskrt_file *to)
{
	struct taskrt_exit exit;
	size_t records = 0;
	int found;

	while ((found = taskrt_file_next(from, &exit, sizeof(exit))) == 1) {
		records++;
		if (exit.type > TASKRT_EXIT_LOST || taskrt_file_write(to, &exit, sizeof(exit)))
			abort();
	}
	if (found && found != -EBADMSG)
		abort();
	return records;
}

static void check_copy(int fd, size_t records)
{
	struct taskrt_file *file;
	struct taskrt_exit exit;

	if (taskrt_file_open(&file, rewound(fd)))
		abort();
	while (records--)
		if (taskrt_file_next(file, &exit, sizeof(exit)) != 1)
			abort();
	if (taskrt_file_next(file, &exit, sizeof(exit)) || taskrt_file_close(file))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	int in = memfd_create("in", 0), out = memfd_create("out", 0);
	struct taskrt_file *from, *to;
	size_t records;

	if (in < 0 || out < 0)
		abort();
	write_sealed(in, data, length);
	if (!taskrt_file_open(&from, rewound(in))) {
		if (taskrt_file_create(&to, out))
			abort();
		records = copy(from, to);
		if (taskrt_file_close(from) || taskrt_file_close(to))
			abort();
		check_copy(out, records);
	}
	close(in);
	close(out);
	return 0;
}
