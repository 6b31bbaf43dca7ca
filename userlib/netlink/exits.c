// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A listener: a socket of its own, and the records that arrive on it.
 *
 * The module numbers the records of a listener.  SEQ of a message is the number of
 * records before those in it.  If SEQ is ahead of the records that were returned, the
 * difference was lost, for whatever reason, and is returned as a loss first.  So records
 * and losses always sum to the module's number.
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
#include "netlink/exits.h"
#include "sized.h"

static int exits_get_buffer(int fd)
{
	socklen_t length = sizeof(int);
	int bytes;

	return getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) ? -errno : bytes;
}

/* The kernel doubles the value of SO_RCVBUF, for its own bookkeeping. */
static int exits_set_buffer(int fd, int bytes)
{
	if (!setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		return 0;
	return setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) ? -errno : 0;
}

/* libnl makes the buffer smaller than the system's default, which a new socket has. */
static int exits_restore_buffer(int fd)
{
	int other = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int bytes;

	if (other < 0)
		return -errno;
	bytes = exits_get_buffer(other);
	close(other);
	return bytes < 0 ? bytes : exits_set_buffer(fd, bytes / 2);
}

static int connect_exits(struct taskrt_exits *exits)
{
	int err = taskrt_connection_prepare(&exits->connection), fd;

	if (err)
		return err;
	taskrt_connection_free_buffer(&exits->connection);
	fd = exits->connection.channel.fd;
	taskrt_receive_queue_init(&exits->queue, fd, exits->connection.family, TASKRT_CMD_EXIT);
	return exits_restore_buffer(fd);
}

int taskrt_exits_open(struct taskrt_exits **exits)
{
	struct taskrt_exits *new;
	int err;

	if (!exits)
		return -EINVAL;
	*exits = NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	err = connect_exits(new);
	if (err)
		taskrt_exits_close(new);
	else
		*exits = new;
	return err;
}

void taskrt_exits_close(struct taskrt_exits *exits)
{
	if (!exits)
		return;
	taskrt_connection_release(&exits->connection);
	taskrt_receive_queue_clear(&exits->queue);
	free(exits->listed);
	free(exits);
}

const char *taskrt_exits_error(const struct taskrt_exits *exits)
{
	return exits ? exits->connection.error.text : "";
}

int taskrt_exits_fd(const struct taskrt_exits *exits)
{
	return exits ? exits->queue.fd : -EINVAL;
}

int taskrt_exits_set_buffer(struct taskrt_exits *exits, size_t bytes, size_t *got)
{
	int err;

	if (!exits)
		return -EINVAL;
	taskrt_error_clear(&exits->connection.error);
	err = taskrt_connection_check(&exits->connection);
	if (!err)
		err = exits_set_buffer(exits->queue.fd, bytes < INT_MAX / 2 ? bytes : INT_MAX / 2);
	if (!err && got) {
		err = exits_get_buffer(exits->queue.fd);
		if (err >= 0)
			*got = err;
	}
	return taskrt_connection_finish(&exits->connection, err < 0 ? err : 0);
}

static int exits_begin_message(struct taskrt_exits *exits, const struct nlmsghdr *header)
{
	int err = taskrt_exit_message_begin(&exits->message, header);

	if (err)
		memset(&exits->message, 0, sizeof(exits->message));
	return err;
}

static int exits_report_loss(struct taskrt_exits *exits, uint64_t lost_now,
			     struct taskrt_exit *exit)
{
	memset(exit, 0, sizeof(*exit));
	exit->type = TASKRT_EXIT_LOST;
	exit->seq = exits->delivered + exits->lost;
	exits->lost += lost_now;
	exit->lost = exits->lost;
	exit->lost_now = lost_now;
	return 1;
}

/* Return what comes next in the present message: the loss before it, then its records. */
static int exits_take(struct taskrt_exits *exits, struct taskrt_exit *exit)
{
	uint64_t counted = exits->delivered + exits->lost;
	int found;

	if (exits->message.seq > counted)
		return exits_report_loss(exits, exits->message.seq - counted, exit);
	found = taskrt_exit_message_next(&exits->message, exit);
	if (found > 0) {
		exit->seq = counted;
		exit->lost = exits->lost;
		exits->delivered++;
	} else if (found < 0) {
		exits->message.rest.left = 0;
	}
	return found;
}

/* Return the next record without waiting for one. */
static int exits_next_now(struct taskrt_exits *exits, struct taskrt_exit *exit)
{
	const struct nlmsghdr *header;
	int found = exits_take(exits, exit);

	while (!found) {
		found = taskrt_receive_queue_next(&exits->queue, &header);
		if (found <= 0)
			return found;
		found = exits_begin_message(exits, header);
		if (!found)
			found = exits_take(exits, exit);
	}
	return found;
}

int taskrt_exits_next(struct taskrt_exits *exits, int timeout_ms,
		      struct taskrt_exit *exit, size_t size)
{
	struct taskrt_exit full;
	int64_t until_ms;
	int found;

	if (!exits)
		return -EINVAL;
	taskrt_error_clear(&exits->connection.error);
	if (!exit || size < TASKRT_EXIT_MIN)
		return taskrt_connection_finish(&exits->connection, -EINVAL);
	found = taskrt_connection_check(&exits->connection);
	if (!found)
		found = exits_next_now(exits, &full);
	/* Reading the clock is worth it only if nothing is there yet. */
	if (!found && timeout_ms) {
		until_ms = taskrt_receive_queue_until(timeout_ms);
		while (!found && (found = taskrt_receive_queue_wait(&exits->queue, until_ms)) > 0)
			found = exits_next_now(exits, &full);
	}
	if (found > 0)
		taskrt_sized_out(exit, size, &full, sizeof(full));
	return taskrt_connection_finish(&exits->connection, found);
}
