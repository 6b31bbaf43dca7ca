/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_AGGREGATE_H
#define TASKRT_AGGREGATE_H

#include <stdint.h>

struct nlattr;
struct taskrt_reading;

/*
 * Read one AGGR_* nest.  If @cpu is not NULL, it is set to the nest's CPU, or to 0 if
 * there is none.
 * Return: 0; -EBADMSG: *reading and *cpu are unchanged.
 */
int taskrt_aggregate_read(const struct nlattr *nest, uint32_t *cpu,
			  struct taskrt_reading *reading);

#endif /* TASKRT_AGGREGATE_H */
