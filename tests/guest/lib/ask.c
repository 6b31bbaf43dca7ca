// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "tap.h"

#define CANNOT	200	/* a status that is no error number */

void ask_keep_caps(uint64_t caps)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = caps >> (32 * i);
	if (syscall(SYS_capset, &header, data))
		_exit(CANNOT);
}

void ask_become(const struct ask_who *who)
{
	prctl(PR_SET_KEEPCAPS, 1);
	/* A user namespace without groups of its own does not allow this. */
	if (setgroups(0, NULL) && errno != EPERM)
		_exit(CANNOT);
	if (setresgid(who->gid, who->gid, who->gid) ||
	    setresuid(who->uid, who->euid, who->uid))
		_exit(CANNOT);
	ask_keep_caps(who->caps);
}

pid_t ask_target(const struct ask_who *who, int dumpable)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		ask_become(who);
		/* The setting is lost when a process changes its user. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, dumpable);
		if (write(ready[1], "r", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("a target could not become uid %d", who->uid);
	close(ready[0]);
	return pid;
}

void ask_end(pid_t target)
{
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
}

int ask_in_child(int (*fn)(void *arg), void *arg)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		tap_bail("fork");
	if (!pid)
		_exit(abs(fn(arg)));
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == CANNOT)
		tap_bail("a child could not ask: status %#x", status);
	return WEXITSTATUS(status);
}

struct question {
	const struct ask_who *who;
	uint16_t type;
	uint32_t id;
};

static int ask(void *arg)
{
	struct question *question = arg;
	struct raw_answer answer;
	struct raw raw;

	ask_become(question->who);
	if (raw_open(&raw))
		return CANNOT;
	return raw_get(&raw, question->type, question->id, 0, &answer);
}

int ask_as(const struct ask_who *who, uint16_t type, uint32_t id)
{
	struct question question = { who, type, id };

	return ask_in_child(ask, &question);
}
