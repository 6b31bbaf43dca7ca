// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Conversion between struct taskrt_exit and the bytes of a file.  The bytes may be
 * damaged, cut off or of another release, so nothing is used before it was checked.
 */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "file/crc32.h"
#include "file/file_format.h"
#include "reading.h"

#define ALIGN8(size)	(((size) + 7) & ~(size_t)7)

static uint64_t now(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return at.tv_sec * 1000000000ULL + at.tv_nsec;
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The text has dashes between groups of digits, which are skipped. */
static void read_boot_id(uint8_t id[16])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	int n = 0, i;
	char text[40];
	ssize_t length;

	if (fd < 0)
		return;
	length = read(fd, text, sizeof(text));
	close(fd);
	for (i = 0; i < length && n < 32; i++)
		if (hex(text[i]) >= 0) {
			id[n / 2] = id[n / 2] << 4 | hex(text[i]);
			n++;
		}
}

void taskrt_file_put_header(struct taskrt_file_header *header)
{
	*header = (struct taskrt_file_header){
		.order = TASKRT_FILE_ORDER,
		.major = TASKRT_FILE_MAJOR,
		.minor = TASKRT_FILE_MINOR,
		.size = sizeof(*header),
		.record_head = sizeof(struct taskrt_file_record),
		.realtime_ns = now(CLOCK_REALTIME),
		.monotonic_ns = now(CLOCK_MONOTONIC),
	};
	memcpy(header->magic, TASKRT_FILE_MAGIC, sizeof(header->magic));
	read_boot_id(header->boot_id);
}

int taskrt_file_check_header(const struct taskrt_file_header *header)
{
	if (memcmp(header->magic, TASKRT_FILE_MAGIC, sizeof(header->magic)))
		return -EBADMSG;
	if (header->order == bswap_32(TASKRT_FILE_ORDER))
		return -EPROTO;
	if (header->order != TASKRT_FILE_ORDER || header->major < TASKRT_FILE_MAJOR)
		return -EBADMSG;
	if (header->major > TASKRT_FILE_MAJOR)
		return -EPROTO;
	if (header->size < sizeof(*header) || header->size > TASKRT_FILE_RECORD_MAX ||
	    header->record_head < sizeof(struct taskrt_file_record) ||
	    header->record_head > TASKRT_FILE_RECORD_MAX || header->record_head % 8)
		return -EBADMSG;
	return 0;
}

static char *put_item(char *to, uint32_t type, const void *data, size_t length)
{
	const struct taskrt_file_item item = { .type = type, .length = length };

	memcpy(to, &item, sizeof(item));
	to += sizeof(item);
	memcpy(to, data, length);
	memset(to + length, 0, ALIGN8(length) - length);
	return to + ALIGN8(length);
}

/* The length of the known counts, and of unknown ones behind them that are not 0. */
static size_t counts_length(const struct taskrt_reading *reading)
{
	const size_t word = sizeof(reading->counts_room[0]);
	size_t words = sizeof(reading->counts_room) / word;

	while (words > sizeof(reading->counts) / word && !reading->counts_room[words - 1])
		words--;
	return words * word;
}

static char *put_groups(char *to, const struct taskrt_reading *reading)
{
	if (reading->groups & TASKRT_GROUP_TIMES)
		to = put_item(to, TASKRT_AGGR_A_TIMES, &reading->times, sizeof(reading->times));
	if (reading->groups & TASKRT_GROUP_COUNTS)
		to = put_item(to, TASKRT_AGGR_A_COUNTS, reading->counts_room,
			      counts_length(reading));
	if (reading->groups & TASKRT_GROUP_LONGEST)
		to = put_item(to, TASKRT_AGGR_A_LONGEST, &reading->longests,
			      sizeof(reading->longests));
	return to;
}

/* Return: the end of the items; NULL: the statistics could not be read back. */
static char *put_reading(char *to, const struct taskrt_exit *exit)
{
	const struct taskrt_reading *reading = &exit->reading;
	struct taskrt_reading checked;

	if (taskrt_decode(reading->stats_room, sizeof(reading->stats_room), &checked.stats,
			  sizeof(checked.stats_room)))
		return NULL;
	to = put_item(to, TASKRT_AGGR_A_CPU, &exit->cpu, sizeof(exit->cpu));
	to = put_item(to, TASKRT_AGGR_A_STATS, checked.stats_room, checked.stats.size);
	return put_groups(to, reading);
}

int taskrt_file_put_record(const struct taskrt_exit *exit, char *to)
{
	struct taskrt_file_record record = {
		.type = exit->type, .seq = exit->seq, .lost = exit->lost,
	};
	char *end = to + sizeof(record);

	switch (exit->type) {
	case TASKRT_EXIT_THREAD:
	case TASKRT_EXIT_PROCESS:
		end = put_reading(end, exit);
		break;
	case TASKRT_EXIT_LOST:
		end = put_item(end, TASKRT_FILE_ITEM_LOST_NOW, &exit->lost_now,
			       sizeof(exit->lost_now));
		break;
	default:
		end = NULL;
	}
	if (!end)
		return -EINVAL;
	record.size = end - to;
	memcpy(to, &record, sizeof(record));
	record.crc = taskrt_crc32(0, to, record.size);
	memcpy(to, &record, sizeof(record));
	return record.size;
}

int taskrt_file_check_size(uint32_t size, uint32_t record_head)
{
	return size < record_head || size > TASKRT_FILE_RECORD_MAX || size % 8 ? -EBADMSG : 0;
}

static bool is_intact(const struct taskrt_file_record *record, const char *bytes)
{
	struct taskrt_file_record blank = *record;
	uint32_t crc;

	blank.crc = 0;
	crc = taskrt_crc32(0, &blank, sizeof(blank));
	crc = taskrt_crc32(crc, bytes + sizeof(blank), record->size - sizeof(blank));
	return crc == record->crc;
}

static int take_item(struct taskrt_exit *exit, const struct taskrt_file_item *item,
		     const char *data, bool *lost)
{
	switch (item->type) {
	case TASKRT_AGGR_A_CPU:
		if (item->length != sizeof(exit->cpu))
			return -EBADMSG;
		memcpy(&exit->cpu, data, sizeof(exit->cpu));
		return 0;
	case TASKRT_FILE_ITEM_LOST_NOW:
		if (item->length != sizeof(exit->lost_now))
			return -EBADMSG;
		memcpy(&exit->lost_now, data, sizeof(exit->lost_now));
		*lost = true;
		return 0;
	default:
		return taskrt_reading_take(&exit->reading, item->type, data, item->length);
	}
}

/* @at and @end are multiples of 8.  *lost is set if LOST_NOW is among the items. */
static int take_items(struct taskrt_exit *exit, const char *at, const char *end, bool *lost)
{
	struct taskrt_file_item item;
	int err;

	while (at < end) {
		memcpy(&item, at, sizeof(item));
		at += sizeof(item);
		if (item.length > (size_t)(end - at))
			return -EBADMSG;
		err = take_item(exit, &item, at, lost);
		if (err)
			return err;
		at += ALIGN8(item.length);
	}
	return 0;
}

int taskrt_file_get_record(const char *bytes, uint32_t record_head, struct taskrt_exit *exit)
{
	struct taskrt_file_record record;
	bool lost = false;

	memcpy(&record, bytes, sizeof(record));
	if (!is_intact(&record, bytes))
		return -EBADMSG;
	if (record.type > TASKRT_EXIT_LOST)
		return record.type < TASKRT_FILE_SKIPPABLE ? -EBADMSG : 0;
	memset(exit, 0, sizeof(*exit));
	if (take_items(exit, bytes + record_head, bytes + record.size, &lost) ||
	    (record.type == TASKRT_EXIT_LOST ? !lost : taskrt_reading_complete(&exit->reading)))
		return -EBADMSG;
	exit->type = record.type;
	exit->seq = record.seq;
	exit->lost = record.lost;
	return 1;
}
