// SPDX-License-Identifier: GPL-2.0-only
/*
 * The listener of the fake libtaskrt.  It tells of the thread 101, of a loss of
 * three records, and of the thread and the process 100; then nothing more.
 * $FAKE names what is otherwise:
 *
 *   exits-own       not permitted to listen to everybody
 *   exits-never     ... nor to anything
 *   exits-old       a module that does not know of exits
 *   exits-gone      the module is removed after these records
 *   exits-garbled   a message between them makes no sense
 *   exits-flood     they come again and again, without end
 *   exits-late      the process comes after the module was asked how many are owed
 *   cpus            a list of CPUs that is wrong
 *
 * Where taskrt has a child that has ended, as run has, it tells of that and of
 * its descendants instead.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"

struct taskrt_listener {
	int fd;
	int error;
	int told;		/* steps of the sequence */
	int asked;		/* how many are owed */
	uint64_t seq;
	uint64_t lost;
	pid_t child;
};

int taskrt_listener_open(struct taskrt_listener **listener)
{
	*listener = NULL;
	if (fake("absent"))
		return -ENOENT;
	if (fake("proto"))
		return -EPROTO;
	*listener = calloc(1, sizeof(**listener));
	if (!*listener)
		return -ENOMEM;
	(*listener)->fd = -1;
	return 0;
}

void taskrt_listener_close(struct taskrt_listener *listener)
{
	if (listener)
		close(listener->fd);
	free(listener);
}

const char *taskrt_listener_error(const struct taskrt_listener *listener)
{
	return listener->error == -EINVAL ? "the kernel's own words" : strerror(-listener->error);
}

int taskrt_listener_fd(const struct taskrt_listener *listener)
{
	return listener->fd;
}

int taskrt_listener_set_buffer(struct taskrt_listener *listener, size_t bytes, size_t *got)
{
	(void)listener;
	*got = bytes > 4096 ? 4096 : bytes;
	return 0;
}

static int refused(const struct taskrt_listen *listen)
{
	if (fake("off"))
		return -ENODATA;
	if (fake("exits-old"))
		return -EOPNOTSUPP;
	if (fake("exits-never") || (fake("exits-own") && !listen->own))
		return -EPERM;
	if (fake("cpus"))
		return -EINVAL;
	if (listen->tgid == 203)
		return -ESRCH;
	return listen->cgroup == 203 ? -ENOENT : 0;
}

/* A pipe would do: it is readable where there is something, or may be soon. */
static int open_fd(void)
{
	const struct itimerspec often = { { 0, 5000000 }, { 0, 5000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	timerfd_settime(fd, 0, &often, NULL);
	return fd;
}

int taskrt_listener_register(struct taskrt_listener *listener, const struct taskrt_listen *listen,
			     size_t size, char *accepted, size_t accepted_size)
{
	(void)size;
	(void)accepted;
	(void)accepted_size;
	listener->error = refused(listen);
	if (!listener->error)
		listener->fd = open_fd();
	return listener->error;
}

int taskrt_listener_status(struct taskrt_listener *listener, struct taskrt_listener_status *status,
			   size_t size, taskrt_registration_fn fn, void *arg)
{
	(void)size;
	(void)fn;
	(void)arg;
	memset(status, 0, sizeof(*status));
	status->owed = listener->seq + (fake("exits-late") ? 1 : 0);
	status->lost = listener->lost;
	listener->asked = 1;
	return 0;
}

static int tell(struct taskrt_listener *listener, struct taskrt_exit *exit,
		enum taskrt_exit_type type, uint32_t tgid, uint32_t exit_code)
{
	exit->type = type;
	exit->cpu = 3;
	exit->seq = listener->seq++;
	exit->lost = listener->lost;
	fake_ended(&exit->stats, type == TASKRT_EXIT_THREAD ? tgid : 0,
		   tgid == 101 ? 100 : tgid, exit_code);
	return 1;
}

static int lose(struct taskrt_listener *listener, struct taskrt_exit *exit, uint64_t count)
{
	exit->type = TASKRT_EXIT_LOST;
	exit->seq = listener->seq;
	exit->lost_now = count;
	exit->lost = listener->lost += count;
	listener->seq += count;
	return 1;
}

/* One of the sequence.  Return: as taskrt_listener_next(). */
static int tell_next(struct taskrt_listener *listener, struct taskrt_exit *exit)
{
	switch (listener->told++) {
	case 0:
		return tell(listener, exit, TASKRT_EXIT_THREAD, 101, 0x700);
	case 1:
		return lose(listener, exit, 3);
	case 2:
		if (fake("exits-garbled"))
			return -EBADMSG;
		listener->told++;
		/* fall through */
	case 3:
		return tell(listener, exit, TASKRT_EXIT_THREAD, 100, 0x8b);
	case 4:
		if (!fake("exits-late") || listener->asked)
			return tell(listener, exit, TASKRT_EXIT_PROCESS, 100, 0x8b);
		listener->told--;
		return 0;
	default:
		if (fake("exits-gone"))
			return -ENODEV;
		if (!fake("exits-flood"))
			return 0;
		listener->told = 0;
		return tell_next(listener, exit);
	}
}

/* The child that has ended and was not waited for; 0: there is none. */
static pid_t ended_child(void)
{
	siginfo_t info = { 0 };

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		return 0;
	return info.si_pid;
}

int taskrt_listener_next(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size)
{
	uint64_t ticks;

	(void)!read(listener->fd, &ticks, sizeof(ticks));
	memset(exit, 0, size);
	(void)ended_child;
	return tell_next(listener, exit);
}
