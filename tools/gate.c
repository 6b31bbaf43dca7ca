// SPDX-License-Identifier: GPL-2.0-only
/* A command that does not begin before we are ready for it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "gate.h"

#define PATIENCE_MS	2000	/* between asking it to end and ending it */

static _Noreturn void become(char **argv, int go, int report)
{
	char word;
	int error;

	/* Where we are gone, it is not to begin. */
	if (read(go, &word, 1) != 1)
		_exit(STATUS_RUN_FAILED);
	execvp(argv[0], argv);
	error = errno;
	/* If nobody reads this, nobody can be told. */
	if (write(report, &error, sizeof(error)) != sizeof(error))
		_exit(STATUS_RUN_FAILED);
	_exit(error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN);
}

int gate_start(struct gate *gate, char **argv)
{
	int go[2], report[2], error;

	gate->fd = -1;
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		error = -errno;
		close(go[0]);
		close(go[1]);
		return error;
	}
	gate->pid = fork();
	error = -errno;
	if (!gate->pid) {
		close(go[1]);
		become(argv, go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	gate->go = go[1];
	gate->report = report[0];
	if (gate->pid < 0) {
		close(go[1]);
		close(report[0]);
		return error;
	}
	gate->fd = (int)syscall(SYS_pidfd_open, gate->pid, 0);
	return 0;
}

int gate_open(struct gate *gate)
{
	ssize_t got = write(gate->go, "", 1);
	int error;

	close(gate->go);
	gate->go = -1;
	/* The pipe closes at exec. */
	do
		got = read(gate->report, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	close(gate->report);
	gate->report = -1;
	return got == sizeof(error) ? error : 0;
}

/* A command that does not want to end is not waited for, or when a signal comes to us. */
static void terminate(const struct gate *gate)
{
	struct pollfd ended = { .fd = gate->fd, .events = POLLIN };

	kill(gate->pid, SIGTERM);
	kill(gate->pid, SIGCONT);
	if (poll(&ended, 1, PATIENCE_MS) != 1)
		kill(gate->pid, SIGKILL);
}

void gate_end(struct gate *gate)
{
	int status;

	if (gate->go >= 0)
		close(gate->go);
	if (gate->report >= 0)
		close(gate->report);
	if (!waitpid(gate->pid, &status, WNOHANG)) {
		terminate(gate);
		while (waitpid(gate->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(gate->fd);
}
