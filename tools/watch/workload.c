// SPDX-License-Identifier: GPL-2.0-only
/* A command that does not begin before we are ready for it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/orphan.h"
#include "watch/workload.h"

#define PATIENCE_MS	2000	/* between asking it to end and ending it */
#define PAUSE_MS	20	/* between two looks whether it has */

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
	orphan_adopt();
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

void gate_reap(const struct gate *gate)
{
	int others_run;

	while (orphan_reap(gate->pid, &others_run))
		;
}

/* Return: does nobody live of those that are to end? */
static int all_have_ended(const struct gate *gate)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return !orphan_signal(gate->pid, 0);
}

/*
 * Those that do not want to end are not waited for.  Who is asked may start others, to
 * clean up: they are not asked, but have to be done by then, too.
 */
static void terminate(const struct gate *gate)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };
	int left = PATIENCE_MS / PAUSE_MS;

	orphan_signal(gate->pid, SIGTERM);
	orphan_signal(gate->pid, SIGCONT);
	while (!all_have_ended(gate)) {
		if (--left <= 0)
			orphan_signal(gate->pid, SIGKILL);
		if (left < -PATIENCE_MS / PAUSE_MS)
			break;
		nanosleep(&pause, NULL);
	}
}

void gate_end(struct gate *gate)
{
	if (gate->go >= 0)
		close(gate->go);
	if (gate->report >= 0)
		close(gate->report);
	if (!waitpid(gate->pid, NULL, WNOHANG))
		terminate(gate);
	close(gate->fd);
}
