/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of one process or of all; each takes only the memory of its groups. */
#ifndef TOOLS_COMMON_LIST_H
#define TOOLS_COMMON_LIST_H

#include <stddef.h>
#include <taskrt.h>

struct list {
	size_t count;		/* in ascending order of tid */

	size_t stride, room;	/* private from here on */
	char *items;
};

/*
 * Fill *list, which the caller frees with list_free() also after a failure.
 * tgid: of this process; 0: of all.  groups: TASKRT_GROUP_* that are wanted of each.
 * Return: 0; -EINTR: ids changed hands again and again, so the list may lack one
 * or hold it twice; as taskrt_each(); as taskrt_get() of a process of which nothing could be
 * listed.
 */
int list_fill(struct list *list, struct taskrt *handle, pid_t tgid, uint32_t groups);
void list_free(struct list *list);

/*
 * A dump leaves out what may not be read: why was nothing listed of a process?
 * Return: -ESRCH also if it has ended; else as taskrt_get(): 0, if it can be read by now.
 */
int list_why_empty(struct taskrt *handle, pid_t tgid);

/* Sort by tid and drop duplicates. */
void list_tidy(struct list *list);

/* One of them: its head, or all of it. */
const struct taskrt_stats *list_stats(const struct list *list, size_t index);
void list_read(const struct list *list, size_t index, struct taskrt_reading *reading);

#endif
