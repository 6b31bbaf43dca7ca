/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_READING_PARTS_H
#define TASKRT_READING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct taskrt_reading;
struct taskrt_stats;

/*
 * Store one attribute of an aggregate, or one item of a file, in *reading.  All that precedes the
 * statistics, and their version, must have been zeroed before the first call.  Data that is longer
 * than its room is cut, and an unknown attribute is ignored.
 * Return: 0, -EBADMSG.
 */
int taskrt_reading_take(struct taskrt_reading *reading, uint32_t attribute,
			const void *data, size_t length);

/*
 * Set what follows from the attributes, after the last one was stored, and clear the groups
 * that were not among them.
 * Return: 0; -EBADMSG: there were no statistics.
 */
int taskrt_reading_complete(struct taskrt_reading *reading);

/* Are these of the same task?  @before was read first. */
bool taskrt_reading_same_task(const struct taskrt_stats *before,
			      const struct taskrt_stats *after);

#endif /* TASKRT_READING_PARTS_H */
