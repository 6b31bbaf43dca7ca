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
 * To one who listens to processes only, and has a child, as run has, it tells
 * of that and of its family instead, when it has ended:
 *
 *   family-none     it has no descendants
 *   family-lost     an exit is lost
 *   family-gone     the module is removed meanwhile
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
	uint32_t what;
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
	listener->what = listen->what;
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

static int tell_family(struct taskrt_listener *listener, struct taskrt_exit *exit,
		       uint32_t pid, uint32_t ppid, uint64_t start_s, uint64_t end_s)
{
	tell(listener, exit, TASKRT_EXIT_PROCESS, pid, 0);
	exit->stats.ppid = ppid;
	exit->stats.start_time_ns = start_s * 1000000000;
	exit->stats.sample_time_ns = end_s * 1000000000;
	return 1;
}

/*
 * The command began at 6 and has ended.  Of its family are the child 900001
 * with its children 900002 and 900004, which is told after it, and the orphan
 * 900003.  Another process had the id 900001 before, with the child 900005; 5
 * and 900006, which is a child of taskrt's from before, are not of the family.
 */
static int tell_family_next(struct taskrt_listener *listener, struct taskrt_exit *exit,
			    uint32_t command)
{
	uint32_t us = (uint32_t)getpid();

	if (fake("family-none") && !listener->told)
		listener->told = 8;
	switch (listener->told++) {
	case 0:
		return tell_family(listener, exit, 900005, 900001, 6, 7);
	case 1:
		return tell_family(listener, exit, 900001, 1, 6, 8);
	case 2:
		return tell_family(listener, exit, 900002, 900001, 11, 13);
	case 3:
		if (fake("family-lost"))
			return lose(listener, exit, 1);
		return tell_family(listener, exit, 5, 1, 3, 13);
	case 4:
		return tell_family(listener, exit, 900001, command, 9, 14);
	case 5:
		if (fake("family-gone"))
			return -ENODEV;
		return tell_family(listener, exit, 900003, us, 10, 14);
	case 6:
		return tell_family(listener, exit, 900004, 900001, 12, 15);
	case 7:
		return tell_family(listener, exit, 900006, us, 3, 15);
	case 8:
		return tell_family(listener, exit, command, us, 6, 16);
	default:
		return 0;
	}
}

/* The child that has ended and was not waited for; 0: it has not; -1: there is none. */
static pid_t ended_child(void)
{
	siginfo_t info = { 0 };

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		return -1;
	return info.si_pid;
}

int taskrt_listener_next(struct taskrt_listener *listener, struct taskrt_exit *exit, size_t size)
{
	pid_t child = listener->what == TASKRT_WHAT_PROCESSES ? ended_child() : -1;
	uint64_t ticks;

	(void)!read(listener->fd, &ticks, sizeof(ticks));
	memset(exit, 0, size);
	if (child >= 0)
		return child ? tell_family_next(listener, exit, (uint32_t)child) : 0;
	return tell_next(listener, exit);
}
