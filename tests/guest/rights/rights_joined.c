// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that joins a user namespace, and has not executed a program there yet, has the
 * memory of the namespace that it comes from.  Root of the namespace that it joins may not
 * read it, as for ptrace(2).
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "raw.h"
#include "tap.h"
#include "userns.h"

#define MAP	"0 100000 65536"

static int to_root[2], to_parent[2];

static pid_t pid_from(int fd)
{
	pid_t pid;

	return read(fd, &pid, sizeof(pid)) == sizeof(pid) ? pid : -1;
}

static void pid_to(int fd, pid_t pid)
{
	if (write(fd, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
}

static int ask(pid_t pid)
{
	struct raw_message message;
	struct raw_answer answer;
	struct raw raw;

	if (raw_open(&raw))
		return -1;
	raw_begin(&raw, &message, TASKRT_CMD_GET, 0);
	raw_put_u32(&message, TASKRT_A_TID, pid);
	raw_ask(&raw, &message, &answer, NULL, NULL);
	raw_close(&raw);
	return -answer.error;
}

/* Root of the namespace: asks for whom it is told of, until the pipe is closed. */
static int be_root(void *unused)
{
	pid_t pid;

	(void)unused;
	close(to_root[1]);
	pid_to(to_parent[1], getpid());
	while ((pid = pid_from(to_root[0])) > 0)
		pid_to(to_parent[1], ask(pid));
	return 0;
}

static void join(pid_t root)
{
	char path[64];
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(path, sizeof(path), "/proc/%d/ns/user", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWUSER))
		_exit(1);
}

static void stay(void)
{
	pid_to(to_parent[1], getpid());
	for (;;)
		pause();
}

/* It tells that it is there in as many bytes as a pid has. */
static void execute(void)
{
	if (setgid(0) || setuid(0) || dup2(to_parent[1], 1) != 1)
		_exit(1);
	execl("/bin/busybox", "busybox", "sh", "-c", "printf aaaa; exec sleep 1000", NULL);
	_exit(1);
}

/* Starts a process that joins the namespace of that root, and waits until it is there. */
static pid_t start(pid_t root, void (*then)(void))
{
	pid_t pid = fork();

	if (!pid) {
		join(root);
		then();
	}
	if (pid_from(to_parent[0]) < 0)
		tap_bail("no process has joined");
	return pid;
}

static int answer_for(pid_t pid)
{
	pid_to(to_root[1], pid);
	return pid_from(to_parent[0]);
}

int main(void)
{
	pid_t root, pid, waiting;

	if (pipe(to_root) || pipe(to_parent))
		tap_bail("pipe");
	waiting = userns_start(ASK_USER, MAP, be_root, NULL);
	root = pid_from(to_parent[0]);
	if (root < 0)
		tap_bail("no user namespace");
	pid = start(root, stay);
	tap_errno(answer_for(pid), EPERM, "one that has joined: its root may not read it");
	tap_errno(ask(pid), 0, "one that has joined: root of the system may");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	pid = start(root, execute);
	tap_errno(answer_for(pid), 0, "one that has executed a program: its root may read it");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(to_root[1]);
	tap_equal(userns_wait(waiting), 0, "root of the namespace ends well");
	return tap_done();
}
