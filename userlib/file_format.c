// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Between struct taskrt_exit and bytes of a file.  What is read may be damaged,
 * cut off, or of another release: nothing is believed that was not checked.
 */
#include <byteswap.h>
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "exits.h"
#include "file_format.h"

#define ALIGN8(size)	(((size) + 7) & ~7U)

void taskrt_file_put_header(struct taskrt_file_header *header)
{
	*header = (struct taskrt_file_header){
		.order = TASKRT_FILE_ORDER,
		.major = TASKRT_FILE_MAJOR,
		.minor = TASKRT_FILE_MINOR,
		.size = sizeof(*header),
		.record_head = sizeof(struct taskrt_file_record),
	};
	memcpy(header->magic, TASKRT_FILE_MAGIC, sizeof(header->magic));
}

int taskrt_file_check_header(const struct taskrt_file_header *header)
{
	if (memcmp(header->magic, TASKRT_FILE_MAGIC, sizeof(header->magic)))
		return -EBADMSG;
	if (header->order == bswap_32(TASKRT_FILE_ORDER))
		return -EPROTO;
	if (header->order != TASKRT_FILE_ORDER || !header->major)
		return -EBADMSG;
	if (header->major > TASKRT_FILE_MAJOR)
		return -EPROTO;
	if (header->size < sizeof(*header) || header->size > TASKRT_FILE_RECORD_MAX ||
	    header->record_head < sizeof(struct taskrt_file_record) ||
	    header->record_head > TASKRT_FILE_RECORD_MAX)
		return -EBADMSG;
	return 0;
}

/* How many bytes of exit->stats there are; -EINVAL: it cannot be. */
static int stats_size(const struct taskrt_exit *exit)
{
	switch (exit->type) {
	case TASKRT_EXIT_THREAD:
	case TASKRT_EXIT_PROCESS:
		if (!exit->stats.version || exit->stats.size < TASKRT_STATS_SIZE_V1 ||
		    exit->stats.size > sizeof(exit->stats))
			return -EINVAL;
		return exit->stats.size;
	case TASKRT_EXIT_LOST:
		return 0;
	default:
		return -EINVAL;
	}
}

int taskrt_file_put_record(const struct taskrt_exit *exit, char *to)
{
	struct taskrt_file_record record = { 0 };
	int stats = stats_size(exit);

	if (stats < 0)
		return stats;
	record.size = ALIGN8(sizeof(record) + stats);
	record.type = exit->type;
	record.cpu = exit->cpu;
	record.stats_size = stats;
	record.seq = exit->seq;
	record.lost = exit->lost;
	record.lost_now = exit->lost_now;
	memset(to, 0, record.size);
	memcpy(to, &record, sizeof(record));
	memcpy(to + sizeof(record), &exit->stats, stats);
	return record.size;
}

int taskrt_file_check_size(uint32_t size, uint32_t record_head)
{
	return size < record_head || size > TASKRT_FILE_RECORD_MAX || size % 8 ? -EBADMSG : 0;
}

int taskrt_file_get_record(const char *bytes, uint32_t record_head,
			   struct taskrt_exit *exit, size_t size)
{
	struct taskrt_file_record record;

	memcpy(&record, bytes, sizeof(record));
	if (record.stats_size > record.size - record_head)
		return -EBADMSG;
	if (record.type > TASKRT_EXIT_LOST)
		return 0;
	memset(exit, 0, size);
	if (record.type != TASKRT_EXIT_LOST &&
	    taskrt_decode(bytes + record_head, record.stats_size, &exit->stats,
			  size - offsetof(struct taskrt_exit, stats)))
		return -EBADMSG;
	exit->type = record.type;
	exit->cpu = record.cpu;
	exit->seq = record.seq;
	exit->lost = record.lost;
	exit->lost_now = record.lost_now;
	return 1;
}
