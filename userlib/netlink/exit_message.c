// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The contents of an EXIT message: SEQ and LOST, and any number of aggregates.  Only the
 * record that the caller requests is copied.
 */
#include <errno.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "netlink/exit_message.h"

static int exit_message_read_u64(const struct nlattr *attrs, int length, int type, uint64_t *value)
{
	const struct nlattr *attr = nla_find(attrs, length, type);

	if (!attr || nla_len(attr) != sizeof(*value))
		return -EBADMSG;
	memcpy(value, nla_data(attr), sizeof(*value));
	return 0;
}

int taskrt_exit_message_begin(struct taskrt_exit_message *message, const struct nlmsghdr *header)
{
	const size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;
	uint64_t lost;

	if (header->nlmsg_len < headers)
		return -EBADMSG;
	message->attr = (const struct nlattr *)((const char *)header + headers);
	message->left = header->nlmsg_len - headers;
	if (exit_message_read_u64(message->attr, message->left, TASKRT_A_SEQ, &message->seq) ||
	    exit_message_read_u64(message->attr, message->left, TASKRT_A_LOST, &lost) ||
	    lost > message->seq)
		return -EBADMSG;
	return 0;
}

static int read_record(const struct nlattr *nest, struct taskrt_exit *exit)
{
	int err;

	memset(exit, 0, offsetof(struct taskrt_exit, reading));
	err = taskrt_aggregate_read(nest, &exit->cpu, &exit->reading);
	if (err)
		return err;
	exit->type = nla_type(nest) == TASKRT_A_AGGR_TID ? TASKRT_EXIT_THREAD :
							   TASKRT_EXIT_PROCESS;
	return 1;
}

/* Attributes that this library does not know are skipped. */
int taskrt_exit_message_next(struct taskrt_exit_message *message, struct taskrt_exit *exit)
{
	while (nla_ok(message->attr, message->left)) {
		const struct nlattr *attr = message->attr;

		message->attr = nla_next(attr, &message->left);
		if (nla_type(attr) == TASKRT_A_AGGR_TID ||
		    nla_type(attr) == TASKRT_A_AGGR_TGID)
			return read_record(attr, exit);
	}
	return message->left > 0 ? -EBADMSG : 0;
}
