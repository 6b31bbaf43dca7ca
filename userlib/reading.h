/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_READING_PARTS_H
#define TASKRT_READING_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct taskrt_reading;

/*
 * Put one attribute of an aggregate, or one item of a file, to its place in
 * *reading, which began as zeroes.  What is longer than its room is cut, what is
 * not known is ignored.
 * Return: 0, -EBADMSG.
 */
int taskrt_reading_take(struct taskrt_reading *reading, uint32_t attribute,
			const void *data, size_t length);

/*
 * All was taken: say what follows from it.
 * Return: 0; -EBADMSG: there were no statistics.
 */
int taskrt_reading_complete(struct taskrt_reading *reading);

#endif /* TASKRT_READING_PARTS_H */
