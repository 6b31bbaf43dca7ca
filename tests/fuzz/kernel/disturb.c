// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "presence.h"
#include "program.h"
#include "tap.h"

#define ENABLED		"/sys/module/taskrt/parameters/enabled"

static void set_enabled(const char *value)
{
	int fd = open(ENABLED, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1)
		tap_bail("enabled=%s: %s", value, strerror(errno));
	close(fd);
}

static void live_and_die(void)
{
	pid_t pid = fork();

	if (!pid) {
		if (any(2))
			execl("/t/kernel/nothing", "nothing", NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/*
 * Mostly on, because while accounting is off there is little to find, and to switch takes
 * as long as many programs.
 */
static void disturb(void)
{
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_setaffinity(0, sizeof(cpu_set_t), &(cpu_set_t){ { 2 } });
	for (;;) {
		for (i = any(50); i; i--) {
			live_and_die();
			usleep(any(100000));
		}
		if (any(2)) {
			set_enabled("0");
			usleep(any(4) ? any(1000) : any(50000));
			set_enabled("1");
		} else {
			presence_renew();
		}
	}
}

int disturb_begin(void)
{
	pid_t pid = fork();

	if (!pid)
		disturb();
	return pid;
}

int disturb_end(int process)
{
	int status;

	kill(process, SIGKILL);
	waitpid(process, &status, 0);
	presence_end();
	set_enabled("1");
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}
