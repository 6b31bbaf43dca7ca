// SPDX-License-Identifier: GPL-2.0-only
/*
 * The threads of one process or of all.
 *
 * A reading has room for every group, which is too much memory for twenty thousand threads.  So an
 * item is only the first part of a reading, up to the last requested group.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/list.h"
#include "common/memory.h"

#define ATTEMPTS	5

static size_t stride(uint32_t groups)
{
	if (groups & TASKRT_GROUP_LONGEST)
		return sizeof(struct taskrt_reading);
	if (groups & TASKRT_GROUP_COUNTS)
		return offsetof(struct taskrt_reading, longests);
	if (groups & TASKRT_GROUP_TIMES)
		return offsetof(struct taskrt_reading, counts);
	return offsetof(struct taskrt_reading, times);
}

static void *item(const struct list *list, size_t index)
{
	return list->items + index * list->stride;
}

static void set_room(struct list *list, size_t room)
{
	list->items = memory_resize(list->items, room, list->stride);
	list->room = room;
}

static int add(const struct taskrt_reading *reading, void *arg)
{
	struct list *list = arg;

	if (list->count == list->room)
		set_room(list, list->room ? 2 * list->room : 64);
	memcpy(item(list, list->count++), reading, list->stride);
	return 0;
}

int list_why_empty(struct taskrt *handle, pid_t tgid)
{
	struct taskrt_reading reading;
	int error = taskrt_get(handle, TASKRT_ENTITY_PROCESS, tgid, 0, &reading, sizeof(reading));

	return !error && reading.stats.flags & TASKRT_FLAG_EXITED ? -ESRCH : error;
}

int list_fill(struct list *list, struct taskrt *handle, pid_t tgid, uint32_t groups)
{
	const struct taskrt_query query = { .groups = groups, .tgid = tgid };
	int attempt, error = 0;

	*list = (struct list){ .stride = stride(groups) };
	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		list->count = 0;
		error = taskrt_each(handle, &query, sizeof(query), sizeof(struct taskrt_reading),
				    add, list);
		if (error != -EINTR)
			break;
	}
	/* The list may be kept until the next one is filled. */
	if (list->count)
		set_room(list, list->count);
	else if (tgid && (!error || error == -EINTR))
		error = list_why_empty(handle, tgid);
	return error;
}

void list_free(struct list *list)
{
	free(list->items);
	*list = (struct list){ 0 };
}

const struct taskrt_stats *list_stats(const struct list *list, size_t index)
{
	return &((const struct taskrt_reading *)item(list, index))->stats;
}

void list_read(const struct list *list, size_t index, struct taskrt_reading *reading)
{
	memcpy(reading, item(list, index), list->stride);
	memset((char *)reading + list->stride, 0, sizeof(*reading) - list->stride);
}

static int by_tid(const void *one, const void *other)
{
	const struct taskrt_reading *a = one, *b = other;

	return a->stats.tid < b->stats.tid ? -1 : a->stats.tid > b->stats.tid;
}

void list_tidy(struct list *list)
{
	size_t i, kept = 0;

	for (i = 1; i < list->count; i++)
		if (list_stats(list, i)->tid < list_stats(list, i - 1)->tid)
			break;
	if (i < list->count)
		qsort(list->items, list->count, list->stride, by_tid);
	for (i = 0; i < list->count; i++) {
		if (kept && list_stats(list, kept - 1)->tid == list_stats(list, i)->tid)
			continue;
		if (kept != i)
			memcpy(item(list, kept), item(list, i), list->stride);
		kept++;
	}
	list->count = kept;
}
