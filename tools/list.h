/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of one process, or of all. */
#ifndef TOOLS_LIST_H
#define TOOLS_LIST_H

#include <stddef.h>
#include <taskrt.h>

struct list {
	struct taskrt_stats *threads;	/* in ascending order of tid */
	size_t count;
	size_t room;
};

/*
 * Fill *list, which the caller frees with list_free() also after a failure.
 * tgid: as taskrt_each_thread() takes it.
 * Return: 0; -EINTR: ids changed hands again and again, so the list may lack one
 * or hold it twice; -ENOMEM; as taskrt_each_thread().
 */
int list_fill(struct list *list, struct taskrt *handle, pid_t tgid);
void list_free(struct list *list);

#endif
