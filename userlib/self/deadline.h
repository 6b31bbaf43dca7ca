/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_DEADLINE_H
#define TASKRT_DEADLINE_H

#include <stdint.h>

struct taskrt_deadline;
struct taskrt_self;

/*
 * Make a deadline of @self, which it closes in the end, locked in memory.  Return: NULL:
 * there is no memory.
 */
struct taskrt_deadline *taskrt_deadline_new(struct taskrt_self *self, uint64_t ns);

#endif /* TASKRT_DEADLINE_H */
