// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A STATS payload comes from any kernel: its version may be older or newer than the version of this
 * library, or it may be damaged.  The caller's structure may be shorter or longer than ours,
 * because its program was built at another time.  So everything is checked before it is used, no
 * more is copied than there is room for, and a field that is missing is never marked as valid.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

#define VALID_V1	(TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME)
#define VALID_V2	(VALID_V1 | TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME)
#define VALID_V3	(VALID_V2 | TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY |	\
			 TASKRT_VALID_STATE | TASKRT_VALID_THREADS |			\
			 TASKRT_VALID_CPU | TASKRT_VALID_CGROUP)

_Static_assert(sizeof(struct taskrt_stats) == TASKRT_STATS_SIZE_V3,
	       "struct taskrt_stats has grown without a version");

/* The first sixteen bytes, which no version will change. */
struct head {
	uint32_t version;
	uint32_t size;
	uint64_t valid;
};

/* Check that the payload has all that its version and size promise.  Return: 0, -EBADMSG. */
static int check(const struct head *head, size_t length)
{
	if (head->size > length)
		return -EBADMSG;
	switch (head->version) {
	case 0:
		return -EBADMSG;
	case 1:
		return head->size < TASKRT_STATS_SIZE_V1 ? -EBADMSG : 0;
	case 2:
		return head->size < TASKRT_STATS_SIZE_V2 ? -EBADMSG : 0;
	case 3:
		/* Another size was in use before version 3 was published. */
		return head->size != TASKRT_STATS_SIZE_V3 ? -EBADMSG : 0;
	default:
		return head->size < TASKRT_STATS_SIZE_V3 ? -EBADMSG : 0;
	}
}

/*
 * Limit the head to the newest version that is both in the payload and has room.  The result is a
 * whole payload, so that it can be decoded again: if a later version does not fit as a whole, the
 * result is a version that is known here, not a part of the later one.
 */
static void limit(struct head *head, size_t room)
{
	if (head->version == 1 || room < TASKRT_STATS_SIZE_V2) {
		*head = (struct head){ 1, TASKRT_STATS_SIZE_V1, head->valid & VALID_V1 };
	} else if (head->version == 2 || room < TASKRT_STATS_SIZE_V3) {
		*head = (struct head){ 2, TASKRT_STATS_SIZE_V2, head->valid & VALID_V2 };
	} else if (head->size > room) {
		*head = (struct head){ 3, TASKRT_STATS_SIZE_V3, head->valid & VALID_V3 };
	}
}

int taskrt_decode(const void *payload, size_t length,
		  struct taskrt_stats *stats, size_t size)
{
	struct head head;
	int err;

	if (!payload || !stats || size < TASKRT_STATS_SIZE_V1)
		return -EINVAL;
	if (length < TASKRT_STATS_SIZE_V1)
		return -EBADMSG;
	memcpy(&head, payload, sizeof(head));
	err = check(&head, length);
	if (err)
		return err;

	limit(&head, size);
	memcpy(stats, payload, head.size);
	memcpy(stats, &head, sizeof(head));
	memset((char *)stats + head.size, 0, size - head.size);
	/* A program may take it for a string. */
	if (head.size >= TASKRT_STATS_SIZE_V3)
		stats->comm[sizeof(stats->comm) - 1] = 0;
	return 0;
}
