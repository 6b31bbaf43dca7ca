// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user without rights joins every multicast group of generic netlink before the module is
 * there, which the kernel permits: the groups are nobody's.  The module takes one of them,
 * and its alerts are for those who may have them alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "module.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"

#define GROUPS		1024

static struct alert_listener listener;
static int to_child[2], to_parent[2];

static int wait_for(int fd)
{
	int number;

	return read(fd, &number, sizeof(number)) == sizeof(number) ? number : -1;
}

static void tell(int fd, int number)
{
	if (write(fd, &number, sizeof(number)) != sizeof(number))
		exit(1);
}

static int join_all(int fd)
{
	int group, joined = 0;

	for (group = 1; group <= GROUPS; group++)
		joined += !setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
				      sizeof(group));
	return joined;
}

/* The messages of the family that have come. */
static int count(int fd, int family)
{
	static char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *header = (void *)buffer;
	int number = 0;

	for (;;) {
		ssize_t length = recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT);

		if (length < 0 && errno == ENOBUFS)
			continue;
		if (length < (ssize_t)sizeof(*header))
			return number;
		number += header->nlmsg_type == family;
	}
}

static void listen_in(void)
{
	const struct ask_who nobody = { .uid = ASK_USER, .euid = ASK_USER, .gid = ASK_USER };
	const struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd;

	ask_become(&nobody);
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	/* A socket without an address is taken for the sender, the kernel itself. */
	if (fd < 0 || bind(fd, (const struct sockaddr *)&any, sizeof(any)))
		exit(1);
	tell(to_parent[1], join_all(fd));
	tell(to_parent[1], count(fd, wait_for(to_child[0])));
	exit(0);
}

static void raise_one(void)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct raw raw;

	if (raw_open(&raw) || recorder_arm(&raw, &arm, NULL))
		tap_bail("arming");
	recorder_must_tell("secret");
	raw_close(&raw);
}

int main(void)
{
	const struct alert *alert;
	int joined, heard, status;
	pid_t pid;

	if (pipe(to_child) || pipe(to_parent))
		tap_bail("pipe");
	if (module_remove(MODULE_TASKRT))
		tap_bail("the module cannot be removed");
	pid = fork();
	if (!pid)
		listen_in();
	joined = wait_for(to_parent[0]);
	if (joined < 0)
		tap_bail("no socket");
	tap_diag("%d groups joined before the module was there", joined);
	if (module_insert(MODULE_TASKRT, ""))
		tap_bail("the module cannot be inserted");
	alert_open(&listener);
	raise_one();
	alert = alert_next(&listener, CLOCK_PATIENCE_MS);
	tap_ok(alert && !strcmp(alert->tag, "secret"), "who has the right receives the alert");
	/* Whoever was before us in the group has it by now. */
	tell(to_child[1], listener.raw.family);
	heard = wait_for(to_parent[0]);
	tap_equal(heard, 0, "who joined before the module was there receives nothing");
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "and ends well");
	alert_close(&listener);
	return tap_done();
}
