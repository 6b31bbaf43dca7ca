// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which exits a listener is told of: REGISTER, DEREGISTER and LIST.
 *
 * All three may be repeated without harm, and are: when the socket was full of
 * records, the kernel had no place for its verdict (ENOBUFS) or for the reply
 * before it (the verdict is EAGAIN).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "error.h"
#include "listener.h"

/* Each time all that filled the socket has been taken out of it. */
#define TRIES	10

/* Frees message.  *reply is the caller's to free. */
static int request(struct taskrt_listener *listener, struct nl_msg *message,
		   struct nlmsghdr **reply)
{
	struct taskrt *connection = &listener->connection;
	struct nlmsghdr *header = nlmsg_hdr(message);
	int err, tries = TRIES;

	do {
		connection->error[0] = '\0';
		listener->inbox.overrun = false;
		header->nlmsg_seq = NL_AUTO_SEQ;
		err = nl_send_auto(connection->socket, message);
		if (err < 0) {
			err = taskrt_errno_from_nl(err);
			break;
		}
		err = taskrt_inbox_answer(&listener->inbox, header->nlmsg_seq, reply,
					  connection->error, sizeof(connection->error));
	} while ((err == -ENOBUFS || err == -EAGAIN) && --tries);
	nlmsg_free(message);

	/* Generic netlink's own answer has no text, the module's has. */
	if (err == -ENOENT && !connection->error[0]) {
		listener->inbox.gone = true;
		err = -ENODEV;
	}
	return err;
}

static struct nl_msg *prepare(struct taskrt_listener *listener, uint8_t command)
{
	listener->connection.error[0] = '\0';
	return taskrt_message(&listener->connection, command, 0);
}

static int refuse(struct taskrt_listener *listener, const char *text)
{
	snprintf(listener->connection.error, sizeof(listener->connection.error), "%s", text);
	return -EINVAL;
}

/* What a newer program says beyond what is known here must be nothing. */
static int copy_listen(struct taskrt_listener *listener, struct taskrt_listen *to,
		       const struct taskrt_listen *from, size_t size)
{
	const char *bytes = (const char *)from;
	size_t i;

	memset(to, 0, sizeof(*to));
	if (!from)
		return 0;
	if (size < sizeof(*to))
		return refuse(listener, "the size of struct taskrt_listen is wrong");
	for (i = sizeof(*to); i < size; i++)
		if (bytes[i])
			return refuse(listener, "a condition that this library does not know");
	memcpy(to, from, sizeof(*to));
	if (to->reserved)
		return refuse(listener, "the reserved field is not 0");
	if (to->tgid < 0)
		return refuse(listener, "the process id is negative");
	return 0;
}

static int put_cpus(struct taskrt_listener *listener, struct nl_msg *message, const char *cpus)
{
	if (!cpus)
		cpus = "all";
	if (strlen(cpus) >= TASKRT_CPUMASK_MAX)
		return refuse(listener, "the list of CPUs is too long");
	return nla_put_string(message, TASKRT_A_CPUMASK, cpus) ? -ENOMEM : 0;
}

static int put_listen(struct taskrt_listener *listener, struct nl_msg *message,
		      const struct taskrt_listen *listen)
{
	int err = put_cpus(listener, message, listen->cpus);

	if (err)
		return err;
	if ((listen->what && nla_put_u32(message, TASKRT_A_WHAT, listen->what)) ||
	    (listen->own && nla_put_flag(message, TASKRT_A_OWN)) ||
	    (listen->tgid && nla_put_u32(message, TASKRT_A_TGID, listen->tgid)) ||
	    (listen->cgroup && nla_put_u64(message, TASKRT_A_CGROUP, listen->cgroup)) ||
	    nla_put_u32(message, TASKRT_A_VERSION, TASKRT_STATS_VERSION))
		return -ENOMEM;
	return 0;
}

static int parse(const struct nlmsghdr *reply, struct nlattr **attrs)
{
	static const struct nla_policy policy[TASKRT_A_MAX + 1] = {
		[TASKRT_A_CPUMASK]	= { .type = NLA_STRING },
		[TASKRT_A_SEQ]		= { .type = NLA_U64 },
		[TASKRT_A_LOST]		= { .type = NLA_U64 },
		[TASKRT_A_BACKLOG]	= { .type = NLA_U64 },
	};

	if (!reply || genlmsg_parse((struct nlmsghdr *)reply, 0, attrs, TASKRT_A_MAX,
				    (struct nla_policy *)policy) < 0)
		return -EBADMSG;
	return 0;
}

/* The CPUs that the module echoes. */
static int read_accepted(const struct nlmsghdr *reply, char *accepted, size_t size)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];
	const char *cpus;

	if (!accepted)
		return 0;
	if (parse(reply, attrs) || !attrs[TASKRT_A_CPUMASK])
		return -EBADMSG;
	cpus = nla_get_string(attrs[TASKRT_A_CPUMASK]);
	if (strlen(cpus) >= size)
		return -ENOSPC;
	strcpy(accepted, cpus);
	return 0;
}

/* Sends what put made of it; frees message. */
static int request_accepted(struct taskrt_listener *listener, struct nl_msg *message, int err,
			    char *accepted, size_t size)
{
	struct nlmsghdr *reply = NULL;

	if (err) {
		nlmsg_free(message);
		return err;
	}
	err = request(listener, message, &reply);
	if (!err)
		err = read_accepted(reply, accepted, size);
	free(reply);
	return err;
}

int taskrt_listener_register(struct taskrt_listener *listener,
			     const struct taskrt_listen *listen, size_t size,
			     char *accepted, size_t accepted_size)
{
	struct taskrt_listen full;
	struct nl_msg *message;
	int err;

	if (!listener)
		return -EINVAL;
	message = prepare(listener, TASKRT_CMD_REGISTER);
	if (!message)
		return taskrt_finish(&listener->connection, -ENOMEM);
	err = copy_listen(listener, &full, listen, size);
	if (!err)
		err = put_listen(listener, message, &full);
	err = request_accepted(listener, message, err, accepted, accepted_size);
	return taskrt_finish(&listener->connection, err);
}

int taskrt_listener_deregister(struct taskrt_listener *listener, const char *cpus,
			       char *accepted, size_t accepted_size)
{
	struct nl_msg *message;
	int err;

	if (!listener)
		return -EINVAL;
	message = prepare(listener, TASKRT_CMD_DEREGISTER);
	if (!message)
		return taskrt_finish(&listener->connection, -ENOMEM);
	err = put_cpus(listener, message, cpus);
	err = request_accepted(listener, message, err, accepted, accepted_size);
	return taskrt_finish(&listener->connection, err);
}

static int read_registration(struct nlattr *nest, struct taskrt_listen *listen)
{
	static const struct nla_policy policy[TASKRT_A_MAX + 1] = {
		[TASKRT_A_CPUMASK]	= { .type = NLA_STRING },
		[TASKRT_A_WHAT]		= { .type = NLA_U32 },
		[TASKRT_A_TGID]		= { .type = NLA_U32 },
		[TASKRT_A_CGROUP]	= { .type = NLA_U64 },
	};
	struct nlattr *attrs[TASKRT_A_MAX + 1];

	memset(listen, 0, sizeof(*listen));
	if (nla_parse_nested(attrs, TASKRT_A_MAX, nest, (struct nla_policy *)policy) < 0 ||
	    !attrs[TASKRT_A_CPUMASK])
		return -EBADMSG;
	listen->cpus = nla_get_string(attrs[TASKRT_A_CPUMASK]);
	listen->own = !!attrs[TASKRT_A_OWN];
	if (attrs[TASKRT_A_WHAT])
		listen->what = nla_get_u32(attrs[TASKRT_A_WHAT]);
	if (attrs[TASKRT_A_TGID])
		listen->tgid = nla_get_u32(attrs[TASKRT_A_TGID]);
	if (attrs[TASKRT_A_CGROUP])
		listen->cgroup = nla_get_u64(attrs[TASKRT_A_CGROUP]);
	return 0;
}

static int each_registration(const struct nlmsghdr *reply, uint32_t *count,
			     taskrt_registration_fn fn, void *arg)
{
	struct genlmsghdr *genl = nlmsg_data((struct nlmsghdr *)reply);
	struct taskrt_listen listen;
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0), left) {
		if (nla_type(attr) != TASKRT_A_REGISTRATION)
			continue;
		err = read_registration(attr, &listen);
		if (!err && fn)
			err = fn(&listen, arg);
		if (err)
			return err;
		++*count;
	}
	return 0;
}

static int read_status(const struct nlmsghdr *reply, struct taskrt_listener_status *status,
		       taskrt_registration_fn fn, void *arg)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];

	if (parse(reply, attrs) || !attrs[TASKRT_A_SEQ] || !attrs[TASKRT_A_LOST] ||
	    !attrs[TASKRT_A_BACKLOG])
		return -EBADMSG;
	status->owed = nla_get_u64(attrs[TASKRT_A_SEQ]);
	status->lost = nla_get_u64(attrs[TASKRT_A_LOST]);
	status->backlog_bytes = nla_get_u64(attrs[TASKRT_A_BACKLOG]);
	return each_registration(reply, &status->registrations, fn, arg);
}

static int ask_status(struct taskrt_listener *listener, struct taskrt_listener_status *status,
		      taskrt_registration_fn fn, void *arg)
{
	struct nl_msg *message = prepare(listener, TASKRT_CMD_LIST);
	struct nlmsghdr *reply = NULL;
	int err;

	if (!message)
		return -ENOMEM;
	err = request(listener, message, &reply);
	if (!err)
		err = read_status(reply, status, fn, arg);
	free(reply);
	return err;
}

int taskrt_listener_status(struct taskrt_listener *listener,
			   struct taskrt_listener_status *status, size_t size,
			   taskrt_registration_fn fn, void *arg)
{
	struct taskrt_listener_status full = { 0 };
	int err = -EINVAL;

	if (!listener)
		return err;
	listener->connection.error[0] = '\0';
	if (!status || size >= sizeof(full))
		err = ask_status(listener, &full, fn, arg);
	if (!err && status) {
		memset(status, 0, size);
		memcpy(status, &full, sizeof(full));
	}
	return taskrt_finish(&listener->connection, err);
}
