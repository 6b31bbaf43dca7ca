/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A structure that may grow is passed with its size, because the program and the library
 * may have been built years apart.  The fields that both know are copied.  Fields that
 * only one side knows are set to zero or refused.
 */
#ifndef TASKRT_SIZED_H
#define TASKRT_SIZED_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

/*
 * The minimum sizes of the structures that must be passed whole.  They are the sizes of
 * 1.0 and never change, so that a program that was built with 1.0 runs with every later
 * library.
 */
#define TASKRT_READING_MIN	2176
#define TASKRT_SITES_MIN	1152
#define TASKRT_EXIT_MIN		(64 + TASKRT_READING_MIN)
#define TASKRT_EXPLANATION_MIN	560
#define TASKRT_EVENT_MIN	128
#define TASKRT_MEASURED_MIN	32
#define TASKRT_SPAN_MIN		24

/*
 * Read the caller's structure of @size bytes, which may be NULL, into ours.  Fields that
 * the caller's structure is too short for read 0.  Bytes that ours is too short for must
 * be 0.
 * Return: 0; -E2BIG: a byte that this library does not know is not 0.
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

/* Fill the caller's structure of @size bytes from ours.  The two must not overlap. */
static inline void taskrt_sized_out(void *to, size_t size, const void *from, size_t known)
{
	size_t both = size < known ? size : known;

	memcpy(to, from, both);
	memset((char *)to + both, 0, size - both);
}

#endif /* TASKRT_SIZED_H */
