// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What stands in an EXIT message: SEQ and LOST, then any number of aggregates.
 * Nothing is copied but the record that is asked for.
 */
#include <errno.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>

#include "internal.h"
#include "aggregate.h"
#include "exits.h"

static int read_u64(const struct nlattr *attrs, int length, int type, uint64_t *value)
{
	const struct nlattr *attr = nla_find(attrs, length, type);

	if (!attr || nla_len(attr) != sizeof(*value))
		return -EBADMSG;
	memcpy(value, nla_data(attr), sizeof(*value));
	return 0;
}

int taskrt_exits_begin(struct taskrt_exits *exits, const struct nlmsghdr *header)
{
	const size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;
	uint64_t lost;

	if (header->nlmsg_len < headers)
		return -EBADMSG;
	exits->attr = (const struct nlattr *)((const char *)header + headers);
	exits->left = header->nlmsg_len - headers;
	if (read_u64(exits->attr, exits->left, TASKRT_A_SEQ, &exits->seq) ||
	    read_u64(exits->attr, exits->left, TASKRT_A_LOST, &lost) ||
	    lost > exits->seq)
		return -EBADMSG;
	return 0;
}

static int read_record(const struct nlattr *nest, struct taskrt_exit *exit, size_t size)
{
	uint32_t cpu;
	int err;

	memset(exit, 0, size);
	err = taskrt_read_aggregate(nest, &cpu, &exit->stats,
				    size - offsetof(struct taskrt_exit, stats));
	if (err)
		return err;
	exit->type = nla_type(nest) == TASKRT_A_AGGR_TID ? TASKRT_EXIT_THREAD :
							   TASKRT_EXIT_PROCESS;
	exit->cpu = cpu;
	return 1;
}

/* An attribute that this library does not know is skipped. */
int taskrt_exits_next(struct taskrt_exits *exits, struct taskrt_exit *exit, size_t size)
{
	while (nla_ok(exits->attr, exits->left)) {
		const struct nlattr *attr = exits->attr;

		exits->attr = nla_next(attr, &exits->left);
		if (nla_type(attr) == TASKRT_A_AGGR_TID ||
		    nla_type(attr) == TASKRT_A_AGGR_TGID)
			return read_record(attr, exit, size);
	}
	return exits->left > 0 ? -EBADMSG : 0;
}
