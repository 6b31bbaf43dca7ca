// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process with so many threads that several tasks that query it sum it together, while
 * other threads of it come and go: no total decreases, none is less than that of the
 * threads, and at rest the sum is exact.
 * TASKRT_TEST_POLLS: how often each one queries it (300).
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "load.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define CROWD	150	/* threads that stay */
#define ASKERS	4
#define OF_TIMES	2	/* of them, who want nothing else: threads are summed for both kinds */

static volatile int *ready;

static void *stay(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static pid_t start_crowd(int churns)
{
	pthread_attr_t attr;
	pthread_t thread;
	pid_t pid;
	int i;

	*ready = 0;
	pid = fork();
	if (pid) {
		clock_await(*ready, "no crowd");
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < CROWD; i++)
		if (pthread_create(&thread, &attr, stay, NULL))
			_exit(1);
	*ready = 1;
	if (churns)
		load_churn_threads();
	stay(NULL);
	_exit(0);
}

static void end_crowd(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int add_live(const struct taskrt_reading *reading, void *arg)
{
	struct taskrt_reading *sum = arg;

	totals_add(sum, reading);
	sum->stats.threads++;
	return 0;
}

/* Return: 0; -EINTR: a thread came or went, and may be in the sum twice. */
static int sum_live(struct taskrt *handle, pid_t pid, struct taskrt_reading *sum)
{
	memset(sum, 0, sizeof(*sum));
	return window_each(handle, pid, add_live, sum);
}

static int ask_times(pid_t pid, unsigned long polls)
{
	struct taskrt_reading before = { 0 }, after;
	struct taskrt *handle = window_open();

	while (polls--) {
		if (taskrt_get(handle, TASKRT_ENTITY_PROCESS, pid, TASKRT_GROUP_TIMES, &after,
			       sizeof(after)))
			return 2;
		if (totals_exceed(&before, &after, "process, times") >= 0)
			return 4;
		if (!window_adds_up(&after))
			return 6;
		before = after;
	}
	return 0;
}

/* The broken promise, as an exit status; 0: none. */
static int ask(pid_t pid, unsigned long polls)
{
	struct taskrt_reading before = { 0 }, after, live;
	struct taskrt *handle = window_open();
	unsigned long i;
	int err;

	for (i = 0; i < polls; i++) {
		err = i % 8 ? -EINTR : sum_live(handle, pid, &live);
		if (err && err != -EINTR)
			return 1;
		if (window_ask(handle, TASKRT_ENTITY_PROCESS, pid, &after))
			return 2;
		if (!err && totals_exceed(&live, &after, "live threads, then the process") >= 0)
			return 3;
		if (totals_exceed(&before, &after, "process") >= 0 ||
		    totals_longest_exceed(&before, &after, "process") >= 0)
			return 4;
		if (after.stats.threads < CROWD ||
		    after.stats.threads_gone < before.stats.threads_gone ||
		    after.stats.sample_time_ns < before.stats.sample_time_ns)
			return 5;
		before = after;
	}
	return 0;
}

static void asked_together(unsigned long polls)
{
	pid_t crowd = start_crowd(1), askers[ASKERS];
	int i, status, bad = 0;

	for (i = 0; i < ASKERS; i++) {
		askers[i] = fork();
		if (!askers[i])
			_exit(i < OF_TIMES ? ask_times(crowd, 2 * polls) : ask(crowd, polls));
	}
	for (i = 0; i < ASKERS; i++) {
		waitpid(askers[i], &status, 0);
		if (status)
			tap_diag("asker %d: status %#x", i, status);
		bad += status != 0;
	}
	tap_equal(bad, 0, "%d askers at once: totals never decrease (4, 5), add up (6), and are not less than the threads' (3)",
		  ASKERS);
	end_crowd(crowd);
}

/* A task that is killed in the middle of the sum leaves the rest to the others. */
static void asked_and_killed(unsigned long polls)
{
	pid_t crowd = start_crowd(1), asker;
	unsigned long i;
	int status;

	for (i = 0; i < polls / 10; i++) {
		asker = fork();
		if (!asker)
			for (;;)
				ask(crowd, 1);
		clock_sleep((i % 7) * MS);
		kill(asker, SIGKILL);
		waitpid(asker, &status, 0);
	}
	tap_equal(ask(crowd, polls / 10), 0, "after many askers that were killed: the same");
	end_crowd(crowd);
}

/* All threads sleep, so that two queries have the same answer. */
static void at_rest(void)
{
	pid_t crowd = start_crowd(0);
	struct taskrt *handle = window_open();
	struct taskrt_reading earlier, process, later;

	if (sum_live(handle, crowd, &earlier))
		tap_bail("the threads of %d", crowd);
	window_process(handle, crowd, &process);
	if (sum_live(handle, crowd, &later))
		tap_bail("the threads of %d", crowd);
	tap_equal(earlier.stats.threads, CROWD + 1, "at rest: all threads are there");
	tap_equal(process.stats.threads, CROWD + 1, "at rest: and in the process");
	tap_ok(totals_exceed(&earlier, &process, "threads, then the process") < 0,
	       "at rest: the process has what its threads had before");
	tap_ok(totals_exceed(&process, &later, "the process, then its threads") < 0,
	       "at rest: and no more than they have after");
	tap_ok(window_adds_up(&process), "at rest: the states add up");
	taskrt_close(handle);
	end_crowd(crowd);
}

int main(void)
{
	unsigned long polls = tap_setting("TASKRT_TEST_POLLS", 300);

	ready = mmap(NULL, sizeof(*ready), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ready == MAP_FAILED)
		tap_bail("no memory");
	asked_together(polls);
	asked_and_killed(polls);
	at_rest();
	return tap_done();
}
