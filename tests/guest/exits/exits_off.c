// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting is switched off, or the module is removed, while a process ends: its
 * record is lost, and counted as lost for its listener before that.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "release.h"
#include "tap.h"
#include "thread.h"

static int device;

/* The first process of a pid namespace ends when @go is closed, and then waits for the others. */
static pid_t start_first(int go[2])
{
	char byte;
	pid_t pid;

	if (pipe(go) || unshare(CLONE_NEWPID))
		tap_bail("a pid namespace");
	pid = fork();
	if (!pid) {
		close(go[1]);
		_exit(read(go[0], &byte, 1) != 0);
	}
	return pid;
}

/* It is in the same namespace, and cannot be killed. */
static pid_t start_second(const int go[2])
{
	pid_t pid = fork();

	if (!pid) {
		close(go[1]);
		device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, TASKRT_TEST_FOR_EVER);
		_exit(0);
	}
	thread_await(pid, "D");
	return pid;
}

/* Its memory is gone, and it sleeps: its exit was noted, and it waits for the other one. */
static int is_ending(pid_t pid)
{
	unsigned long pages = 1;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%lu", &pages) != 1)
		pages = 1;
	if (file)
		fclose(file);
	return !pages && (thread_letter(pid) == 'S' || thread_letter(pid) == 'I');
}

/* What is created from now on is in the own namespace of the test again. */
static void leave_namespace(void)
{
	int own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);

	if (own < 0 || setns(own, CLONE_NEWPID))
		tap_bail("the own pid namespace");
	close(own);
}

/* Two processes that are ending, and a listener for the first. */
struct ending {
	struct listener listener;
	pid_t first, second;
};

static void begin(struct ending *ending)
{
	struct listener_filter filter = { 0 };
	int go[2];

	device = device_open();
	listener_open(&ending->listener, NULL, NULL);
	ending->first = start_first(go);
	close(go[0]);
	ending->second = start_second(go);
	leave_namespace();
	filter.tgid = ending->first;
	listener_listen(&ending->listener, &filter);
	close(go[1]);
	while (!is_ending(ending->first) && patience_lasts())
		clock_sleep(MS);
}

static void end(struct ending *ending)
{
	release(device);
	waitpid(ending->second, NULL, 0);
	waitpid(ending->first, NULL, 0);
	listener_close(&ending->listener);
	close(device);
}

static void await_all(struct listener *listener)
{
	while (listener->received + listener->lost < 2 && patience_lasts())
		listener_wait(listener, 100);
}

static void off(void)
{
	struct ending ending;

	begin(&ending);
	module_must_set("enabled", "0");
	await_all(&ending.listener);
	tap_equal(ending.listener.lost, 2, "the records of its thread and of itself are lost");
	tap_equal(ending.listener.received, 0, "and do not come");
	module_must_set("enabled", "1");
	tap_equal(listener_listed(&ending.listener, TASKRT_A_SEQ), 2, "LIST: so many");
	tap_equal(ending.listener.wrong, 0, "every promise of the header is kept");
	end(&ending);
}

static void removed(void)
{
	struct ending ending;
	int err;

	begin(&ending);
	err = module_remove(MODULE_TASKRT);
	if (err)
		tap_bail("removing: %s", strerror(-err));
	await_all(&ending.listener);
	tap_equal(ending.listener.lost, 2, "removed: its listener is told of the loss before");
	tap_equal(ending.listener.received, 0, "removed: and gets no record");
	end(&ending);
	module_again("");
}

int main(void)
{
	off();
	removed();
	return tap_done();
}
