/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_AGGREGATE_H
#define TASKRT_AGGREGATE_H

#include <stddef.h>
#include <stdint.h>

struct nlattr;
struct taskrt_stats;

/*
 * Read the STATS of one AGGR_* nest, and its CPU if cpu is not NULL (0 if the
 * nest has none).
 * Return: 0, -EBADMSG, or as taskrt_decode().
 */
int taskrt_read_aggregate(const struct nlattr *nest, uint32_t *cpu,
			  struct taskrt_stats *stats, size_t size);

#endif /* TASKRT_AGGREGATE_H */
