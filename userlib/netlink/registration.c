// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The exits that a listener receives: the commands REGISTER, DEREGISTER and LIST.
 *
 * All three can be repeated without harm.  That is done when the socket was full of
 * records, so that the kernel had no room for the acknowledgment (ENOBUFS) or for the
 * reply before it (the acknowledgment is EAGAIN); and while the module frees what the user
 * has closed or replaced (EAGAIN).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/genl/genl.h>

#include "internal.h"
#include "netlink/error.h"
#include "netlink/exits.h"
#include "netlink/filter.h"
#include "netlink/message.h"
#include "sized.h"

/* Before each repetition the socket has been emptied. */
#define TRIES	10

/* The module frees after a grace period of RCU. */
static void pause_for_module(void)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

	nanosleep(&pause, NULL);
}

/* Send @message.  The caller frees *reply. */
static int registration_request(struct taskrt_exits *exits, struct taskrt_message *message,
				struct nlmsghdr **reply)
{
	struct taskrt *connection = &exits->connection;
	int err = taskrt_connection_check(connection), tries = TRIES;

	if (err)
		return err;
	do {
		taskrt_error_clear(&connection->error);
		exits->queue.overrun = false;
		err = taskrt_exchange_send(&connection->channel, message);
		if (err)
			break;
		err = taskrt_receive_queue_answer(&exits->queue, &message->header, reply,
						  &connection->error);
		if (err == -EAGAIN && tries > 1)
			pause_for_module();
	} while ((err == -ENOBUFS || err == -EAGAIN) && --tries);

	/* Errors of generic netlink itself have no text, and errors of the module have one. */
	if (err == -ENOENT && !connection->error.text[0]) {
		exits->queue.gone = true;
		err = -ENODEV;
	}
	return err;
}

/* An acknowledgment is requested, because it tells if there was no room for the reply. */
static void prepare(const struct taskrt_exits *exits, struct taskrt_message *message,
		    uint8_t command)
{
	taskrt_connection_message(&exits->connection, message, command, NLM_F_ACK);
}

static int check_cpus(struct taskrt_exits *exits, const char *cpus)
{
	if (strlen(cpus) >= TASKRT_CPUMASK_MAX)
		return taskrt_connection_refuse(&exits->connection, -EINVAL,
						"the list of CPUs is too long");
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

/* Read the CPUs that the module echoes. */
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

static int request_accepted(struct taskrt_exits *exits, struct taskrt_message *message,
			    char *accepted, size_t size)
{
	struct nlmsghdr *reply = NULL;
	int err = registration_request(exits, message, &reply);

	if (!err)
		err = read_accepted(reply, accepted, size);
	free(reply);
	return err;
}

static int register_query(struct taskrt_exits *exits, const char *cpus,
			  const struct taskrt_query *query, char *accepted, size_t size)
{
	const char *list = cpus ? cpus : "all";
	struct taskrt_message message;
	int err = check_cpus(exits, list);

	if (err)
		return err;
	prepare(exits, &message, TASKRT_CMD_REGISTER);
	taskrt_message_put_string(&message, TASKRT_A_CPUMASK, list);
	taskrt_filter_put(&message, query);
	err = request_accepted(exits, &message, accepted, size);
	return taskrt_filter_error(&exits->connection, query, err, !cpus);
}

int taskrt_exits_register(struct taskrt_exits *exits, const char *cpus,
			  const struct taskrt_query *query, size_t size,
			  char *accepted, size_t accepted_size)
{
	struct taskrt_query full = { 0 };
	int err = 0;

	if (!exits)
		return -EINVAL;
	taskrt_error_clear(&exits->connection.error);
	if (query)
		err = taskrt_filter_in(&exits->connection, &full, query, size);
	/* If the library left out records, the numbers would no longer add up. */
	if (!err && taskrt_filter_is_ours(&full))
		err = taskrt_connection_refuse(&exits->connection, -EOPNOTSUPP,
					       "exits have no filter by uid, state, name or id");
	if (!err)
		err = register_query(exits, cpus, &full, accepted, accepted_size);
	return taskrt_connection_finish(&exits->connection, err);
}

static int deregister(struct taskrt_exits *exits, const char *cpus,
		      char *accepted, size_t size)
{
	struct taskrt_message message;
	int err = check_cpus(exits, cpus);

	if (err)
		return err;
	prepare(exits, &message, TASKRT_CMD_DEREGISTER);
	taskrt_message_put_string(&message, TASKRT_A_CPUMASK, cpus);
	return request_accepted(exits, &message, accepted, size);
}

int taskrt_exits_deregister(struct taskrt_exits *exits, const char *cpus,
			    char *accepted, size_t accepted_size)
{
	if (!exits)
		return -EINVAL;
	taskrt_error_clear(&exits->connection.error);
	return taskrt_connection_finish(&exits->connection, deregister(exits, cpus ? cpus : "all",
								       accepted, accepted_size));
}

/* What cpus points to is in the nest. */
static int read_registration(struct nlattr *nest, struct taskrt_registration *registration)
{
	static const struct nla_policy policy[TASKRT_A_MAX + 1] = {
		[TASKRT_A_CPUMASK]	= { .type = NLA_STRING },
		[TASKRT_A_ENTITIES]	= { .type = NLA_U32 },
		[TASKRT_A_GROUPS]	= { .type = NLA_U32 },
	};
	struct nlattr *attrs[TASKRT_A_MAX + 1];

	memset(registration, 0, sizeof(*registration));
	if (nla_parse_nested(attrs, TASKRT_A_MAX, nest, (struct nla_policy *)policy) < 0 ||
	    !attrs[TASKRT_A_CPUMASK])
		return -EBADMSG;
	registration->cpus = nla_get_string(attrs[TASKRT_A_CPUMASK]);
	if (attrs[TASKRT_A_ENTITIES])
		registration->query.entities = nla_get_u32(attrs[TASKRT_A_ENTITIES]);
	if (attrs[TASKRT_A_GROUPS])
		registration->query.groups = nla_get_u32(attrs[TASKRT_A_GROUPS]);
	if (attrs[TASKRT_A_FILTER])
		taskrt_filter_read(attrs[TASKRT_A_FILTER], &registration->query);
	return 0;
}

/* Return: 1; 0: there is no registration; -EBADMSG. */
static int read_listed(const struct nlmsghdr *reply, struct nlattr **attrs,
		       struct taskrt_registration *registration)
{
	int err;

	if (parse(reply, attrs))
		return -EBADMSG;
	if (!attrs[TASKRT_A_REGISTRATION])
		return 0;
	err = read_registration(attrs[TASKRT_A_REGISTRATION], registration);
	return err ? err : 1;
}

static int read_status(const struct nlmsghdr *reply, struct taskrt_exits_status *status)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];
	struct taskrt_registration any;
	int found = read_listed(reply, attrs, &any);

	if (found < 0)
		return found;
	if (!attrs[TASKRT_A_SEQ] || !attrs[TASKRT_A_LOST] || !attrs[TASKRT_A_BACKLOG])
		return -EBADMSG;
	status->sequence = nla_get_u64(attrs[TASKRT_A_SEQ]);
	status->lost = nla_get_u64(attrs[TASKRT_A_LOST]);
	status->backlog_bytes = nla_get_u64(attrs[TASKRT_A_BACKLOG]);
	status->registered = found;
	return 0;
}

static int ask_status(struct taskrt_exits *exits, struct taskrt_exits_status *status)
{
	struct taskrt_message message;
	struct nlmsghdr *reply = NULL;
	int err;

	prepare(exits, &message, TASKRT_CMD_LIST);
	err = registration_request(exits, &message, &reply);
	if (!err)
		err = read_status(reply, status);
	if (err) {
		free(reply);
		return err;
	}
	free(exits->listed);
	exits->listed = reply;
	return 0;
}

int taskrt_exits_get_status(struct taskrt_exits *exits,
			    struct taskrt_exits_status *status, size_t size)
{
	struct taskrt_exits_status full = { 0 };
	int err = -EINVAL;

	if (!exits)
		return err;
	taskrt_error_clear(&exits->connection.error);
	if (status && size)
		err = ask_status(exits, &full);
	if (!err)
		taskrt_sized_out(status, size, &full, sizeof(full));
	return taskrt_connection_finish(&exits->connection, err);
}

int taskrt_exits_registration(const struct taskrt_exits *exits,
			      struct taskrt_registration *registration, size_t size)
{
	struct nlattr *attrs[TASKRT_A_MAX + 1];
	struct taskrt_registration full;
	int found;

	if (!exits || !registration || !size)
		return -EINVAL;
	found = exits->listed ? read_listed(exits->listed, attrs, &full) : 0;
	if (found <= 0)
		return found ? found : -ENOENT;
	taskrt_sized_out(registration, size, &full, sizeof(full));
	return 0;
}
