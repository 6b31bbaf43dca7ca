// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "place.h"
#include "tap.h"
#include "token.h"

static pid_t maker, first;		/* who made them; pid 1 of the pid namespace */
static int users, pids, own_pids;	/* the namespaces, as files */
static int up[2], down[2];

static void be_first(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

/* Becomes the user, who needs no privilege for this. */
static void make_and_stay(void)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ask_become(&user);
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		_exit(TOKEN_LOST);
	token_pass(up[1]);
	token_await(down[0]);
	first = fork();
	if (!first)
		be_first();
	if (write(up[1], &first, sizeof(first)) == sizeof(first))
		pause();
	_exit(0);
}

static void write_map(const char *name)
{
	char path[64], map[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", maker, name);
	snprintf(map, sizeof(map), "0 %d 1\n1 %d 1\n", ASK_USER, ASK_OTHER);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, map, strlen(map)) != (ssize_t)strlen(map))
		tap_bail("%s: %s", path, strerror(errno));
	close(fd);
}

static int open_namespace(pid_t pid, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	return fd;
}

void place_make(void)
{
	if (pipe(up) || pipe(down))
		tap_bail("pipe");
	maker = fork();
	if (!maker)
		make_and_stay();
	token_await(up[0]);
	write_map("uid_map");
	write_map("gid_map");
	token_pass(down[1]);
	if (read(up[0], &first, sizeof(first)) != sizeof(first) || first < 0)
		tap_bail("no pid namespace");
	users = open_namespace(first, "user");
	pids = open_namespace(first, "pid");
	own_pids = open_namespace(getpid(), "pid");
}

void place_remove(void)
{
	kill(first, SIGKILL);
	ask_end(maker);
	close(users);
	close(pids);
	close(own_pids);
}

void place_fork_into(int inside)
{
	if (setns(inside ? pids : own_pids, CLONE_NEWPID))
		tap_bail("setns: %s", strerror(errno));
}

void place_enter_users(void)
{
	if (setns(users, CLONE_NEWUSER))
		_exit(TOKEN_LOST);
}

pid_t place_inner_pid(pid_t pid)
{
	char path[64], line[256];
	int outer, inner = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "NSpid: %d %d", &outer, &inner) == 2)
			break;
	if (file)
		fclose(file);
	if (!inner)
		tap_bail("%d is not inside", pid);
	return inner;
}
