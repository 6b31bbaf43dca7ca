// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workers are threads with names of their own, and an administrator may choose their
 * priority: with a real-time one, they do not wait for spinners of normal priority.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "setting.h"
#include "tap.h"
#include "task.h"
#include "thread.h"
#include "window.h"

#define EXITS		10
#define SPINNERS	10	/* for each CPU */

static struct taskrt *handle;
static struct listener listener;
static pid_t spinners[256];
static long nr_spinners;

struct called {
	const char *name;
	unsigned int count;
	pid_t pid;		/* the last one */
};

/* A kernel thread has no command line. */
static void count_called(const char *name, pid_t pid, void *arg)
{
	struct called *called = arg;
	char path[64], line[8];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	if (strcmp(name, called->name) || setting_read(path, line, sizeof(line)))
		return;
	called->count++;
	called->pid = pid;
}

/* Return: the number of kernel threads of this name; @found: the last one */
static unsigned int workers_called(const char *name, pid_t *found)
{
	struct called called = { .name = name };

	task_each(count_called, &called);
	*found = called.pid;
	return called.count;
}

static void spinners_start(void)
{
	long i;

	nr_spinners = SPINNERS * sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_spinners > (long)(sizeof(spinners) / sizeof(spinners[0])))
		nr_spinners = sizeof(spinners) / sizeof(spinners[0]);
	for (i = 0; i < nr_spinners; i++) {
		spinners[i] = fork();
		if (spinners[i] < 0)
			tap_bail("fork");
		if (spinners[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		thread_other();
		for (;;)
			;
	}
}

static void spinners_end(void)
{
	long i;

	for (i = 0; i < nr_spinners; i++)
		kill(spinners[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* How long the worker has waited for a CPU, while it told of some exits. */
static uint64_t queued_for_exits(pid_t worker)
{
	struct taskrt_reading before, after;
	unsigned int i;
	pid_t pid;

	window_thread(handle, worker, &before);
	for (i = 0; i < EXITS; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0)
			tap_bail("fork");
		waitpid(pid, NULL, 0);
		listener_until(&listener, pid);
	}
	window_thread(handle, worker, &after);
	return after.stats.queue_time_ns - before.stats.queue_time_ns;
}

static void set_policy(pid_t pid, int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(pid, policy, &param))
		tap_bail("sched_setscheduler");
}

static void check_priority(pid_t worker)
{
	const struct listener_filter own = { .own = 1, .entities = TASKRT_ENTITIES_PROCESSES };
	uint64_t usual, first;

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &own);
	thread_fifo(2);
	spinners_start();
	do {
		set_policy(worker, SCHED_OTHER, 0);
		usual = queued_for_exits(worker);
		set_policy(worker, SCHED_FIFO, 1);
		first = queued_for_exits(worker);
	} while (2 * first >= usual && patience_lasts());
	set_policy(worker, SCHED_OTHER, 0);
	tap_diag("in %d exits the worker queued for %llu us; for %llu us in real time", EXITS,
		 (unsigned long long)(usual / US), (unsigned long long)(first / US));
	tap_ok(2 * first < usual, "it does not wait for spinners if it has priority");
	spinners_end();
	thread_other();
	listener_close(&listener);
}

static int none_is_left(void)
{
	pid_t pid;

	return !workers_called("taskrt", &pid) && !workers_called("taskrt_alerts", &pid);
}

int main(void)
{
	pid_t worker = 0, alerts = 0;

	handle = window_open();
	tap_equal(workers_called("taskrt", &worker), 1, "the worker has a name");
	tap_equal(workers_called("taskrt_alerts", &alerts), 1, "that of alerts, too");
	tap_equal(getpriority(PRIO_PROCESS, worker), 0, "its priority is a normal one");
	tap_ok(!setpriority(PRIO_PROCESS, worker, -10) &&
	       getpriority(PRIO_PROCESS, worker) == -10, "root may give it another one");
	setpriority(PRIO_PROCESS, worker, 0);
	check_priority(worker);
	taskrt_close(handle);
	if (module_remove(MODULE_TASKRT))
		tap_bail("rmmod");
	clock_await(none_is_left(), "the workers are still there");
	if (module_insert(MODULE_TASKRT, ""))
		tap_bail("insmod");
	return tap_done();
}
