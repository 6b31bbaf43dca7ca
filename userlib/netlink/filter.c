// SPDX-License-Identifier: LGPL-2.1-or-later
/* struct taskrt_query in requests, and as the module echoes it: which tasks, and what of each. */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>

#include <linux/taskrt_numbers.h>

#include "internal.h"
#include "netlink/connection.h"
#include "netlink/filter.h"
#include "netlink/message.h"
#include "sized.h"

_Static_assert(sizeof(struct taskrt_query) == 128, "struct taskrt_query has moved");

int taskrt_filter_check_groups(struct taskrt *handle, unsigned int groups)
{
	if (groups & TASKRT_GROUPS_REFUSED)
		return taskrt_connection_refuse(handle, -EINVAL, "bit 31 of the groups is no group");
	return 0;
}

int taskrt_filter_in(struct taskrt *handle, struct taskrt_query *to,
		     const struct taskrt_query *from, size_t size)
{
	/* Reserved words are excluded: one that is not 0 is a field of a later library. */
	const size_t known = offsetof(struct taskrt_query, reserved);

	memset(to, 0, sizeof(*to));
	if (taskrt_sized_in(to, known, from, size))
		return taskrt_connection_refuse(handle, -E2BIG,
						"a condition that this library does not know");
	if (to->set & ~TASKRT_QUERY_UID)
		return taskrt_connection_refuse(handle, -E2BIG,
						"a bit of set that this library does not know");
	if (to->uid && !(to->set & TASKRT_QUERY_UID))
		return taskrt_connection_refuse(handle, -EINVAL,
						"uid without TASKRT_QUERY_UID in set");
	if (to->changed_since_ns || to->policies)
		return taskrt_connection_refuse(handle, -EOPNOTSUPP,
						"no filter by changes or by policies");
	if (to->tgid < 0)
		return taskrt_connection_refuse(handle, -EINVAL, "the process id is negative");
	return taskrt_filter_check_groups(handle, to->groups);
}

bool taskrt_filter_is_ours(const struct taskrt_query *query)
{
	return query->set & TASKRT_QUERY_UID || query->states || query->comm[0] || query->after;
}

static bool fits_state(const struct taskrt_stats *stats, uint32_t states)
{
	const uint32_t state = stats->state;

	return !states || (state < 32 && (states & (1U << state) ||
					  states & (1U << taskrt_state_parent(state))));
}

bool taskrt_filter_fits(const struct taskrt_query *query, const struct taskrt_stats *stats)
{
	return (!(query->set & TASKRT_QUERY_UID) || stats->uid == query->uid) &&
	       fits_state(stats, query->states) && stats->tid > query->after &&
	       (!query->comm[0] ||
		!strncmp(stats->comm, query->comm, sizeof(query->comm)));
}

static bool has_filter(const struct taskrt_query *query)
{
	return query->own_only || query->tgid || query->cgroup;
}

static void put_filter(struct taskrt_message *message, const struct taskrt_query *query)
{
	size_t nest = taskrt_message_nest(message, TASKRT_A_FILTER);

	if (query->own_only)
		taskrt_message_put_flag(message, TASKRT_FILTER_A_OWN);
	if (query->tgid)
		taskrt_message_put_u32(message, TASKRT_FILTER_A_TGID, query->tgid);
	if (query->cgroup)
		taskrt_message_put_u64(message, TASKRT_FILTER_A_CGROUP, query->cgroup);
	taskrt_message_nest_end(message, nest);
}

void taskrt_filter_put(struct taskrt_message *message, const struct taskrt_query *query)
{
	taskrt_message_put_u32(message, TASKRT_A_VERSION, TASKRT_STATS_VERSION);
	taskrt_message_put_u32(message, TASKRT_A_GROUPS, query->groups);
	if (query->entities)
		taskrt_message_put_u32(message, TASKRT_A_ENTITIES, query->entities);
	if (has_filter(query))
		put_filter(message, query);
}

int taskrt_filter_error(const struct taskrt *handle, const struct taskrt_query *query,
			int err, bool sure)
{
	if (err != -EINVAL)
		return err;
	switch (handle->error.refused) {
	case TASKRT_A_FILTER:
	case TASKRT_A_ENTITIES:
	case TASKRT_A_GROUPS:
		return -EOPNOTSUPP;
	case 0:
		return sure && (has_filter(query) || query->entities) ? -EOPNOTSUPP : err;
	default:
		return err;
	}
}

void taskrt_filter_read(const struct nlattr *nest, struct taskrt_query *query)
{
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest);

	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		size_t length = nla_len(attr);

		switch (nla_type(attr)) {
		case TASKRT_FILTER_A_OWN:
			query->own_only = 1;
			break;
		case TASKRT_FILTER_A_TGID:
			if (length == sizeof(query->tgid))
				memcpy(&query->tgid, nla_data(attr), length);
			break;
		case TASKRT_FILTER_A_CGROUP:
			if (length == sizeof(query->cgroup))
				memcpy(&query->cgroup, nla_data(attr), length);
			break;
		}
	}
}
