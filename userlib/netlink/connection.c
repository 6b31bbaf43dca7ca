// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A handle is a netlink socket and the number of the generic-netlink family.  Either may be lost,
 * and the next call gets it again.  The number is lost when the module is removed.  The socket is
 * given up when an exchange fails early, because the kernel may still send replies.
 */
#undef _GNU_SOURCE	/* for the strerror_r() of POSIX: musl has no other */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "memory.h"
#include "netlink/connection.h"
#include "netlink/error.h"
#include "netlink/exchange.h"
#include "netlink/message.h"

/* The kernel puts at most this much into one message of a dump. */
#define RECEIVE_SIZE	32768

static void disconnect(struct taskrt *handle)
{
	nl_socket_free(handle->socket);
	handle->socket = NULL;
}

static int set_options(struct nl_sock *socket)
{
	static const int options[] = {
		NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK,
	};
	const int on = 1;
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, options[i],
			       &on, sizeof(on)))
			return -errno;
	return 0;
}

static bool allocate_buffer(struct taskrt *handle)
{
	if (!handle->channel.buffer)
		handle->channel.buffer = malloc(RECEIVE_SIZE);
	handle->channel.size = RECEIVE_SIZE;
	return handle->channel.buffer;
}

/*
 * From now on the kernel refuses what another process sends to the socket, unless it is for a
 * multicast group.  Earlier messages are dropped here.  A message that was just being sent has
 * another sequence number than our requests, whose numbers start at random.  So the sender of a
 * reply need not be checked.
 */
static int connect_kernel(struct taskrt_channel *channel)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	char dropped;

	if (connect(channel->fd, (const struct sockaddr *)&kernel, sizeof(kernel)) ||
	    getrandom(&channel->sequence, sizeof(channel->sequence), 0) < 0)
		return -errno;
	while (recv(channel->fd, &dropped, sizeof(dropped), MSG_DONTWAIT) >= 0)
		;
	return 0;
}

static int connect_socket(struct taskrt *handle)
{
	int err;

	if (!allocate_buffer(handle))
		return -ENOMEM;
	handle->socket = nl_socket_alloc();
	if (!handle->socket)
		return -ENOMEM;

	/* libnl folds most errors of socket(2) into one, but errno still has the original. */
	errno = 0;
	err = genl_connect(handle->socket);
	if (err < 0)
		err = errno ? -errno : -EIO;
	handle->channel.fd = nl_socket_get_fd(handle->socket);
	if (!err)
		err = connect_kernel(&handle->channel);
	if (!err)
		err = set_options(handle->socket);
	if (err)
		disconnect(handle);
	return err;
}

static int connection_exchange(struct taskrt *handle, struct taskrt_message *message,
			       taskrt_reply_fn fn, void *arg, bool *clean)
{
	int err = taskrt_exchange(&handle->channel, message, fn, arg, &handle->error, clean);

	if (!*clean)
		disconnect(handle);
	return err;
}

/* Return: the number of the multicast group called @name; 0: there is none. */
static uint32_t find_group(const struct nlattr *groups, const char *name)
{
	struct nlattr *group, *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1];
	static const struct nla_policy policy[CTRL_ATTR_MCAST_GRP_MAX + 1] = {
		[CTRL_ATTR_MCAST_GRP_NAME]	= { .type = NLA_STRING },
		[CTRL_ATTR_MCAST_GRP_ID]	= { .type = NLA_U32 },
	};
	int left;

	nla_for_each_nested(group, groups, left)
		if (!nla_parse_nested(attrs, CTRL_ATTR_MCAST_GRP_MAX, group,
				      (struct nla_policy *)policy) &&
		    attrs[CTRL_ATTR_MCAST_GRP_NAME] && attrs[CTRL_ATTR_MCAST_GRP_ID] &&
		    !nla_strcmp(attrs[CTRL_ATTR_MCAST_GRP_NAME], name))
			return nla_get_u32(attrs[CTRL_ATTR_MCAST_GRP_ID]);
	return 0;
}

static int family_reply(const struct nlmsghdr *header, void *arg)
{
	struct taskrt *handle = arg;
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	static const struct nla_policy policy[CTRL_ATTR_MAX + 1] = {
		[CTRL_ATTR_FAMILY_ID]	= { .type = NLA_U16 },
		[CTRL_ATTR_VERSION]	= { .type = NLA_U32 },
		[CTRL_ATTR_MCAST_GROUPS] = { .type = NLA_NESTED },
	};

	if (genlmsg_parse((struct nlmsghdr *)header, 0, attrs, CTRL_ATTR_MAX,
			  (struct nla_policy *)policy) < 0 ||
	    !attrs[CTRL_ATTR_FAMILY_ID] || !attrs[CTRL_ATTR_VERSION])
		return -EBADMSG;
	if (nla_get_u32(attrs[CTRL_ATTR_VERSION]) != TASKRT_GENL_VERSION)
		return -EPROTO;
	handle->family = nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	handle->alerts_group = attrs[CTRL_ATTR_MCAST_GROUPS] ?
		find_group(attrs[CTRL_ATTR_MCAST_GROUPS], TASKRT_GENL_ALERTS) : 0;
	return 0;
}

static int resolve(struct taskrt *handle)
{
	struct taskrt_message message;
	bool clean;

	taskrt_message_init(&message, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0);
	taskrt_message_put_string(&message, CTRL_ATTR_FAMILY_NAME, TASKRT_GENL_NAME);
	return connection_exchange(handle, &message, family_reply, handle, &clean);
}

int taskrt_connection_check(struct taskrt *handle)
{
	return *handle->mine ? 0 :
	       taskrt_connection_refuse(handle, -ECHILD, "another process has opened it");
}

int taskrt_connection_prepare(struct taskrt *handle)
{
	int err;

	taskrt_error_clear(&handle->error);
	if (!handle->mine) {
		handle->mine = taskrt_memory_new(sizeof(*handle->mine));
		if (!handle->mine)
			return -ENOMEM;
		*handle->mine = true;
	}
	err = taskrt_connection_check(handle);
	if (!err && !handle->socket)
		err = connect_socket(handle);
	if (!err && !handle->family)
		err = resolve(handle);
	return err;
}

int taskrt_connection_begin(struct taskrt *handle)
{
	int err = taskrt_connection_prepare(handle);

	return err == -ENOENT ? -ENODEV : err;
}

void taskrt_connection_message(const struct taskrt *handle, struct taskrt_message *message,
			       uint8_t command, int flags)
{
	taskrt_message_init(message, handle->family, command, TASKRT_GENL_VERSION, flags);
}

int taskrt_connection_request(struct taskrt *handle, struct taskrt_message *message,
			      taskrt_reply_fn fn, void *arg)
{
	bool clean;
	int err = connection_exchange(handle, message, fn, arg, &clean);

	/*
	 * Generic netlink itself gives these errors if no family has the number, or if
	 * the module is being removed during a dump.  Errors of the module have a text.
	 */
	if (clean && !handle->error.text[0] && (err == -ENOENT || err == -EPROTONOSUPPORT)) {
		handle->family = 0;
		return -ENODEV;
	}
	return err;
}

int taskrt_connection_refuse(struct taskrt *handle, int err, const char *text)
{
	snprintf(handle->error.text, sizeof(handle->error.text), "%s", text);
	return err;
}

int taskrt_connection_finish(struct taskrt *handle, int err)
{
	char buffer[128];

	if (err < 0 && !handle->error.text[0]) {
		if (strerror_r(-err, buffer, sizeof(buffer)))
			snprintf(buffer, sizeof(buffer), "error %d", -err);
		taskrt_connection_refuse(handle, err, buffer);
	}
	return err;
}

int taskrt_open(struct taskrt **handle)
{
	struct taskrt *new;
	int err;

	if (!handle)
		return -EINVAL;
	*handle = NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	err = taskrt_connection_prepare(new);
	if (err)
		taskrt_close(new);
	else
		*handle = new;
	return err;
}

void taskrt_connection_free_buffer(struct taskrt *handle)
{
	free(handle->channel.buffer);
	handle->channel.buffer = NULL;
}

void taskrt_connection_release(struct taskrt *handle)
{
	nl_socket_free(handle->socket);
	taskrt_memory_free(handle->mine);
	taskrt_connection_free_buffer(handle);
	free(handle->info_items);
}

void taskrt_close(struct taskrt *handle)
{
	if (!handle)
		return;
	taskrt_connection_release(handle);
	free(handle);
}

const char *taskrt_error(const struct taskrt *handle)
{
	return handle ? handle->error.text : "";
}
