// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arming and disarming threads for the flight recorder: the commands ARM and DISARM. */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "netlink/connection.h"
#include "sized.h"

/* The room for all attributes of these commands. */
#define ROOM	64

static int put_options(struct nl_msg *message, const struct taskrt_recorder_options *options)
{
	if ((options->depth && nla_put_u32(message, TASKRT_A_DEPTH, options->depth)) ||
	    (options->states && nla_put_u32(message, TASKRT_A_STATES, options->states)) ||
	    (options->threshold_ns &&
	     nla_put_u64(message, TASKRT_A_THRESHOLD, options->threshold_ns)) ||
	    (options->alert_over_ns &&
	     nla_put_u64(message, TASKRT_A_ALERT_OVER, options->alert_over_ns)))
		return -ENOMEM;
	return 0;
}

/* These commands have no reply but the acknowledgment. */
static int ignore_reply(const struct nlmsghdr *header, void *arg)
{
	(void)header;
	(void)arg;
	return 0;
}

static int recorder_request(struct taskrt *handle, uint8_t command, pid_t tid,
			    const struct taskrt_recorder_options *options)
{
	struct nl_msg *message;
	int err;

	if (tid < 0)
		return taskrt_connection_refuse(handle, -EINVAL, "the thread id is negative");
	err = taskrt_connection_begin(handle);
	if (err)
		return err;
	message = taskrt_connection_message(handle, command, NLM_F_ACK, ROOM);
	if (!message)
		return -ENOMEM;
	if (nla_put_u32(message, TASKRT_A_TID, tid) || put_options(message, options)) {
		nlmsg_free(message);
		return -ENOMEM;
	}
	return taskrt_connection_request(handle, message, ignore_reply, NULL);
}

int taskrt_recorder_arm(struct taskrt *handle, pid_t tid,
			const struct taskrt_recorder_options *options, size_t size)
{
	struct taskrt_recorder_options full;
	int err;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	if (taskrt_sized_in(&full, sizeof(full), options, size))
		err = taskrt_connection_refuse(handle, -E2BIG,
					       "an option that this library does not know");
	else
		err = recorder_request(handle, TASKRT_CMD_ARM, tid, &full);
	return taskrt_connection_finish(handle, err);
}

int taskrt_recorder_disarm(struct taskrt *handle, pid_t tid)
{
	static const struct taskrt_recorder_options none;

	if (!handle)
		return -EINVAL;
	taskrt_error_clear(&handle->error);
	return taskrt_connection_finish(handle, recorder_request(handle, TASKRT_CMD_DISARM, tid,
								 &none));
}
