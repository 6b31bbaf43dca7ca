// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <taskrt.h>
#include <unistd.h>

#include "delays.h"
#include "raw.h"
#include "tap.h"

static void in_aggregate(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	if (attr->nla_type == TASKSTATS_TYPE_STATS)
		memcpy(arg, payload,
		       length < sizeof(struct taskstats) ? length : sizeof(struct taskstats));
}

static void in_message(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	if (attr->nla_type == TASKSTATS_TYPE_AGGR_PID)
		raw_walk(payload, length, in_aggregate, arg);
}

void delays_ask(pid_t pid, struct taskstats *reading)
{
	char buffer[4096] __attribute__((aligned(8)));
	struct nlmsghdr *nl = (void *)buffer;
	struct raw_message message;
	struct raw raw;
	ssize_t n;

	memset(reading, 0, sizeof(*reading));
	if (raw_open_family(&raw, TASKSTATS_GENL_NAME))
		tap_bail("no taskstats in this kernel");
	raw_begin(&raw, &message, TASKSTATS_CMD_GET, 0);
	raw_put_u32(&message, TASKSTATS_CMD_ATTR_PID, pid);
	if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0)
		tap_bail("taskstats: %s", strerror(errno));
	n = recv(raw.fd, buffer, sizeof(buffer), 0);
	if (n < (ssize_t)(NLMSG_HDRLEN + GENL_HDRLEN) || nl->nlmsg_type != raw.family)
		tap_bail("taskstats does not answer");
	raw_walk(buffer + NLMSG_HDRLEN + GENL_HDRLEN, n - NLMSG_HDRLEN - GENL_HDRLEN,
		 in_message, reading);
	raw_close(&raw);
}

static int kernel_is(int series, int version)
{
	struct utsname name;
	int major = 0, minor = 0;

	uname(&name);
	sscanf(name.release, "%d.%d", &major, &minor);
	return major > series || (major == series && minor >= version);
}

/* Before 5.14 there was no switch: it was on. */
static int always_on(void)
{
	return !kernel_is(5, 14);
}

uint32_t delays_kinds(void)
{
	return 1U << TASKRT_TIMER_RECLAIM | 1U << TASKRT_TIMER_THRASHING |
	       1U << TASKRT_TIMER_SWAPIN |
	       (kernel_is(5, 17) ? 1U << TASKRT_TIMER_COMPACT : 0) |
	       (kernel_is(6, 0) ? 1U << TASKRT_TIMER_WPCOPY : 0);
}

#define SWITCH	"/proc/sys/kernel/task_delayacct"

int delays_are_on(void)
{
	int fd = open(SWITCH, O_RDONLY | O_CLOEXEC);
	char value = '0';

	if (fd < 0)
		return always_on();
	if (read(fd, &value, 1) != 1)
		tap_bail("cannot read " SWITCH);
	close(fd);
	return value == '1';
}

int delays_switch(int on)
{
	int fd = open(SWITCH, O_WRONLY | O_CLOEXEC);
	int ok = fd >= 0 && write(fd, on ? "1" : "0", 1) == 1;

	if (fd >= 0)
		close(fd);
	return ok || (on && always_on());
}
