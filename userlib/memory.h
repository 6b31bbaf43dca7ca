/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_MEMORY_H
#define TASKRT_MEMORY_H

#include <stddef.h>

/* The bytes that a child inherits.  4096 is the smallest page size that there is. */
#define TASKRT_MEMORY_PAGE	4096
#define TASKRT_MEMORY_HEAD	64
#define TASKRT_MEMORY_KEPT	(TASKRT_MEMORY_PAGE - TASKRT_MEMORY_HEAD)

/*
 * Get zeroed memory for an object of @size bytes, populated and locked as far as that is
 * permitted.  In a child after fork(2) it reads as zeroes.  Return: NULL: there is none.
 */
void *taskrt_memory_new(size_t size);

/* Return: TASKRT_MEMORY_KEPT bytes that belong to the object, and that a child inherits. */
static inline void *taskrt_memory_kept(const void *memory)
{
	return (char *)memory - TASKRT_MEMORY_KEPT;
}

/* Free the memory, which may be NULL; in a child, the child's copy. */
void taskrt_memory_free(void *memory);

#endif /* TASKRT_MEMORY_H */
