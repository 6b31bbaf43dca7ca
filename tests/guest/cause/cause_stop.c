// SPDX-License-Identifier: GPL-2.0-only
/* Stopped by a signal, by a tracer, and with its cgroup, in user mode and in a call. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(60 * MS)

static struct taskrt *handle;

#define OLD	"/tmp/taskrt-freezer"	/* the freezer of cgroup v1 */
#define OLD_OWN	OLD "/taskrt"

enum way { BY_SIGNAL, BY_TRACER, BY_FREEZER, BY_OLD_FREEZER };

static const char * const ways[] = {
	"SIGSTOP", "ptrace", "a frozen cgroup", "cgroup v1's freezer",
};

static void spin(void)
{
	for (;;)
		clock_spin(SEC);
}

static void rest(void)
{
	for (;;)
		thread_pause();
}

/* Returns when the child has all that it needs, and does nothing else from then on. */
static pid_t start_child(void (*fn)(void))
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		if (write(ready[1], "r", 1) != 1)
			_exit(1);
		fn();
	}
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("read");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		tap_bail("%s: %s", path, strerror(errno));
	close(fd);
}

/*
 * The parent is notified, and the letter in /proc changes, a moment before the child
 * leaves the CPU.
 */
static void stop(pid_t child, enum way way, struct taskrt_reading *stopped)
{
	int status;

	switch (way) {
	case BY_SIGNAL:
		kill(child, SIGSTOP);
		waitpid(child, &status, WUNTRACED);
		break;
	case BY_TRACER:
		ptrace(PTRACE_SEIZE, child, 0, 0);
		ptrace(PTRACE_INTERRUPT, child, 0, 0);
		waitpid(child, &status, WUNTRACED);
		break;
	case BY_FREEZER:
		cgroup_move(child, CGROUP_OWN);
		put(CGROUP_OWN "/cgroup.freeze", "1");
		break;
	case BY_OLD_FREEZER:
		cgroup_move(child, OLD_OWN);
		put(OLD_OWN "/freezer.state", "FROZEN");
		break;
	}
	do {
		window_thread(handle, child, stopped);
	} while (stopped->stats.state != TASKRT_STATE_STOPPED && patience_lasts());
}

/* A wake-up takes time: the letter changes before it is complete. */
static void go_on(pid_t child, enum way way, struct taskrt_reading *after)
{
	switch (way) {
	case BY_SIGNAL:
		kill(child, SIGCONT);
		break;
	case BY_TRACER:
		ptrace(PTRACE_DETACH, child, 0, 0);
		break;
	case BY_FREEZER:
		put(CGROUP_OWN "/cgroup.freeze", "0");
		break;
	case BY_OLD_FREEZER:
		put(OLD_OWN "/freezer.state", "THAWED");
		break;
	}
	do {
		window_thread(handle, child, after);
	} while (after->stats.state == TASKRT_STATE_STOPPED && patience_lasts());
}

static void check(enum way way, const char *doing, void (*fn)(void))
{
	struct taskrt_reading before, stopped, still, after;
	pid_t child = start_child(fn);
	char name[64];

	snprintf(name, sizeof(name), "%s, %s", ways[way], doing);
	if (fn == rest)
		window_await(handle, child, TASKRT_STATE_SLEEPING_PAUSE);
	window_thread(handle, child, &before);
	stop(child, way, &stopped);
	clock_sleep(D);
	window_thread(handle, child, &still);
	go_on(child, way, &after);

	tap_ok(before.stats.state != TASKRT_STATE_STOPPED, "%s: not stopped at first", name);
	tap_equal(stopped.stats.state, TASKRT_STATE_STOPPED, "%s: stopped", name);
	tap_at_least(still.times.states_ns[TASKRT_STATE_STOPPED],
		     stopped.times.states_ns[TASKRT_STATE_STOPPED] + D,
		     "%s: and the time grows", name);
	tap_equal(still.stats.cpu_time_ns, stopped.stats.cpu_time_ns, "%s: meanwhile no CPU", name);
	tap_equal(still.stats.queue_time_ns, stopped.stats.queue_time_ns, "%s: nor waiting for one",
		  name);
	tap_ok(after.stats.state != TASKRT_STATE_STOPPED, "%s: and goes on", name);
	tap_at_least(after.longests.states[TASKRT_STATE_STOPPED].ns, D, "%s: the longest", name);
	tap_ok(window_adds_up(&stopped) && window_adds_up(&still) && window_adds_up(&after),
	       "%s: the states add up", name);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void check_both(enum way way)
{
	check(way, "computing", spin);
	check(way, "in pause", rest);
}

static void check_freezer(void)
{
	if (!cgroup_make()) {
		tap_skip(ways[BY_FREEZER], "no cgroup v2");
		return;
	}
	check_both(BY_FREEZER);
	cgroup_remove();
}

static void check_old_freezer(void)
{
	mkdir(OLD, 0755);
	if (mount("none", OLD, "cgroup", 0, "freezer")) {
		tap_skip(ways[BY_OLD_FREEZER], "no cgroup v1");
		return;
	}
	mkdir(OLD_OWN, 0755);
	check_both(BY_OLD_FREEZER);
	while (rmdir(OLD_OWN) && errno == EBUSY && patience_lasts())
		clock_sleep(MS);
	umount(OLD);
	rmdir(OLD);
}

int main(void)
{
	handle = window_open();
	check_both(BY_SIGNAL);
	check_both(BY_TRACER);
	check_freezer();
	check_old_freezer();
	taskrt_close(handle);
	return tap_done();
}
