// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arming a thread for the flight recorder: ARM and DISARM. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "connection.h"

static int refuse(struct taskrt *handle, const char *text)
{
	snprintf(handle->error, sizeof(handle->error), "%s", text);
	return -EINVAL;
}

/* What a newer program says beyond what is known here must be nothing. */
static int copy_options(struct taskrt *handle, struct taskrt_arm_options *to,
			const struct taskrt_arm_options *from, size_t size)
{
	const char *bytes = (const char *)from;
	size_t i;

	memset(to, 0, sizeof(*to));
	if (!from)
		return 0;
	if (size < sizeof(*to))
		return refuse(handle, "the size of struct taskrt_arm_options is wrong");
	for (i = sizeof(*to); i < size; i++)
		if (bytes[i])
			return refuse(handle, "an option that this library does not know");
	memcpy(to, from, sizeof(*to));
	return 0;
}

static int put_options(struct nl_msg *message, const struct taskrt_arm_options *options)
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

static int ignore_reply(const struct nlmsghdr *header, void *arg)
{
	(void)header;
	(void)arg;
	return 0;
}

static int request(struct taskrt *handle, uint8_t command, pid_t tid,
		   const struct taskrt_arm_options *options)
{
	struct nl_msg *message;

	if (tid < 0)
		return refuse(handle, "the thread id is negative");
	message = taskrt_message(handle, command, 0);
	if (!message)
		return -ENOMEM;
	if (nla_put_u32(message, TASKRT_A_TID, tid) || put_options(message, options)) {
		nlmsg_free(message);
		return -ENOMEM;
	}
	return taskrt_request(handle, message, ignore_reply, NULL);
}

static int prepare(struct taskrt *handle)
{
	int err = taskrt_prepare(handle);

	return err == -ENOENT ? -ENODEV : err;
}

int taskrt_arm(struct taskrt *handle, pid_t tid,
	       const struct taskrt_arm_options *options, size_t size)
{
	struct taskrt_arm_options full;
	int err;

	if (!handle)
		return -EINVAL;
	err = prepare(handle);
	if (!err)
		err = copy_options(handle, &full, options, size);
	if (!err)
		err = request(handle, TASKRT_CMD_ARM, tid, &full);
	return taskrt_finish(handle, err);
}

int taskrt_disarm(struct taskrt *handle, pid_t tid)
{
	static const struct taskrt_arm_options none;
	int err;

	if (!handle)
		return -EINVAL;
	err = prepare(handle);
	if (!err)
		err = request(handle, TASKRT_CMD_DISARM, tid, &none);
	return taskrt_finish(handle, err);
}
