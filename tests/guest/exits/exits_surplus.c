// SPDX-License-Identifier: GPL-2.0-only
/*
 * So many exits wait on one CPU that its list is full: the first ones are delivered, and the
 * others are counted as lost when their tasks are freed.  No task goes untracked for it.
 */
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "groups.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "quiet.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define MANY	400	/* more than the list of a CPU holds with a small max_threads */

static struct listener listener;
static pid_t ended[MANY];
static int count, received, first_received;

static void note(const struct listener_record *record, void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < count; i++)
		received += record->id == (uint32_t)ended[i];
	first_received |= count && record->id == (uint32_t)ended[0];
}

/* They are not waited for, so that no exit is counted as lost yet. */
static void end_children(void)
{
	siginfo_t how;

	for (count = 0; count < MANY; count++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitid(P_PID, pid, &how, WEXITED | WNOWAIT))
			tap_bail("fork");
		ended[count] = pid;
	}
}

static void reap(void)
{
	while (wait(NULL) > 0)
		;
	while (received + listener.lost < MANY && patience_lasts())
		listener_wait(&listener, 100);
}

static uint64_t refused(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	return info.refused;
}

int main(void)
{
	const struct listener_filter own = {
		.own = 1, .entities = TASKRT_ENTITIES_PROCESSES, .groups = EVERY_GROUP,
	};
	char parameters[64];

	thread_pin(0);
	/* A busy host may take so long that most were delivered before. */
	do {
		snprintf(parameters, sizeof(parameters), "max_threads=%u exit_delay_ms=5000",
			 quiet_tasks() + 2 * MANY);
		module_again(parameters);
		listener_open(&listener, note, NULL);
		listener_listen(&listener, &own);
		received = first_received = 0;
		end_children();
		reap();
		if (listener.lost)
			break;
		listener_close(&listener);
	} while (patience_lasts());
	tap_diag("of %d exits %d were received, %llu were lost", MANY, received,
		 (unsigned long long)listener.lost);
	tap_at_least(listener.lost, 1, "some exits were counted as lost");
	tap_equal(received + listener.lost, MANY, "all others were received");
	tap_ok(first_received, "and the first one among them");
	tap_equal(refused(), 0, "each task was tracked");
	module_must_set("exit_delay_ms", "10");
	listener_drain(&listener);
	tap_ok(1, "an exit is received when there is room again");
	tap_equal(listener.wrong, 0, "no message broke a promise");
	listener_close(&listener);
	module_again("");
	return tap_done();
}
