// SPDX-License-Identifier: GPL-2.0-only
/* The threads of one process, or of all. */
#include <errno.h>
#include <stdlib.h>

#include "list.h"

#define ATTEMPTS	5

static int add(const struct taskrt_stats *stats, void *arg)
{
	struct list *list = arg;

	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 64;
		struct taskrt_stats *more = reallocarray(list->threads, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		list->threads = more;
		list->room = room;
	}
	list->threads[list->count++] = *stats;
	return 0;
}

int list_fill(struct list *list, struct taskrt *handle, pid_t tgid)
{
	int attempt, error = 0;

	*list = (struct list){ 0 };
	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		list->count = 0;
		error = taskrt_each_thread(handle, tgid, add, list);
		if (error != -EINTR)
			break;
	}
	return error;
}

void list_free(struct list *list)
{
	free(list->threads);
	*list = (struct list){ 0 };
}
