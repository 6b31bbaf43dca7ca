/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes of a file of exit records, which taskrt_file(3) describes.  Numbers are in
 * the byte order of the machine that wrote the file.
 *
 * A header is followed by records, and the head of a record by items.  An item has a
 * type, a length, that many bytes, and zeroes up to a multiple of 8.  A type below
 * 0x10000 is the number of a netlink attribute, TASKRT_AGGR_A_*, and the bytes are its
 * payload, so every group of a message can be in a file without a format of its own.
 * The record of a thread or a process has STATS, CPU and the groups that were received.
 * The record of a loss has LOST_NOW. A reader skips items of unknown types.
 *
 * A reader skips a record of an unknown type if the type is 0x8000 or above, and must
 * stop otherwise.  Flags and reserved words are written as 0 and ignored when read.  The
 * major version changes if older readers could not interpret the rest.
 */
#ifndef TASKRT_FILE_FORMAT_H
#define TASKRT_FILE_FORMAT_H

#include <stdint.h>

struct taskrt_exit;

/* The first byte is not text, and the last one shows a transfer that changed line ends. */
#define TASKRT_FILE_MAGIC	"\211taskrt\n"
#define TASKRT_FILE_ORDER	0x01020304U
/* Version 1, of the development releases, had statistics in place of items. */
#define TASKRT_FILE_MAJOR	2
#define TASKRT_FILE_MINOR	0
/* The maximum size of a record of any version, and of a header. */
#define TASKRT_FILE_RECORD_MAX	65536U
/* Readers skip records of unknown types from this number on. */
#define TASKRT_FILE_SKIPPABLE	0x8000U

struct taskrt_file_header {
	char magic[8];
	uint32_t order;
	uint16_t major;
	uint16_t minor;
	uint32_t size;		/* of this header: the offset of the first record */
	uint32_t record_head;	/* of a record's head: the offset of its items */
	/* The time at which the file was started, on two clocks, so that times can be converted. */
	uint64_t realtime_ns;	/* CLOCK_REALTIME */
	uint64_t monotonic_ns;	/* CLOCK_MONOTONIC, as in the records */
	uint8_t boot_id[16];	/* of the boot the records are from; 0: unknown */
	uint64_t reserved;
};

struct taskrt_file_record {
	uint32_t size;		/* of the record with its head and items; a multiple of 8 */
	uint16_t type;		/* enum taskrt_exit_type, or TASKRT_FILE_SKIPPABLE and above */
	uint16_t flags;
	uint32_t crc;		/* CRC-32 (IEEE 802.3) of the record with these four bytes 0 */
	uint32_t reserved;
	uint64_t seq;
	uint64_t lost;
	/* items follow */
};

struct taskrt_file_item {
	uint32_t type;
	uint32_t length;	/* of the data, without this head and the padding */
	/* data and padding with zeroes to a multiple of 8 follow */
};

/* Types that are not attributes.  They are above all numbers that an attribute can have. */
#define TASKRT_FILE_ITEM_LOST_NOW	0x10000U	/* u64 */

_Static_assert(sizeof(struct taskrt_file_header) == 64, "the header has moved");
_Static_assert(sizeof(struct taskrt_file_record) == 32, "the record has moved");
_Static_assert(sizeof(struct taskrt_file_item) == 8, "the item has moved");

/* Fill the header of a file that starts now. */
void taskrt_file_put_header(struct taskrt_file_header *header);

/* Return: 0, -EBADMSG, -EPROTO. */
int taskrt_file_check_header(const struct taskrt_file_header *header);

/*
 * Write the record of @exit to @to, which has room for TASKRT_FILE_RECORD_MAX bytes.
 * Return: its size; -EINVAL: it is not a valid record.
 */
int taskrt_file_put_record(const struct taskrt_exit *exit, char *to);

/*
 * Read the record at @bytes, which must be complete.  @record_head is the header's, and the size,
 * which is the record's first field, must have been checked with taskrt_file_check_size().
 * Return: 1; 0: records of this type are skipped; -EBADMSG.
 */
int taskrt_file_get_record(const char *bytes, uint32_t record_head, struct taskrt_exit *exit);

/* Check the size of a record.  Return: 0, -EBADMSG. */
int taskrt_file_check_size(uint32_t size, uint32_t record_head);

#endif /* TASKRT_FILE_FORMAT_H */
