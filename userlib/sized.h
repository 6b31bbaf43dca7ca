/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures that grow are passed with their size, and the two sides may have
 * been built years apart.  What both know is copied; the rest is zero, or refused.
 */
#ifndef TASKRT_SIZED_H
#define TASKRT_SIZED_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

/*
 * The least size of those that must be passed whole: 1.0's, for ever, so that what was
 * built with it runs with every later library.
 */
#define TASKRT_READING_MIN	2048
#define TASKRT_EXIT_MIN		(64 + TASKRT_READING_MIN)
#define TASKRT_EXPLANATION_MIN	432
#define TASKRT_EVENT_MIN	128
#define TASKRT_MEASURED_MIN	32
#define TASKRT_SPAN_MIN		24

/*
 * Read the caller's structure of size bytes, which may be NULL, into ours.  What
 * his is too short for reads 0; what ours is too short for must be 0 there.
 * Return: 0; -E2BIG: it says something that this library does not know.
 */
static inline int taskrt_sized_in(void *to, size_t known, const void *from, size_t size)
{
	const char *bytes = from;
	size_t i;

	memset(to, 0, known);
	if (!from)
		return 0;
	for (i = known; i < size; i++)
		if (bytes[i])
			return -E2BIG;
	memcpy(to, from, size < known ? size : known);
	return 0;
}

/* Fill the caller's structure of size bytes from ours.  They do not overlap. */
static inline void taskrt_sized_out(void *to, size_t size, const void *from, size_t known)
{
	size_t both = size < known ? size : known;

	memcpy(to, from, both);
	memset((char *)to + both, 0, size - both);
}

#endif /* TASKRT_SIZED_H */
