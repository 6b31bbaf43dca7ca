// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that dies is no longer in the call in which the signal has found it.  Where it
 * waits in the kernel then, it is blocked_other, for whatever it waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(60 * MS)
#define PATTERN	"/proc/sys/kernel/core_pattern"
#define FIFO	"/tmp/taskrt-core"

#define PAUSE	TASKRT_STATE_SLEEPING_PAUSE
#define OTHER	TASKRT_STATE_BLOCKED_OTHER

static struct taskrt *handle;

static void *rest(void *unused)
{
	for (;;)
		thread_pause();
	return unused;
}

/* It has been in pause(), and is to be in the kernel until the test ends that. */
static void check(pid_t tid, const char *name)
{
	struct taskrt_reading first, still;

	do {
		window_thread(handle, tid, &first);
	} while (first.stats.state != OTHER && patience_lasts());
	do {
		window_thread(handle, tid, &still);
	} while (still.times.states_ns[OTHER] < first.times.states_ns[OTHER] + D &&
		 patience_lasts());
	tap_equal(still.stats.state, OTHER, "%s: blocked", name);
	tap_at_least(still.times.states_ns[OTHER], first.times.states_ns[OTHER] + D,
		     "%s: and the time grows", name);
	tap_equal(still.times.states_ns[PAUSE], first.times.states_ns[PAUSE],
		  "%s: no longer in its call", name);
}

static pid_t child_in(int namespace)
{
	pid_t pid;

	if (setns(namespace, CLONE_NEWPID))
		tap_bail("setns: %s", strerror(errno));
	pid = fork();
	if (!pid)
		rest(NULL);
	return pid;
}

static int namespace_of(const char *pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	return fd;
}

/*
 * The first process of a PID namespace ends when all others in it have been reaped.  One of
 * them is our child.
 */
static void check_namespace(void)
{
	int own = namespace_of("self");
	pid_t first, member;
	char text[16];

	first = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
	if (!first)
		rest(NULL);
	if (first < 0) {
		tap_skip("the first process of a namespace", strerror(errno));
		return;
	}
	snprintf(text, sizeof(text), "%d", first);
	member = child_in(namespace_of(text));
	if (setns(own, CLONE_NEWPID))
		tap_bail("setns: %s", strerror(errno));
	window_await(handle, first, PAUSE);
	kill(first, SIGKILL);
	check(first, "the first process of a namespace");
	waitpid(member, NULL, 0);
	waitpid(first, NULL, 0);
}

static _Atomic pid_t *second;

static void *rest_second(void *unused)
{
	*second = gettid();
	return rest(unused);
}

static void two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, rest_second, NULL);
	rest(NULL);
}

static int write_pattern(const char *pattern)
{
	int fd = open(PATTERN, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	err = write(fd, pattern, strlen(pattern)) < 0;
	close(fd);
	return err;
}

/* The core goes into a pipe that is full: its reader opens a FIFO first. */
static void check_core(void)
{
	pid_t pid;

	pid = fork();
	if (!pid)
		two_threads();
	while (!*second)
		clock_sleep(MS);
	window_await(handle, pid, PAUSE);
	window_await(handle, *second, PAUSE);
	kill(pid, SIGABRT);
	check(pid, "a thread that dumps core");
	check(*second, "a thread whose process dumps core");
	/* To read as well, which waits for nobody. */
	close(open(FIFO, O_RDWR | O_CLOEXEC));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	char pattern[128] = "core";
	int fd = open(PATTERN, O_RDONLY | O_CLOEXEC);

	handle = window_open();
	check_namespace();
	second = mmap(NULL, sizeof(*second), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (mkfifo(FIFO, 0600))
		tap_bail("mkfifo: %s", strerror(errno));
	if (fd < 0 || read(fd, pattern, sizeof(pattern) - 1) < 0 ||
	    write_pattern("|/bin/cat " FIFO)) {
		tap_skip("a core dump", "no core_pattern");
	} else {
		check_core();
		write_pattern(pattern);
	}
	unlink(FIFO);
	taskrt_close(handle);
	return tap_done();
}
