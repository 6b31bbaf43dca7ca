/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXITS_H
#define TASKRT_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlattr;
struct nlmsghdr;
struct taskrt_exit;

/* A structure that ends before this holds no version of struct taskrt_stats. */
#define TASKRT_EXIT_SIZE_MIN	(offsetof(struct taskrt_exit, stats) + TASKRT_STATS_SIZE_V1)

/* One EXIT message, taken apart in place. */
struct taskrt_exits {
	const struct nlattr *attr;
	int left;
	uint64_t seq;		/* as TASKRT_A_SEQ */
};

/* Return: 0, -EBADMSG. */
int taskrt_exits_begin(struct taskrt_exits *exits, const struct nlmsghdr *header);

/*
 * The next record: its type, cpu and stats.  seq, lost and lost_now are the
 * caller's.  size is at least TASKRT_EXIT_SIZE_MIN.
 * Return: 1; 0: there is none; -EBADMSG: what follows makes no sense.
 */
int taskrt_exits_next(struct taskrt_exits *exits, struct taskrt_exit *exit, size_t size);

#endif /* TASKRT_EXITS_H */
