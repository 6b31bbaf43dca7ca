/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes of a file of exit records; taskrt_file(3) is their description.
 * Numbers are in the byte order of the machine that wrote it.
 *
 * A header, then records.  A record is a head and items; an item is its type, its
 * length, so many bytes, and zeroes to a multiple of 8.  The type of an item below
 * 0x10000 is an attribute of the wire, TASKRT_AGGR_A_*, and its bytes are that
 * attribute's payload: whatever is a group there is one here.  A record of a thread or a
 * process has STATS, CPU, and the groups that were told.  A record of a loss has
 * LOST_NOW.  Items of another type are skipped, of any record.
 *
 * A reader that does not know a record's type skips it if that is 0x8000 or above, and
 * else cannot go on.  Flags and reserved words are written as 0 and ignored when
 * read.  The major version changes if older readers could not make sense of the rest.
 */
#ifndef TASKRT_FILE_FORMAT_H
#define TASKRT_FILE_FORMAT_H

#include <stdint.h>

struct taskrt_exit;

/* The first byte is no text, the last shows a transfer that changes line ends. */
#define TASKRT_FILE_MAGIC	"\211taskrt\n"
#define TASKRT_FILE_ORDER	0x01020304U
/* Version 1, of the development releases, had statistics instead of items. */
#define TASKRT_FILE_MAJOR	2
#define TASKRT_FILE_MINOR	0
/* No record is longer, of any version, and no header. */
#define TASKRT_FILE_RECORD_MAX	65536U
/* Types of records from here on may be skipped. */
#define TASKRT_FILE_SKIPPABLE	0x8000U

struct taskrt_file_header {
	char magic[8];
	uint32_t order;
	uint16_t major;
	uint16_t minor;
	uint32_t size;		/* of this header: where the first record begins */
	uint32_t record_head;	/* of a record's head: where its items begin */
	/* The same instant on two clocks, when the file was begun: from the one to the other. */
	uint64_t realtime_ns;	/* CLOCK_REALTIME */
	uint64_t monotonic_ns;	/* CLOCK_MONOTONIC, as in the records */
	uint8_t boot_id[16];	/* in which the records were made; 0: not known */
	uint64_t reserved;
};

struct taskrt_file_record {
	uint32_t size;		/* of the record, with this and its items; a multiple of 8 */
	uint16_t type;		/* enum taskrt_exit_type, or TASKRT_FILE_SKIPPABLE and above */
	uint16_t flags;
	uint32_t crc;		/* CRC-32 (IEEE 802.3) of size bytes, of which these four are 0 */
	uint32_t reserved;
	uint64_t seq;
	uint64_t lost;
	/* then items */
};

struct taskrt_file_item {
	uint32_t type;
	uint32_t length;	/* without this, and without the zeroes behind it */
	/* then so many bytes, and zeroes to a multiple of 8 */
};

/* Items that are not on the wire, where no attribute has so high a number. */
#define TASKRT_FILE_ITEM_LOST_NOW	0x10000U	/* u64 */

_Static_assert(sizeof(struct taskrt_file_header) == 64, "the header has moved");
_Static_assert(sizeof(struct taskrt_file_record) == 32, "the record has moved");
_Static_assert(sizeof(struct taskrt_file_item) == 8, "the item has moved");

/* Of a file that begins now. */
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
 * Return: 1; 0: of a type to be skipped; -EBADMSG.
 */
int taskrt_file_get_record(const char *bytes, uint32_t record_head, struct taskrt_exit *exit);

/* May a record be of this size?  Return: 0, -EBADMSG. */
int taskrt_file_check_size(uint32_t size, uint32_t record_head);

#endif /* TASKRT_FILE_FORMAT_H */
