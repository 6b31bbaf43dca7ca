// SPDX-License-Identifier: GPL-2.0-only
/* A command that is run, at once or when the caller is ready for it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/orphan.h"
#include "common/workload.h"

#define PATIENCE_MS	2000	/* between SIGTERM and SIGKILL */
#define PAUSE_MS	20	/* between two checks whether it has ended */

static void shut(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* A held command waits on @go until it may start, and writes to @report why it could not. */
struct pipes {
	int go[2], report[2];
};

static int open_pipes(struct pipes *pipes, int held)
{
	int error;

	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 } };
	if (!pipe2(pipes->report, O_CLOEXEC) && (!held || !pipe2(pipes->go, O_CLOEXEC)))
		return 0;
	error = -errno;
	shut(pipes->report[0]);
	shut(pipes->report[1]);
	return error;
}

static _Noreturn void become(char **argv, const struct signals *signals, const struct pipes *pipes)
{
	char word;
	int error;

	/* The command must not start if the parent has ended. */
	shut(pipes->go[1]);
	if (pipes->go[0] >= 0 && read(pipes->go[0], &word, 1) != 1)
		_exit(STATUS_RUN_FAILED);
	if (signals)
		signals_restore(signals);
	execvp(argv[0], argv);
	error = errno;
	/* Without a reader there is nothing else to do. */
	if (write(pipes->report[1], &error, sizeof(error)) != sizeof(error))
		_exit(STATUS_RUN_FAILED);
	_exit(error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN);
}

int workload_start(struct workload *workload, char **argv, const struct signals *signals, int held)
{
	struct pipes pipes;
	int error = open_pipes(&pipes, held);

	if (error)
		return error;
	orphan_adopt();
	workload->pid = fork();
	error = workload->pid < 0 ? -errno : 0;
	if (!workload->pid)
		become(argv, signals, &pipes);
	shut(pipes.go[0]);
	shut(pipes.report[1]);
	workload->go = pipes.go[1];
	workload->report = pipes.report[0];
	workload->fd = error ? -1 : (int)syscall(SYS_pidfd_open, workload->pid, 0);
	if (error)
		workload_close(workload);
	return error;
}

int workload_run(struct workload *workload)
{
	ssize_t got;
	int error;

	if (workload->go >= 0)
		(void)!write(workload->go, "", 1);
	/* The pipe closes at exec. */
	do
		got = read(workload->report, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

void workload_close(struct workload *workload)
{
	shut(workload->go);
	shut(workload->report);
	shut(workload->fd);
}

void workload_reap(const struct workload *workload)
{
	orphan_reap(workload->pid);
}

/* Have all processes ended that were asked to? */
static int all_have_ended(const struct workload *workload)
{
	orphan_reap(0);
	return !orphan_signal(workload->pid, 0);
}

/*
 * Processes that do not end in time are killed.  The processes that they start to clean up get no
 * SIGTERM, but the same time.
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
	/* Close first: a held command then ends by itself. */
	workload_close(workload);
	if (!waitpid(workload->pid, NULL, WNOHANG))
		terminate(workload);
}
