// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * exits_epoll: an edge-triggered event loop for two listeners and for signals.  The
 * first listener receives the threads that end on CPU 0, and the second one all
 * processes.  Both receive only the tasks of the caller's user.
 *
 *	cc -o exits_epoll exits_epoll.c $(pkg-config --cflags --libs libtaskrt)
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <taskrt.h>

/* The source of an event: a listener, or the signals if exits is NULL. */
struct source {
	const char *name;
	const char *cpus;
	struct taskrt_query query;
	struct taskrt_exits *exits;
	unsigned long long told, lost;
};

static struct source sources[] = {
	{ .name = "threads on CPU 0",
	  .cpus = "0", .query = { .entities = TASKRT_ENTITIES_THREADS, .own_only = 1 } },
	{ .name = "processes", .query = { .entities = TASKRT_ENTITIES_PROCESSES, .own_only = 1 } },
	{ .name = "signals" },
};

#define LISTENERS	2

static int add(int epoll, int fd, struct source *source)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.ptr = source };

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* An edge is reported only once, so read until no record is left. */
static int read_all(struct source *source)
{
	struct taskrt_exit exit;
	int found;

	do {
		found = taskrt_exits_next(source->exits, 0, &exit, sizeof(exit));
		if (found <= 0)
			continue;
		if (exit.type == TASKRT_EXIT_LOST)
			source->lost += exit.lost_now;
		else if (exit.type == TASKRT_EXIT_THREAD || exit.type == TASKRT_EXIT_PROCESS)
			source->told++;
	} while (found > 0 || found == -EBADMSG);
	return found;
}

/* Registering may have read records already, so receive them before waiting. */
static int start(int epoll, struct source *source)
{
	int err = taskrt_exits_open(&source->exits);

	if (!err)
		err = add(epoll, taskrt_exits_fd(source->exits), source);
	if (!err)
		err = taskrt_exits_register(source->exits, source->cpus, &source->query,
					    sizeof(source->query), NULL, 0);
	return err ? err : read_all(source);
}

static int start_signals(int epoll, struct source *source)
{
	sigset_t signals;
	int fd;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : add(epoll, fd, source);
}

/* Runs until a signal arrives, or until an error occurs. */
static int loop(int epoll)
{
	struct epoll_event event;
	struct source *source;
	int err = 0;

	while (!err) {
		if (epoll_wait(epoll, &event, 1, -1) < 0) {
			err = errno == EINTR ? 0 : -errno;
			continue;
		}
		source = event.data.ptr;
		if (!source->exits)
			return 0;
		err = read_all(source);
	}
	return err;
}

int main(void)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC), err = 0, i;

	if (epoll < 0)
		err = -errno;
	for (i = 0; !err && i < LISTENERS; i++)
		err = start(epoll, &sources[i]);
	if (!err)
		err = start_signals(epoll, &sources[LISTENERS]);
	if (!err)
		err = loop(epoll);
	if (err)
		fprintf(stderr, "taskrt: %s\n", strerror(-err));
	for (i = 0; i < LISTENERS; i++) {
		printf("%s: %llu received, %llu lost\n", sources[i].name, sources[i].told,
		       sources[i].lost);
		taskrt_exits_close(sources[i].exits);
	}
	return err != 0;
}
