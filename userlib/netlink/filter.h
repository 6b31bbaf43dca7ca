/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_FILTER_H
#define TASKRT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct nl_msg;
struct nlattr;
struct taskrt;
struct taskrt_query;

/* Room that taskrt_filter_put() takes at most. */
#define TASKRT_FILTER_ROOM	64

/*
 * Read the caller's query, which may be NULL, of size bytes.
 * Return: 0; -E2BIG, -EINVAL, and *handle has the words for it.
 */
int taskrt_filter_in(struct taskrt *handle, struct taskrt_query *to,
		     const struct taskrt_query *from, size_t size);

/* Groups that no module ever knows.  Return: 0, -EINVAL with words. */
int taskrt_filter_check_groups(struct taskrt *handle, unsigned int groups);

/* ENTITIES, GROUPS and FILTER, and of which version.  Return: 0, -ENOMEM. */
int taskrt_filter_put(const struct taskrt *handle, struct nl_msg *message,
		      const struct taskrt_query *query);

/*
 * What became of a query: the module may be older than a part of it, which it
 * can only say as EINVAL.  sure: nothing else in the request can be wrong.
 * Return: -EOPNOTSUPP instead of -EINVAL where it was that, else err.
 */
int taskrt_filter_error(const struct taskrt *handle, const struct taskrt_query *query,
			int err, bool sure);

/* The conditions in a FILTER of the module's; what is not known there is skipped. */
void taskrt_filter_read(const struct nlattr *nest, struct taskrt_query *query);

#endif /* TASKRT_FILTER_H */
