// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A listener: a socket of its own, and the records that come to it.
 *
 * The module's count (SEQ) says how many records were owed before those of a
 * message.  Where it is ahead of those that were handed out, the difference was
 * lost, whatever the reason, and is handed out as such first.  So what the
 * caller gets always sums to what the module owed.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>

#include "internal.h"
#include "listener.h"

static int get_buffer(int fd)
{
	socklen_t length = sizeof(int);
	int bytes;

	return getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) ? -errno : bytes;
}

/* As SO_RCVBUF: the kernel has twice as much, for its own needs. */
static int set_buffer(int fd, int bytes)
{
	if (!setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		return 0;
	return setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) ? -errno : 0;
}

/* libnl makes it smaller than the system's default, which a new socket has. */
static int restore_buffer(int fd)
{
	int other = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int bytes;

	if (other < 0)
		return -errno;
	bytes = get_buffer(other);
	close(other);
	return bytes < 0 ? bytes : set_buffer(fd, bytes / 2);
}

static int connect_listener(struct taskrt_listener *listener)
{
	int err = taskrt_prepare(&listener->connection), fd;

	if (err)
		return err;
	fd = nl_socket_get_fd(listener->connection.socket);
	taskrt_inbox_init(&listener->inbox, fd, listener->connection.family, TASKRT_CMD_EXIT);
	return restore_buffer(fd);
}

int taskrt_listener_open(struct taskrt_listener **listener)
{
	struct taskrt_listener *new;
	int err;

	if (!listener)
		return -EINVAL;
	*listener = NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	err = connect_listener(new);
	if (err)
		taskrt_listener_close(new);
	else
		*listener = new;
	return err;
}

void taskrt_listener_close(struct taskrt_listener *listener)
{
	if (!listener)
		return;
	nl_socket_free(listener->connection.socket);
	taskrt_inbox_clear(&listener->inbox);
	free(listener);
}

const char *taskrt_listener_error(const struct taskrt_listener *listener)
{
	return listener ? listener->connection.error : "";
}

int taskrt_listener_fd(const struct taskrt_listener *listener)
{
	return listener ? listener->inbox.fd : -EINVAL;
}

int taskrt_listener_set_buffer(struct taskrt_listener *listener, size_t bytes, size_t *got)
{
	int err;

	if (!listener)
		return -EINVAL;
	listener->connection.error[0] = '\0';
	err = set_buffer(listener->inbox.fd, bytes < INT_MAX / 2 ? bytes : INT_MAX / 2);
	if (!err && got) {
		err = get_buffer(listener->inbox.fd);
		if (err >= 0)
			*got = err;
	}
	return taskrt_finish(&listener->connection, err < 0 ? err : 0);
}

static int begin(struct taskrt_listener *listener, const struct nlmsghdr *header)
{
	int err = taskrt_exits_begin(&listener->exits, header);

	if (err)
		memset(&listener->exits, 0, sizeof(listener->exits));
	return err;
}

static int tell_loss(struct taskrt_listener *listener, uint64_t lost_now,
		     struct taskrt_exit *exit, size_t size)
{
	memset(exit, 0, size);
	exit->type = TASKRT_EXIT_LOST;
	exit->seq = listener->told + listener->lost;
	listener->lost += lost_now;
	exit->lost = listener->lost;
	exit->lost_now = lost_now;
	return 1;
}

/* The next of the message being read: what was lost before it, then its records. */
static int take(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size)
{
	uint64_t counted = listener->told + listener->lost;
	int found;

	if (listener->exits.seq > counted)
		return tell_loss(listener, listener->exits.seq - counted, exit, size);
	found = taskrt_exits_next(&listener->exits, exit, size);
	if (found > 0) {
		exit->seq = counted;
		exit->lost = listener->lost;
		listener->told++;
	} else if (found < 0) {
		listener->exits.left = 0;
	}
	return found;
}

static int next(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size)
{
	const struct nlmsghdr *header;
	int found = take(listener, exit, size);

	while (!found) {
		found = taskrt_inbox_next(&listener->inbox, &header);
		if (found <= 0)
			return found;
		found = begin(listener, header);
		if (!found)
			found = take(listener, exit, size);
	}
	return found;
}

int taskrt_listener_next(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size)
{
	int found = -EINVAL;

	if (!listener)
		return found;
	listener->connection.error[0] = '\0';
	if (exit && size >= TASKRT_EXIT_SIZE_MIN)
		found = next(listener, exit, size);
	return taskrt_finish(&listener->connection, found);
}
