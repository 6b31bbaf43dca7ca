// SPDX-License-Identifier: GPL-2.0-only
/* The module's parameter "enabled". */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/parameter.h"
#include "common/command.h"
#include "common/error.h"

int parameter_open(void)
{
	int fd = open(PARAMETER_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	/* The keeper also holds the lock until it has switched accounting on. */
	if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return fd;
	close(fd);
	return -EBUSY;
}

int parameter_set(int fd, int on)
{
	return pwrite(fd, on ? "1" : "0", 1, 0) == 1 ? 0 : -errno;
}

int parameter_get(int fd)
{
	char value;

	if (pread(fd, &value, 1, 0) != 1)
		return -errno;
	return value == 'Y' || value == '1';
}

int observers_check(const struct taskrt_info *info)
{
	if (!info->listeners && !info->mapped && !info->armed)
		return STATUS_OK;
	return error_fail("switching accounting off would disturb others (listeners to exits: %u; threads mapped: %u; armed: %u): end them first",
			  info->listeners, info->mapped, info->armed);
}

int observers_check_now(struct taskrt *handle)
{
	struct taskrt_info info;
	int error = taskrt_get_info(handle, &info, sizeof(info));
	char text[ERROR_MAX];

	if (error)
		return error_fail("%s", error_query_text(text, handle, error, ERROR_MODULE, 0));
	return observers_check(&info);
}

/*
 * A process that switches accounting on again when this one has ended.
 *
 * It waits for the end of a pipe, whose other end only the measuring process has open.  The kernel
 * closes that end when all threads of the process have ended, so none of them writes the parameter
 * later.  Signals do not end the keeper, and the keys of the terminal do not reach it.  Accounting
 * stays off only if both processes are killed by SIGKILL.
 */

/* A real-time thread may occupy the measured CPU for ever. */
static void leave_cpu(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
}

static _Noreturn void keep(int end, int parameter)
{
	int tries, error;
	char byte;

	setsid();
	leave_cpu();
	while (read(end, &byte, 1) < 0 && errno == EINTR)
		;
	/* No other process would try again. */
	for (tries = 0; (error = parameter_set(parameter, 1)) && error != -ENODEV && tries < 50; tries++)
		usleep(100000);
	_exit(-error);
}

/* Return: as fork(2).  The child has all signals blocked from the start. */
static pid_t fork_deaf(void)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int keeper_start(struct keeper *keeper, int fd)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	keeper->pid = fork_deaf();
	error = -errno;
	if (!keeper->pid) {
		close(ends[1]);
		keep(ends[0], fd);
	}
	close(ends[0]);
	keeper->fd = ends[1];
	if (keeper->pid > 0)
		return 0;
	close(ends[1]);
	return error;
}

int keeper_end(struct keeper *keeper)
{
	int status;

	close(keeper->fd);
	while (waitpid(keeper->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/* A signal may have killed it. */
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECANCELED;
}
