// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A STATS payload is what some kernel wrote: older than this library, newer, or
 * damaged.  And the caller's structure may be shorter than ours, because its
 * program was built earlier.  What both know is copied, nothing else is
 * believed, and a field that is not there is never marked as measured.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "decode.h"

#define VALID_V1	(TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME)
#define VALID_V2	(VALID_V1 | TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME)
#define VALID_V3	(VALID_V2 | TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY |	\
			 TASKRT_VALID_STATE | TASKRT_VALID_STATES |			\
			 TASKRT_VALID_SWITCHES | TASKRT_VALID_WAKEUPS |			\
			 TASKRT_VALID_FAULTS | TASKRT_VALID_FAULT_TIMES |		\
			 TASKRT_VALID_LOCKS | TASKRT_VALID_LONGEST_STATE |		\
			 TASKRT_VALID_LONGEST_FAULT | TASKRT_VALID_LONGEST_LOCK |	\
			 TASKRT_VALID_THREADS)

/* Indexed by version - 1: where it ends, and which bits it can carry. */
static const struct {
	uint32_t size;
	uint64_t valid;
} versions[] = {
	{ TASKRT_STATS_SIZE_V1, VALID_V1 },
	{ TASKRT_STATS_SIZE_V2, VALID_V2 },
	{ TASKRT_STATS_SIZE_V3, VALID_V3 },
};

_Static_assert(sizeof(versions) / sizeof(versions[0]) == TASKRT_STATS_VERSION,
	       "a version of struct taskrt_stats cannot be decoded");
_Static_assert(sizeof(struct taskrt_stats) == TASKRT_STATS_SIZE_V3,
	       "struct taskrt_stats has grown without a version");

/* The first sixteen bytes, which no version will change. */
struct head {
	uint32_t version;
	uint32_t size;
	uint64_t valid;
};

uint32_t taskrt_version_fitting(size_t size)
{
	uint32_t version = TASKRT_STATS_VERSION;

	while (version && size < versions[version - 1].size)
		version--;
	return version;
}

/* Does the payload hold all that its own version and size promise? */
static int check(const struct head *head, size_t length)
{
	if (!head->version || head->size > length)
		return -EBADMSG;
	if (head->version > TASKRT_STATS_VERSION)
		return head->size < TASKRT_STATS_SIZE_V3 ? -EBADMSG : 0;
	return head->size < versions[head->version - 1].size ? -EBADMSG : 0;
}

int taskrt_decode(const void *payload, size_t length,
		  struct taskrt_stats *stats, size_t size)
{
	uint32_t version = taskrt_version_fitting(size);
	struct head head;
	int err;

	if (!payload || !stats || !version)
		return -EINVAL;
	if (length < TASKRT_STATS_SIZE_V1)
		return -EBADMSG;
	memcpy(&head, payload, sizeof(head));
	err = check(&head, length);
	if (err)
		return err;

	if (head.version < version)
		version = head.version;
	head.version = version;
	head.size = versions[version - 1].size;
	head.valid &= versions[version - 1].valid;

	memset(stats, 0, size);
	memcpy(stats, payload, head.size);
	memcpy(stats, &head, sizeof(head));
	return 0;
}
