/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_FILTER_H
#define TASKRT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct nlattr;
struct taskrt;
struct taskrt_message;
struct taskrt_query;
struct taskrt_stats;

/*
 * Read the caller's query of @size bytes, which may be NULL.
 * Return: 0; -E2BIG, -EINVAL or -EOPNOTSUPP, with a text in *handle.
 */
int taskrt_filter_in(struct taskrt *handle, struct taskrt_query *to,
		     const struct taskrt_query *from, size_t size);

/* Refuse groups that no module will ever have.  Return: 0; -EINVAL with a text. */
int taskrt_filter_check_groups(struct taskrt *handle, unsigned int groups);

/* Does the query have conditions that the library checks itself? */
bool taskrt_filter_is_ours(const struct taskrt_query *query);

/* Does a thread meet them?  Its stats have TASKRT_VALID_IDENTITY and _STATE. */
bool taskrt_filter_fits(const struct taskrt_query *query, const struct taskrt_stats *stats);

/* Add VERSION, ENTITIES, GROUPS and FILTER to a request. */
void taskrt_filter_put(struct taskrt_message *message, const struct taskrt_query *query);

/*
 * Interpret the error of a request with @query.  A module that is older than a part of
 * the query can only return EINVAL. @sure: nothing else in the request can be invalid.
 * Return: -EOPNOTSUPP in place of -EINVAL if the query was the reason, otherwise @err.
 */
int taskrt_filter_error(const struct taskrt *handle, const struct taskrt_query *query,
			int err, bool sure);

/* Read the conditions in a FILTER from the module.  Unknown conditions are skipped. */
void taskrt_filter_read(const struct nlattr *nest, struct taskrt_query *query);

#endif /* TASKRT_FILTER_H */
