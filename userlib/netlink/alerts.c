// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A collector: a socket in the multicast group of alerts.
 *
 * An alert may span several messages, which are sent one right after the other.  If the
 * socket was full (overrun), some of the messages after those still in it are lost, and
 * the messages do not show which.  So until the socket has been empty once, only alerts
 * of a single message are known to be complete.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>

#include "internal.h"
#include "netlink/alert.h"
#include "netlink/connection.h"
#include "netlink/receive_queue.h"
#include "sized.h"

/* The size of the receive buffer, a few times the longest possible alert. */
#define BUFFER_SIZE	(4 << 20)

struct taskrt_alerts {
	struct taskrt connection;	/* its socket is never replaced */
	struct taskrt_receive_queue queue;
	struct taskrt_alert_parts parts;
	uint64_t next_seq;		/* the one after the last alert returned */
	bool delivered;			/* an alert has been returned */
};

static int join(int fd, int group)
{
	return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) ?
	       -errno : 0;
}

/* Errors are ignored: without the right to do this, joining the group fails, too. */
static void alerts_set_buffer(int fd)
{
	const int bytes = BUFFER_SIZE;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
}

/* The group can be joined in any network namespace, but alerts are sent in the initial one only. */
static int check_namespace(struct taskrt *connection)
{
	struct taskrt_info info;
	int err = taskrt_get_info(connection, &info, sizeof(info));

	return err ? err : info.initial & TASKRT_INITIAL_NET ? 0 : -EPERM;
}

/* The C library has this function, but declares it in no header. */
int capget(cap_user_header_t header, cap_user_data_t data);

#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

/* CAP_NET_ADMIN is enough to join, but without CAP_PERFMON the module sends nothing. */
static int check_right(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (capget(&header, data))
		return 0;
	return data[CAP_PERFMON / 32].effective & 1U << CAP_PERFMON % 32 ? 0 : -EPERM;
}

/*
 * Also join generic netlink's own group, which has a fixed number, to learn when the
 * module is removed.
 */
static int connect_alerts(struct taskrt_alerts *alerts)
{
	struct taskrt *connection = &alerts->connection;
	int err = taskrt_connection_prepare(connection), fd;

	if (err)
		return err;
	if (!connection->alerts_group)
		return -EOPNOTSUPP;
	err = check_namespace(connection);
	if (!err)
		err = check_right();
	if (err)
		return err;
	taskrt_connection_free_buffer(connection);
	fd = connection->channel.fd;
	taskrt_receive_queue_init(&alerts->queue, fd, connection->family, TASKRT_CMD_ALERT);
	alerts_set_buffer(fd);
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
	taskrt_connection_release(&alerts->connection);
	taskrt_receive_queue_clear(&alerts->queue);
	taskrt_alert_clear(&alerts->parts);
	free(alerts);
}

const char *taskrt_alerts_error(const struct taskrt_alerts *alerts)
{
	return alerts ? alerts->connection.error.text : "";
}

int taskrt_alerts_fd(const struct taskrt_alerts *alerts)
{
	return alerts ? alerts->queue.fd : -EINVAL;
}

static int deliver(struct taskrt_alerts *alerts, struct taskrt_alert *alert)
{
	int err = taskrt_alert_read(&alerts->parts, alert);

	if (err) {
		taskrt_alert_clear(&alerts->parts);
		return err;
	}
	if (alerts->delivered && alert->seq > alerts->next_seq)
		alert->gap = alert->seq - alerts->next_seq;
	alerts->delivered = true;
	alerts->next_seq = alert->seq + 1;
	return 1;
}

/* Return: 1: the alert is complete; 0: more messages follow; a negative errno. */
static int alerts_take(struct taskrt_alerts *alerts, const struct nlmsghdr *header,
		       struct taskrt_alert *alert)
{
	struct taskrt_alert_parts *parts = &alerts->parts;
	struct taskrt_alert_place place;
	int err = taskrt_alert_place(header, &place);

	if (err)
		return err;
	if (place.first || (parts->nr && place.seq != parts->seq))
		taskrt_alert_clear(parts);
	if (!place.first && !parts->nr)
		return 0;	/* its first message was lost or dropped */
	parts->seq = place.seq;
	err = taskrt_alert_add(parts, header);
	if (err) {
		taskrt_alert_clear(parts);
		return err;
	}
	if (!place.last)
		return 0;
	if (alerts->queue.overrun && parts->nr > 1) {
		taskrt_alert_clear(parts);
		return 0;
	}
	return deliver(alerts, alert);
}

/* Return the next alert without waiting for one. */
static int alerts_next_now(struct taskrt_alerts *alerts, struct taskrt_alert *alert)
{
	const struct nlmsghdr *header;
	int found;

	do {
		found = taskrt_receive_queue_next(&alerts->queue, &header);
		if (!found && alerts->queue.overrun) {
			alerts->queue.overrun = false;
			taskrt_alert_clear(&alerts->parts);
		}
		if (found <= 0)
			return found;
		found = alerts_take(alerts, header, alert);
	} while (!found);
	return found;
}

int taskrt_alerts_next(struct taskrt_alerts *alerts, int timeout_ms,
		       struct taskrt_alert *alert, size_t size)
{
	struct taskrt_alert full;
	int64_t until_ms;
	int found;

	if (!alerts)
		return -EINVAL;
	taskrt_error_clear(&alerts->connection.error);
	if (!alert || !size)
		return taskrt_connection_finish(&alerts->connection, -EINVAL);
	found = taskrt_connection_check(&alerts->connection);
	if (!found)
		found = alerts_next_now(alerts, &full);
	if (!found && timeout_ms) {
		until_ms = taskrt_receive_queue_until(timeout_ms);
		while (!found && (found = taskrt_receive_queue_wait(&alerts->queue, until_ms)) > 0)
			found = alerts_next_now(alerts, &full);
	}
	if (found > 0)
		taskrt_sized_out(alert, size, &full, sizeof(full));
	return taskrt_connection_finish(&alerts->connection, found);
}

int taskrt_alerts_event(const struct taskrt_alerts *alerts, uint32_t index,
			struct taskrt_alert_event *event, size_t size)
{
	if (!alerts || !event || !size)
		return -EINVAL;
	if (index >= alerts->parts.nr_events)
		return -ENOENT;
	taskrt_sized_out(event, size, &alerts->parts.events[index],
			 sizeof(alerts->parts.events[index]));
	return 0;
}
