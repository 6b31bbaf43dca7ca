// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the kernel does not tell that a task is freed, as with its tracepoint left out, a new
 * task at the same address replaces the record of that one.  A test module keeps it from
 * the module.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define OLD	100	/* processes of two threads whose end is not seen */
#define NEW	100	/* at a time */

static struct taskrt *handle;

/* The module may read a task that was freed, whose record is left: KASAN would report that. */
static int kernel_guards_freed_memory(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512];
	int found = 0;

	while (file && !found && fgets(line, sizeof(line), file))
		found = !!strstr(line, " kasan_report\n") || !!strstr(line, " __kcsan_");
	if (file)
		fclose(file);
	return found;
}

static void nothing(void *unused)
{
	(void)unused;
}

static void end_one(void)
{
	struct thread thread;
	pid_t pid = fork();

	if (!pid) {
		thread_start(&thread, nothing, NULL);
		thread_join(&thread);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		tap_bail("fork");
}

/* The records that were found to be of an earlier task. */
static uint64_t replaced(void)
{
	struct taskrt_info info;
	struct taskrt_hook hook;

	window_info(handle, &info);
	if (!window_find_hook(handle, "sched_process_free", &hook))
		tap_bail("no hook of freed tasks");
	return hook.misses;
}

static int is_new(pid_t pid, uint64_t since)
{
	struct taskrt_reading reading;
	int err = window_ask(handle, TASKRT_ENTITY_THREAD, pid, &reading);

	if (err)
		tap_bail("task %d: %s", pid, strerror(-err));
	if (reading.stats.tracked_since_ns >= since &&
	    !(reading.stats.flags & TASKRT_FLAG_PREEXISTING) && window_adds_up(&reading))
		return 1;
	tap_diag("task %d: tracked since %llu, and not after %llu", pid,
		 (unsigned long long)reading.stats.tracked_since_ns, (unsigned long long)since);
	return 0;
}

/* Returns how many of some new threads have a record of another one. */
static unsigned int start_some(uint64_t since)
{
	unsigned int i, wrong = 0;
	pid_t pids[NEW];

	for (i = 0; i < NEW; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		if (pids[i] < 0)
			tap_bail("fork");
	}
	for (i = 0; i < NEW; i++)
		wrong += !is_new(pids[i], since);
	for (i = 0; i < NEW; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return wrong;
}

static void unseen(void)
{
	int device = device_open();
	struct taskrt_info info;
	unsigned int i, wrong;
	uint64_t since, found;

	handle = window_open();
	device_hide_free(device, 1);
	for (i = 0; i < OLD; i++)
		end_one();
	/* Those of them that are freed later are seen. */
	clock_sleep(SEC);
	device_hide_free(device, 0);
	since = clock_now();
	do {
		wrong = start_some(since);
		found = replaced();
	} while (!wrong && !found && patience_lasts());
	tap_equal(wrong, 0, "a new task has no record of another one");
	tap_at_least(found, 1, "and it was the address of an earlier one");
	window_info(handle, &info);
	tap_equal(info.threads_made - info.threads_gone, info.threads, "made - gone == live");
	taskrt_close(handle);
	close(device);
}

int main(void)
{
	if (kernel_guards_freed_memory())
		tap_skip("freed tasks that are not seen", "this kernel forbids what follows from it");
	else
		unseen();
	/* What is left of tasks that were freed is not to be found by the tests that follow. */
	module_again("");
	return tap_done();
}
