// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A collector: a socket on the multicast group of alerts.
 *
 * An alert may come in several messages, one right after the other.  When the
 * socket was full (overrun), some of those that came after the ones still in it
 * are missing, and nothing in a message tells.  So until the socket has been
 * empty once, only alerts of a single message are believed to be whole.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>

#include "internal.h"
#include "alert.h"
#include "connection.h"
#include "inbox.h"

/* A few of the longest alerts there can be. */
#define BUFFER_SIZE	(4 << 20)

struct taskrt_alerts {
	struct taskrt connection;	/* its socket is never replaced */
	struct taskrt_inbox inbox;
	struct taskrt_alert_parts parts;
	struct taskrt_alert alert;
	uint64_t last_seq;		/* handed out; 0: none yet */
};

static int join(int fd, int group)
{
	return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) ?
	       -errno : 0;
}

/* Without the right to it there would be no membership either. */
static void set_buffer(int fd)
{
	const int bytes = BUFFER_SIZE;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
}

/* One may join the group in any network namespace, but hears nothing in others. */
static int check_namespace(struct taskrt *connection)
{
	struct taskrt_info info;
	int err = taskrt_get_info(connection, &info, sizeof(info));

	return err ? err : info.initial & TASKRT_INITIAL_NET ? 0 : -EPERM;
}

/* Generic netlink's own group, whose number is fixed, tells when the module goes. */
static int connect_alerts(struct taskrt_alerts *alerts)
{
	struct taskrt *connection = &alerts->connection;
	int err = taskrt_prepare(connection), fd;

	if (err)
		return err;
	if (!connection->alerts_group)
		return -EOPNOTSUPP;
	err = check_namespace(connection);
	if (err)
		return err;
	fd = nl_socket_get_fd(connection->socket);
	taskrt_inbox_init(&alerts->inbox, fd, connection->family, TASKRT_CMD_ALERT);
	set_buffer(fd);
	err = join(fd, GENL_ID_CTRL);
	return err ? err : join(fd, connection->alerts_group);
}

int taskrt_alerts_open(struct taskrt_alerts **alerts)
{
	struct taskrt_alerts *new;
	int err;

	if (!alerts)
		return -EINVAL;
	*alerts = NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	taskrt_alert_clear(&new->parts);
	err = connect_alerts(new);
	if (err)
		taskrt_alerts_close(new);
	else
		*alerts = new;
	return err;
}

void taskrt_alerts_close(struct taskrt_alerts *alerts)
{
	if (!alerts)
		return;
	nl_socket_free(alerts->connection.socket);
	taskrt_inbox_clear(&alerts->inbox);
	taskrt_alert_clear(&alerts->parts);
	free(alerts);
}

const char *taskrt_alerts_error(const struct taskrt_alerts *alerts)
{
	return alerts ? alerts->connection.error : "";
}

int taskrt_alerts_fd(const struct taskrt_alerts *alerts)
{
	return alerts ? alerts->inbox.fd : -EINVAL;
}

static int hand_out(struct taskrt_alerts *alerts)
{
	struct taskrt_alert *alert = &alerts->alert;
	int err = taskrt_alert_read(&alerts->parts, alert);

	if (err) {
		taskrt_alert_clear(&alerts->parts);
		return err;
	}
	if (alerts->last_seq && alert->seq > alerts->last_seq)
		alert->missed_seq = alert->seq - alerts->last_seq - 1;
	alerts->last_seq = alert->seq;
	return 1;
}

/* Return: 1: that was the last one of an alert; 0: go on; negative: an error. */
static int take(struct taskrt_alerts *alerts, const struct nlmsghdr *header)
{
	struct taskrt_alert_parts *parts = &alerts->parts;
	struct taskrt_alert_place place;
	int err = taskrt_alert_place(header, &place);

	if (err)
		return err;
	if (place.first || (parts->nr && place.seq != parts->seq))
		taskrt_alert_clear(parts);
	if (!place.first && !parts->nr)
		return 0;	/* of one that began before this, or was given up */
	parts->seq = place.seq;
	err = taskrt_alert_add(parts, header);
	if (err) {
		taskrt_alert_clear(parts);
		return err;
	}
	if (!place.last)
		return 0;
	if (alerts->inbox.overrun && parts->nr > 1) {
		taskrt_alert_clear(parts);
		return 0;
	}
	return hand_out(alerts);
}

/* Without waiting. */
static int next(struct taskrt_alerts *alerts)
{
	const struct nlmsghdr *header;
	int found;

	do {
		found = taskrt_inbox_next(&alerts->inbox, &header);
		if (!found && alerts->inbox.overrun) {
			alerts->inbox.overrun = false;
			taskrt_alert_clear(&alerts->parts);
		}
		if (found <= 0)
			return found;
		found = take(alerts, header);
	} while (!found);
	return found;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static int wait_until(struct taskrt_alerts *alerts, int64_t until_ms)
{
	struct pollfd pollfd = { .fd = alerts->inbox.fd, .events = POLLIN };
	int64_t left = until_ms < 0 ? -1 : until_ms - now_ms();
	int ready;

	if (until_ms >= 0 && left <= 0)
		return 0;
	ready = poll(&pollfd, 1, left);
	return ready < 0 ? -errno : ready;
}

int taskrt_alerts_next(struct taskrt_alerts *alerts, int timeout_ms,
		       const struct taskrt_alert **alert)
{
	int64_t until_ms = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
	int found = -EINVAL;

	if (!alerts)
		return found;
	alerts->connection.error[0] = '\0';
	if (!alert)
		return taskrt_finish(&alerts->connection, found);
	*alert = NULL;
	do {
		found = next(alerts);
		if (!found && timeout_ms)
			found = wait_until(alerts, until_ms);
		else
			break;
	} while (found > 0);
	if (found > 0)
		*alert = &alerts->alert;
	return taskrt_finish(&alerts->connection, found);
}
