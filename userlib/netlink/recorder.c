// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arming and disarming threads for the flight recorder: the commands ARM and DISARM. */
#include <errno.h>
#include <linux/netlink.h>

#include "internal.h"
#include "netlink/connection.h"
#include "netlink/message.h"
#include "sized.h"

static void put_options(struct taskrt_message *message,
			const struct taskrt_recorder_options *options)
{
	if (options->depth)
		taskrt_message_put_u32(message, TASKRT_A_DEPTH, options->depth);
	if (options->states)
		taskrt_message_put_u32(message, TASKRT_A_STATES, options->states);
	if (options->threshold_ns)
		taskrt_message_put_u64(message, TASKRT_A_THRESHOLD, options->threshold_ns);
	if (options->alert_over_ns)
		taskrt_message_put_u64(message, TASKRT_A_ALERT_OVER, options->alert_over_ns);
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
	struct taskrt_message message;
	int err;

	if (tid < 0)
		return taskrt_connection_refuse(handle, -EINVAL, "the thread id is negative");
	err = taskrt_connection_begin(handle);
	if (err)
		return err;
	taskrt_connection_message(handle, &message, command, NLM_F_ACK);
	taskrt_message_put_u32(&message, TASKRT_A_TID, tid);
	put_options(&message, options);
	return taskrt_connection_request(handle, &message, ignore_reply, NULL);
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
