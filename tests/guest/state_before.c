// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a thread that has had no event since accounting was switched on: a thread
 * that has set its state, and has not left its CPU, does not sleep yet.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define LONGEST		(16ULL * SEC)

static int *inside;	/* the child is in the kernel */

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

static pid_t child_of(int device, uint64_t ns)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	thread_pin(1);
	__atomic_store_n(inside, 1, __ATOMIC_SEQ_CST);
	device_delay(device, TASKRT_TEST_ABOUT_TO_SLEEP, ns);
	__atomic_store_n(inside, 0, __ATOMIC_SEQ_CST);
	_exit(0);
}

/* Returns the child's state, or -1 if it was over too early to tell. */
static int state_of_child(int device, uint64_t ns)
{
	struct taskrt_reading reading;
	struct taskrt *handle;
	pid_t pid = child_of(device, ns);
	int err, state = -1;

	while (letter(pid) != 'S' && patience_lasts())
		;
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
	handle = window_open();
	err = taskrt_get(handle, TASKRT_ENTITY_THREAD, pid, TASKRT_GROUP_TIMES, &reading,
			 sizeof(reading));
	if (err)
		tap_bail("GET: %s", strerror(-err));
	taskrt_close(handle);
	if (letter(pid) == 'S' && __atomic_load_n(inside, __ATOMIC_SEQ_CST))
		state = reading.stats.state;
	waitpid(pid, NULL, 0);
	return state;
}

int main(void)
{
	int device = device_open(), state = -1;
	uint64_t ns;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("a thread that is about to sleep", "there is only one CPU");
		return tap_done();
	}
	inside = mmap(NULL, sizeof(*inside), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	thread_pin(0);
	for (ns = SEC; state < 0 && ns <= LONGEST; ns *= 2)
		state = state_of_child(device, ns);
	if (state < 0)
		tap_bail("accounting is not switched within %llu s", LONGEST / SEC);
	tap_ok(state == TASKRT_STATE_RUNNING || state == TASKRT_STATE_PREEMPTED,
	       "a thread that is about to sleep does not sleep yet: %s",
	       taskrt_state_name(state));
	return tap_done();
}
