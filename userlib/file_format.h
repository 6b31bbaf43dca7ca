/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes of a file of exit records; taskrt_file(3) is their description.
 * Numbers are in the byte order of the machine that wrote it.
 */
#ifndef TASKRT_FILE_FORMAT_H
#define TASKRT_FILE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

struct taskrt_exit;

/* The first byte is no text, the last shows a transfer that changes line ends. */
#define TASKRT_FILE_MAGIC	"\211taskrt\n"
#define TASKRT_FILE_ORDER	0x01020304U
#define TASKRT_FILE_MAJOR	1
#define TASKRT_FILE_MINOR	0
/* No record is longer, of any version. */
#define TASKRT_FILE_RECORD_MAX	65536U

struct taskrt_file_header {
	char magic[8];
	uint32_t order;
	uint16_t major;
	uint16_t minor;
	uint32_t size;		/* of this header: where the first record begins */
	uint32_t record_head;	/* of a record's head: where its statistics begin */
	uint32_t reserved[2];
};

struct taskrt_file_record {
	uint32_t size;		/* of the record, with this; a multiple of 8 */
	uint32_t type;		/* enum taskrt_exit_type */
	uint32_t cpu;
	uint32_t stats_size;	/* 0: there are none */
	uint64_t seq;
	uint64_t lost;
	uint64_t lost_now;
	/* then the statistics, and zeroes to a multiple of 8 */
};

_Static_assert(sizeof(struct taskrt_file_header) == 32, "the header has moved");
_Static_assert(sizeof(struct taskrt_file_record) == 40, "the record has moved");

void taskrt_file_put_header(struct taskrt_file_header *header);

/* Return: 0, -EBADMSG, -EPROTO. */
int taskrt_file_check_header(const struct taskrt_file_header *header);

/*
 * The record of exit, into room for TASKRT_FILE_RECORD_MAX.
 * Return: its size; -EINVAL: it is not one.
 */
int taskrt_file_put_record(const struct taskrt_exit *exit, char *to);

/*
 * The exit of a record that is wholly there: record_head of the header, bytes
 * and size of the record's first field, checked as below.
 * Return: 1; 0: of a kind that this library does not know; -EBADMSG.
 */
int taskrt_file_get_record(const char *bytes, uint32_t record_head,
			   struct taskrt_exit *exit, size_t size);

/* May a record be of this size?  Return: 0, -EBADMSG. */
int taskrt_file_check_size(uint32_t size, uint32_t record_head);

#endif /* TASKRT_FILE_FORMAT_H */
