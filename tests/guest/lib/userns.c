// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "token.h"
#include "userns.h"

static int put(pid_t pid, const char *file, const char *text)
{
	char path[64];
	int fd, ok;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return ok;
}

static void be_root_inside(uid_t owner, int made, int mapped)
{
	if (owner && (setgroups(0, NULL) || setresgid(owner, owner, owner) ||
		      setresuid(owner, owner, owner)))
		_exit(TOKEN_LOST);
	prctl(PR_SET_DUMPABLE, 1);
	if (unshare(CLONE_NEWUSER))
		_exit(TOKEN_LOST);
	token_pass(made);
	token_await(mapped);
	if (setresgid(0, 0, 0) || setresuid(0, 0, 0))
		_exit(TOKEN_LOST);
	prctl(PR_SET_DUMPABLE, 1);
}

pid_t userns_start(uid_t owner, const char *map, int (*fn)(void *arg), void *arg)
{
	int made[2], mapped[2];
	pid_t pid;

	if (pipe2(made, O_CLOEXEC) || pipe2(mapped, O_CLOEXEC))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		close(made[0]);
		close(mapped[1]);
		be_root_inside(owner, made[1], mapped[0]);
		_exit(abs(fn(arg)));
	}
	close(made[1]);
	close(mapped[0]);
	token_await(made[0]);
	if (!put(pid, "uid_map", map) || !put(pid, "gid_map", map))
		tap_bail("the user namespace's ids");
	token_pass(mapped[1]);
	close(made[0]);
	close(mapped[1]);
	return pid;
}

int userns_wait(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == TOKEN_LOST)
		tap_bail("a process in a user namespace: status %#x", status);
	return WEXITSTATUS(status);
}

struct beside {
	int (*fn)(void *arg);
	int up[2], down[2];
};

static int take_and_wait(void *arg)
{
	const struct beside *beside = arg;
	int taken = beside->fn(NULL);

	token_pass(beside->up[1]);
	token_await(beside->down[0]);
	return taken;
}

void userns_beside(int (*fn)(void *arg), int taken[2])
{
	static const char first[] = "0 200000 8\n", second[] = "0 300000 8\n";
	struct beside beside = { .fn = fn };
	pid_t pid;

	if (pipe(beside.up) || pipe(beside.down))
		tap_bail("pipe");
	pid = userns_start(0, first, take_and_wait, &beside);
	/* If it dies, nobody waits for it. */
	close(beside.up[1]);
	token_await(beside.up[0]);
	taken[1] = userns_wait(userns_start(0, second, fn, NULL));
	token_pass(beside.down[1]);
	taken[0] = userns_wait(pid);
	close(beside.up[0]);
	close(beside.down[0]);
	close(beside.down[1]);
}

void userns_enter_user(uid_t uid)
{
	if (setresgid(uid, uid, 0) || setresuid(uid, uid, 0))
		_exit(TOKEN_LOST);
}

void userns_leave_user(void)
{
	if (setresuid(0, 0, 0) || setresgid(0, 0, 0))
		_exit(TOKEN_LOST);
}
