// SPDX-License-Identifier: LGPL-2.1-or-later
/* The attributes of an aggregate, from a message or from a file, become a reading. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "reading.h"
#include "sized.h"

_Static_assert(offsetof(struct taskrt_reading, longests) + sizeof(struct taskrt_longests) ==
	       TASKRT_READING_MIN, "struct taskrt_reading has moved");

static int take_group(struct taskrt_reading *reading, uint32_t group, void *to, size_t room,
		      const void *data, size_t length)
{
	/* A group consists of 64-bit words, so an incomplete word at its end is dropped. */
	length &= ~(size_t)7;
	if (length > room)
		length = room;
	memcpy(to, data, length);
	memset((char *)to + length, 0, room - length);
	reading->groups |= group;
	return 0;
}

int taskrt_reading_take(struct taskrt_reading *reading, uint32_t attribute,
			const void *data, size_t length)
{
	switch (attribute) {
	case TASKRT_AGGR_A_STATS:
		return taskrt_decode(data, length, &reading->stats, sizeof(reading->stats_room));
	case TASKRT_AGGR_A_TIMES:
		return take_group(reading, TASKRT_GROUP_TIMES, &reading->times,
				  sizeof(reading->times), data, length);
	case TASKRT_AGGR_A_COUNTS:
		return take_group(reading, TASKRT_GROUP_COUNTS, reading->counts_room,
				  sizeof(reading->counts_room), data, length);
	case TASKRT_AGGR_A_LONGEST:
		return take_group(reading, TASKRT_GROUP_LONGEST, &reading->longests,
				  sizeof(reading->longests), data, length);
	default:
		return 0;
	}
}

int taskrt_reading_complete(struct taskrt_reading *reading)
{
	if (!reading->stats.version)
		return -EBADMSG;
	if (!(reading->groups & TASKRT_GROUP_TIMES))
		memset(&reading->times, 0, sizeof(reading->times));
	if (!(reading->groups & TASKRT_GROUP_COUNTS))
		memset(reading->counts_room, 0, sizeof(reading->counts_room));
	if (!(reading->groups & TASKRT_GROUP_LONGEST))
		memset(&reading->longests, 0, sizeof(reading->longests));
	if (reading->stats.flags & TASKRT_FLAG_EXITED)
		reading->flags |= TASKRT_FINAL;
	return 0;
}

/*
 * A thread that has executed a program has the tid and the start time of the former main thread,
 * but was tracked since another time.  A thread whose tracking was started anew was also tracked
 * since another time, but that is after the first reading.
 */
static bool has_taken_over(const struct taskrt_stats *before, const struct taskrt_stats *after)
{
	return after->entity == TASKRT_ENTITY_THREAD &&
	       after->tracked_since_ns != before->tracked_since_ns &&
	       after->tracked_since_ns < before->sample_time_ns;
}

bool taskrt_reading_same_task(const struct taskrt_stats *before,
			      const struct taskrt_stats *after)
{
	return before->entity == after->entity && before->tid == after->tid &&
	       before->tgid == after->tgid && before->start_time_ns == after->start_time_ns &&
	       !has_taken_over(before, after);
}
