/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of one process or of all; an item takes only the memory of the requested groups. */
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
 * tgid: list this process; 0: all.  groups: TASKRT_GROUP_* to read of each thread.
 * Return: 0; -EINTR: ids were reused again and again, so that a thread may be missing or listed
 * twice; an error of taskrt_each(); if no thread of the process could be listed, an error of
 * taskrt_get().
 */
int list_fill(struct list *list, struct taskrt *handle, pid_t tgid, uint32_t groups);
void list_free(struct list *list);

/*
 * Why was no thread of a process listed?  A dump leaves out threads that may not be read.
 * Return: -ESRCH, also if it has ended; otherwise as taskrt_get(): 0 if it can be read now.
 */
int list_why_empty(struct taskrt *handle, pid_t tgid);

/* Sort by tid and drop duplicates. */
void list_tidy(struct list *list);

/* One item: its statistics, or all of it. */
const struct taskrt_stats *list_stats(const struct list *list, size_t index);
void list_read(const struct list *list, size_t index, struct taskrt_reading *reading);

#endif
