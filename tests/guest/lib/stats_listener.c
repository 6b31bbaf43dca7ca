// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/taskstats.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "raw.h"
#include "stats_listener.h"
#include "tap.h"

static void in_aggregate(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct stats_listener *listener = arg;

	if (attr->nla_type == TASKSTATS_TYPE_PID && length == sizeof(pid_t) &&
	    listener->count < STATS_LISTENER_MOST)
		memcpy(&listener->heard[listener->count++], payload, length);
}

static void in_message(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	if (attr->nla_type == TASKSTATS_TYPE_AGGR_PID)
		raw_walk(payload, length, in_aggregate, arg);
}

static void possible_cpus(char *text, size_t size)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "r");

	if (!file || !fgets(text, size, file))
		tap_bail("no possible CPUs");
	text[strcspn(text, "\n")] = 0;
	fclose(file);
}

void stats_listener_open(struct stats_listener *listener)
{
	struct raw_message message;
	int usual;
	socklen_t length = sizeof(usual);
	char cpus[64];
	struct raw raw;
	int fd = socket(AF_NETLINK, SOCK_RAW, 0);

	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &usual, &length);
	close(fd);
	memset(listener, 0, sizeof(*listener));
	listener->fd = -1;
	if (raw_open_family(&raw, TASKSTATS_GENL_NAME))
		return;
	/* The kernel doubles the size that it is given. */
	usual /= 2;
	setsockopt(raw.fd, SOL_SOCKET, SO_RCVBUF, &usual, sizeof(usual));
	possible_cpus(cpus, sizeof(cpus));
	raw_begin(&raw, &message, TASKSTATS_CMD_GET, 0);
	raw_put(&message, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, cpus, strlen(cpus) + 1);
	if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0)
		tap_bail("taskstats: %s", strerror(errno));
	listener->fd = raw.fd;
	listener->family = raw.family;
}

void stats_listener_read(struct stats_listener *listener)
{
	char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (const void *)buffer;
	const size_t header = NLMSG_HDRLEN + GENL_HDRLEN;
	ssize_t n;

	for (;;) {
		n = listener->fd < 0 ? -1 :
				       recv(listener->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
		if (n < 0 && listener->fd >= 0 && errno == ENOBUFS) {
			listener->overruns++;
			continue;
		}
		if (n < (ssize_t)header)
			return;
		listener->messages++;
		if (nl->nlmsg_type == listener->family)
			raw_walk(buffer + header, n - header, in_message, listener);
	}
}

int stats_listener_heard(const struct stats_listener *listener, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < listener->count; i++)
		if (listener->heard[i] == tid)
			return 1;
	return 0;
}
