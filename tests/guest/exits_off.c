// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting is switched off while a process ends: no record of it can come any more, and its
 * listener is told of the loss.
 */
#include <sched.h>
#include <stdio.h>
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

static void await_all(struct listener *listener, uint64_t records)
{
	while (listener->received + listener->lost < records && patience_lasts())
		listener_wait(listener, 100);
}

int main(void)
{
	struct listener_filter filter = { 0 };
	struct listener listener;
	pid_t first, second;
	int go[2];

	device = device_open();
	listener_open(&listener, NULL, NULL);
	first = start_first(go);
	close(go[0]);
	second = start_second(go);
	filter.tgid = first;
	listener_listen(&listener, &filter);
	close(go[1]);
	while (!is_ending(first) && patience_lasts())
		clock_sleep(MS);
	module_must_set("enabled", "0");
	await_all(&listener, 2);
	tap_equal(listener.lost, 2, "the records of its thread and of itself are lost");
	tap_equal(listener.received, 0, "and do not come");
	module_must_set("enabled", "1");
	release(device);
	waitpid(second, NULL, 0);
	waitpid(first, NULL, 0);
	tap_equal(listener_listed(&listener, TASKRT_A_SEQ), 2, "LIST: so many");
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	return tap_done();
}
