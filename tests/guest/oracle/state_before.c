// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a thread that has had no event since accounting was switched on: a thread
 * that has set its state, and has not left its CPU, does not sleep yet.  Nor does one that
 * has been preempted since, and to wake it changes nothing.
 */
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "leftover.h"
#include "machine.h"
#include "module.h"
#include "page.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define LONGEST		(50ULL * SEC)

static pid_t child_about_to_sleep(int device)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	thread_pin(1);
	device_delay(device, TASKRT_TEST_ABOUT_TO_SLEEP, LONGEST);
	_exit(0);
}

static void get(pid_t pid, struct taskrt_reading *reading)
{
	struct taskrt *handle = window_open();

	window_thread(handle, pid, reading);
	taskrt_close(handle);
}

/* It has had no event, and has not left its CPU for good. */
static void check_state(pid_t pid, const struct taskrt_reading *reading, const char *name)
{
	const unsigned int state = reading->stats.state;

	if (thread_letter(pid) != 'S')
		tap_bail("accounting is not switched within %llu s", LONGEST / SEC);
	tap_ok(state == TASKRT_STATE_RUNNING || state == TASKRT_STATE_PREEMPTED,
	       "%s: does not sleep yet: %s", name, taskrt_state_name(state));
}

static pid_t begin(int device)
{
	pid_t pid = child_about_to_sleep(device);

	while (thread_letter(pid) != 'S' && patience_lasts())
		;
	return pid;
}

static void switch_on(void)
{
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
}

static void about_to_sleep(int device)
{
	struct taskrt_reading reading;
	pid_t pid = begin(device);

	switch_on();
	get(pid, &reading);
	check_state(pid, &reading, "about to sleep");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#define PROBED	"without=exit_signals,release_task,handle_mm_fault"

/*
 * Who attaches them may have to wait until every task has left the kernel, or given up its
 * CPU.  Some kernels have one more.
 */
static void insert_without_kprobes(void)
{
	module_remove(MODULE_TASKRT);
	if (module_insert(MODULE_TASKRT, PROBED ",tg_unthrottle_up"))
		module_again(PROBED);
}

/* The first event is a wake-up of who is queued already. */
static void queued(int device)
{
	struct taskrt_reading before, after;
	pid_t pid;

	machine_starve();
	module_must_set("enabled", "0");
	pid = begin(device);
	machine_keep(LONGEST / 2);
	module_must_set("enabled", "1");
	get(pid, &before);
	check_state(pid, &before, "queued");
	kill(pid, SIGKILL);
	get(pid, &after);
	tap_ok(!page_falls(&before.times, &after.times), "queued: to wake it takes nothing back");
	tap_equal(VALUE(after, WAKEUPS), VALUE(before, WAKEUPS), "queued: and is not counted");
	if (!machine_let_go())
		tap_diag("the CPU was not kept all the time");
	machine_restore();
	waitpid(pid, NULL, 0);
}

int main(void)
{
	int device = device_open();

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("a thread that is about to sleep", "there is only one CPU");
		return tap_done();
	}
	thread_pin(0);
	about_to_sleep(device);
	insert_without_kprobes();
	if (leftover_kprobe())
		tap_skip("queued", "the hooks of locks are kprobes here");
	else
		queued(device);
	module_again("");
	return tap_done();
}
