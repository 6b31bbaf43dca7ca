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

int workload_start(struct workload *workload, char **argv)
{
	int go[2], report[2], error;

	workload->fd = -1;
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		error = -errno;
		close(go[0]);
		close(go[1]);
		return error;
	}
	orphan_adopt();
	workload->pid = fork();
	error = -errno;
	if (!workload->pid) {
		close(go[1]);
		become(argv, go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	workload->go = go[1];
	workload->report = report[0];
	if (workload->pid < 0) {
		close(go[1]);
		close(report[0]);
		return error;
	}
	workload->fd = (int)syscall(SYS_pidfd_open, workload->pid, 0);
	return 0;
}

int workload_run(struct workload *workload)
{
	ssize_t got = write(workload->go, "", 1);
	int error;

	close(workload->go);
	workload->go = -1;
	/* The pipe closes at exec. */
	do
		got = read(workload->report, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	close(workload->report);
	workload->report = -1;
	return got == sizeof(error) ? error : 0;
}

void workload_reap(const struct workload *workload)
{
	int others_run;

	while (orphan_reap(workload->pid, &others_run))
		;
}

/* Return: does nobody live of those that are to end? */
static int all_have_ended(const struct workload *workload)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return !orphan_signal(workload->pid, 0);
}

/*
 * Those that do not want to end are not waited for.  Who is asked may start others, to
 * clean up: they are not asked, but have to be done by then, too.
 */
static void terminate(const struct workload *workload)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };
	int left = PATIENCE_MS / PAUSE_MS;

	orphan_signal(workload->pid, SIGTERM);
	orphan_signal(workload->pid, SIGCONT);
	while (!all_have_ended(workload)) {
		if (--left <= 0)
			orphan_signal(workload->pid, SIGKILL);
		if (left < -PATIENCE_MS / PAUSE_MS)
			break;
		nanosleep(&pause, NULL);
	}
}

void workload_end(struct workload *workload)
{
	if (workload->go >= 0)
		close(workload->go);
	if (workload->report >= 0)
		close(workload->report);
	if (!waitpid(workload->pid, NULL, WNOHANG))
		terminate(workload);
	close(workload->fd);
}
