// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a thread that has had no event since accounting was switched on: a thread
 * that has set its state, and has not left its CPU, does not sleep yet.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define LONGEST		(50ULL * SEC)

/* The letter of the state that the task has set. */
static char letter(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state;
}

static pid_t child_about_to_sleep(int device)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	thread_pin(1);
	device_delay(device, TASKRT_TEST_ABOUT_TO_SLEEP, LONGEST);
	_exit(0);
}

static unsigned int state_of(pid_t pid)
{
	struct taskrt_reading reading;
	struct taskrt *handle = window_open();
	int err = taskrt_get(handle, TASKRT_ENTITY_THREAD, pid, TASKRT_GROUP_TIMES, &reading,
			     sizeof(reading));

	if (err)
		tap_bail("GET: %s", strerror(-err));
	taskrt_close(handle);
	return reading.stats.state;
}

int main(void)
{
	int device = device_open();
	unsigned int state;
	pid_t pid;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("a thread that is about to sleep", "there is only one CPU");
		return tap_done();
	}
	thread_pin(0);
	pid = child_about_to_sleep(device);
	while (letter(pid) != 'S' && patience_lasts())
		;
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
	state = state_of(pid);
	if (letter(pid) != 'S')
		tap_bail("accounting is not switched within %llu s", LONGEST / SEC);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_ok(state == TASKRT_STATE_RUNNING || state == TASKRT_STATE_PREEMPTED,
	       "a thread that is about to sleep does not sleep yet: %s",
	       taskrt_state_name(state));
	return tap_done();
}
