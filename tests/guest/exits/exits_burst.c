// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thousand threads end at once: all records are delivered, with the default receive
 * buffer, to a listener that reads and to one that sleeps.  The kernel's own taskstats
 * listens to the same burst: its losses are printed, and not checked.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "stats_listener.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define THREADS		1000
#define STACK		(32 * 1024)

/* What both processes see. */
struct shared {
	pid_t tids[THREADS + 1];	/* the leader's is the last one */
	volatile unsigned int ready;
};

struct listener {
	const char *name;
	uint64_t sleep_ns;
	struct taskrt_exits *handle;
	struct stats_listener taskstats;
	unsigned int seen[THREADS + 1], processes, misplaced;
	uint64_t lost;
	struct thread thread;
};

static struct shared *shared;
static int gate[2];	/* all threads read from it, until its other end is closed */
static pid_t burster;
static struct listener listeners[] = {
	{ .name = "a listener that reads" },
	{ .name = "a listener that sleeps first", .sleep_ns = SEC },
};

#define LISTENERS	(sizeof(listeners) / sizeof(*listeners))

static void *stand_ready(void *number)
{
	char byte;

	shared->tids[(long)number] = gettid();
	__atomic_add_fetch(&shared->ready, 1, __ATOMIC_SEQ_CST);
	if (read(gate[0], &byte, 1))
		_exit(1);
	return NULL;
}

static void burst(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	long i;

	close(gate[1]);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, &attr, stand_ready, (void *)i))
			_exit(1);
	stand_ready((void *)THREADS);
	/* Ends the leader alone.  The guest may lack the library that pthread_exit() loads. */
	syscall(SYS_exit, 0);
}

static void note(struct listener *listener, const struct taskrt_exit *exit)
{
	unsigned int i;

	listener->lost = exit->lost;
	if (exit->type == TASKRT_EXIT_LOST || exit->reading.stats.tgid != (uint32_t)burster)
		return;
	if (exit->type == TASKRT_EXIT_PROCESS) {
		listener->processes++;
		return;
	}
	listener->misplaced += listener->processes;
	for (i = 0; i <= THREADS; i++)
		listener->seen[i] += exit->reading.stats.tid == (uint32_t)shared->tids[i];
}

static void listen_to_burst(void *arg)
{
	struct listener *listener = arg;
	uint64_t end = clock_now() + CLOCK_LIMIT / 4;
	struct taskrt_exit exit;
	int got;

	clock_sleep(listener->sleep_ns);
	while (!listener->processes && clock_now() < end) {
		int wait_ms = 100;

		stats_listener_read(&listener->taskstats);
		while ((got = taskrt_exits_next(listener->handle, wait_ms, &exit,
						sizeof(exit))) == 1) {
			note(listener, &exit);
			wait_ms = 0;
		}
		if (got)
			tap_bail("%s: %s", listener->name, strerror(-got));
	}
	stats_listener_read(&listener->taskstats);
}

static int buffer_of(int fd)
{
	socklen_t length = sizeof(int);
	int bytes = 0;

	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length);
	return bytes;
}

static int usual_buffer(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, 0), bytes = buffer_of(fd);

	close(fd);
	return bytes;
}

static void start(struct listener *listener)
{
	int err = taskrt_exits_open(&listener->handle);

	if (err)
		tap_bail("taskrt_exits_open: %s", strerror(-err));
	err = taskrt_exits_register(listener->handle, NULL, NULL, 0, NULL, 0);
	if (err)
		tap_bail("register: %s", taskrt_exits_error(listener->handle));
	stats_listener_open(&listener->taskstats);
	tap_equal(buffer_of(taskrt_exits_fd(listener->handle)), usual_buffer(),
		  "%s: with the default buffer", listener->name);
}

static void check(const struct listener *listener)
{
	unsigned int i, once = 0;

	for (i = 0; i <= THREADS; i++)
		once += listener->seen[i] == 1;
	tap_equal(once, THREADS + 1, "%s: every thread, exactly once", listener->name);
	tap_equal(listener->processes, 1, "%s: the process, once", listener->name);
	tap_equal(listener->misplaced, 0, "%s: after all of its threads", listener->name);
	tap_equal(listener->lost, 0, "%s: nothing lost", listener->name);
	if (listener->taskstats.fd < 0) {
		tap_diag("no taskstats in this kernel");
		return;
	}
	once = 0;
	for (i = 0; i <= THREADS; i++)
		once += stats_listener_heard(&listener->taskstats, shared->tids[i]);
	tap_diag("%s, of %d threads: taskrt loses %llu, taskstats %u (%u reports of a loss)",
		 listener->name, THREADS + 1, (unsigned long long)listener->lost,
		 THREADS + 1 - once, listener->taskstats.overruns);
}

int main(void)
{
	unsigned int i;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (pipe(gate))
		tap_bail("pipe");
	burster = fork();
	if (!burster)
		burst();
	for (i = 0; i < LISTENERS; i++)
		start(&listeners[i]);
	while (shared->ready <= THREADS)
		if (waitpid(burster, NULL, WNOHANG))
			tap_bail("the threads cannot be made");
		else
			clock_sleep(5 * MS);
	for (i = 0; i < LISTENERS; i++)
		thread_start(&listeners[i].thread, listen_to_burst, &listeners[i]);
	close(gate[1]);
	for (i = 0; i < LISTENERS; i++)
		thread_join(&listeners[i].thread);
	waitpid(burster, NULL, 0);
	for (i = 0; i < LISTENERS; i++) {
		check(&listeners[i]);
		taskrt_exits_close(listeners[i].handle);
	}
	return tap_done();
}
