// SPDX-License-Identifier: GPL-2.0-only
/* Stopped by a signal, and by a tracer. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(60 * MS)

static struct taskrt *handle;

static void spin(int ready)
{
	if (write(ready, "r", 1) != 1)
		_exit(1);
	for (;;)
		clock_spin(SEC);
}

/* Returns when the child has all that it needs, and does nothing but spin from then on. */
static pid_t spinning_child(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		spin(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("read");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/*
 * The parent is notified, and the letter in /proc changes, a moment before the child
 * leaves the CPU.
 */
static void stop(pid_t child, int traced, struct taskrt_reading *stopped)
{
	int status;

	if (traced) {
		ptrace(PTRACE_SEIZE, child, 0, 0);
		ptrace(PTRACE_INTERRUPT, child, 0, 0);
	} else {
		kill(child, SIGSTOP);
	}
	waitpid(child, &status, WUNTRACED);
	do {
		window_thread(handle, child, stopped);
	} while (stopped->stats.state != TASKRT_STATE_STOPPED && patience_lasts());
}

/* A wake-up takes time: the letter changes before it is complete. */
static void go_on(pid_t child, int traced, struct taskrt_reading *after)
{
	if (traced)
		ptrace(PTRACE_DETACH, child, 0, 0);
	else
		kill(child, SIGCONT);
	do {
		window_thread(handle, child, after);
	} while (after->stats.state > TASKRT_STATE_WOKEN && patience_lasts());
}

static void check(int traced, const char *name)
{
	struct taskrt_reading running, stopped, still, after;
	pid_t child = spinning_child();

	window_thread(handle, child, &running);
	stop(child, traced, &stopped);
	clock_sleep(D);
	window_thread(handle, child, &still);
	go_on(child, traced, &after);

	tap_at_most(running.stats.state, TASKRT_STATE_WOKEN, "%s: not stopped at first", name);
	tap_equal(stopped.stats.state, TASKRT_STATE_STOPPED, "%s: stopped", name);
	tap_at_least(still.times.states_ns[TASKRT_STATE_STOPPED],
		     stopped.times.states_ns[TASKRT_STATE_STOPPED] + D,
		     "%s: and the time grows", name);
	tap_equal(still.stats.cpu_time_ns, stopped.stats.cpu_time_ns, "%s: meanwhile no CPU", name);
	tap_equal(still.stats.queue_time_ns, stopped.stats.queue_time_ns, "%s: nor waiting for one",
		  name);
	tap_at_most(after.stats.state, TASKRT_STATE_WOKEN, "%s: and goes on", name);
	tap_at_least(after.longests.states[TASKRT_STATE_STOPPED].ns, D, "%s: the longest", name);
	tap_ok(window_adds_up(&stopped) && window_adds_up(&still) && window_adds_up(&after),
	       "%s: the states add up", name);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(void)
{
	handle = window_open();
	check(0, "SIGSTOP");
	check(1, "ptrace");
	taskrt_close(handle);
	return tap_done();
}
