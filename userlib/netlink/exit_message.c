// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The contents of an EXIT message: SEQ and LOST, and any number of aggregates.  Only the
 * record that the caller requests is copied.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "netlink/aggregate.h"
#include "netlink/exit_message.h"

static int exit_message_read_u64(struct taskrt_attributes all, int type, uint64_t *value)
{
	const struct nlattr *attr = taskrt_attribute_find(all, type);

	if (!attr || taskrt_attribute_length(attr) != sizeof(*value))
		return -EBADMSG;
	memcpy(value, taskrt_attribute_data(attr), sizeof(*value));
	return 0;
}

int taskrt_exit_message_begin(struct taskrt_exit_message *message, const struct nlmsghdr *header)
{
	uint64_t lost;

	message->rest = taskrt_attributes_of(header);
	if (exit_message_read_u64(message->rest, TASKRT_A_SEQ, &message->seq) ||
	    exit_message_read_u64(message->rest, TASKRT_A_LOST, &lost) || lost > message->seq)
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
	exit->type = taskrt_attribute_type(nest) == TASKRT_A_AGGR_TID ? TASKRT_EXIT_THREAD :
							   TASKRT_EXIT_PROCESS;
	return 1;
}

/* Attributes that this library does not know are skipped. */
int taskrt_exit_message_next(struct taskrt_exit_message *message, struct taskrt_exit *exit)
{
	const struct nlattr *attr;

	while ((attr = taskrt_attribute_next(&message->rest)))
		if (taskrt_attribute_type(attr) == TASKRT_A_AGGR_TID ||
		    taskrt_attribute_type(attr) == TASKRT_A_AGGR_TGID)
			return read_record(attr, exit);
	return message->rest.left > 0 ? -EBADMSG : 0;
}
