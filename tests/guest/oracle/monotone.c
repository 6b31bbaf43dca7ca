// SPDX-License-Identifier: GPL-2.0-only
/*
 * The totals of a process never decrease while its threads come and go, and are never less
 * than those of its live threads.
 * TASKRT_TEST_POLLS: how often it is queried (5000; for all that is claimed, 100000).
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "load.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

static struct taskrt *handle;

static int add_live(const struct taskrt_reading *reading, void *arg)
{
	totals_add(arg, reading);
	return 0;
}

/* Queries the threads first: their totals are contained in the later ones of the process. */
static int live_exceed(pid_t pid)
{
	struct taskrt_reading live = { 0 }, process;
	int err = window_each(handle, pid, add_live, &live);

	/* A thread came or went: one may be in the sum twice. */
	if (err == -EINTR)
		return -1;
	if (err)
		tap_bail("threads of %d: %s", pid, strerror(-err));
	window_process(handle, pid, &process);
	return totals_exceed(&live, &process, "live threads, then the process");
}

/* The numbers of totals that decreased, shrunk or exceeded; -1: none did. */
struct found {
	int decreased, shrunk, exceed, backwards;
};

static int is_any(const struct found *found)
{
	return found->decreased >= 0 || found->shrunk >= 0 || found->exceed >= 0 ||
	       found->backwards;
}

static void poll_once(pid_t pid, struct taskrt_reading *before, struct found *found, int all)
{
	struct taskrt_reading after;

	window_process(handle, pid, &after);
	found->decreased = totals_exceed(before, &after, "process");
	found->shrunk = totals_longest_exceed(before, &after, "process");
	found->backwards = after.stats.sample_time_ns < before->stats.sample_time_ns ||
			   after.stats.threads_gone < before->stats.threads_gone;
	*before = after;
	if (all)
		found->exceed = live_exceed(pid);
}

/* Goes on until many threads have come and gone, however slow the machine is. */
static void poll_process(pid_t pid, unsigned long polls)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE, gone = polls / 100;
	struct taskrt_reading before = { 0 };
	struct found found = { -1, -1, -1, 0 };
	unsigned long i;

	for (i = 0; !is_any(&found) &&
	     (i < polls || (before.stats.threads_gone < gone && clock_now() < patience)); i++)
		poll_once(pid, &before, &found, !(i % 64));
	tap_diag("%lu polls, %llu threads gone", i, before.stats.threads_gone);
	tap_ok(!found.backwards, "sample_time and threads_gone never decrease");
	tap_ok(found.decreased < 0, "a process's totals never decrease");
	tap_ok(found.shrunk < 0, "nor do its longest intervals");
	tap_ok(found.exceed < 0, "its live threads never have more than it");
	tap_at_least(before.stats.threads_gone, gone, "many threads came and went");
}

/* Between two queries in a row a thread has always run a little. */
static void poll_self(unsigned long polls)
{
	struct taskrt_reading before = { 0 }, after;
	int decreased = -1;
	unsigned long i, same = 0;

	for (i = 0; i < polls && decreased < 0; i++) {
		window_thread(handle, 0, &after);
		decreased = totals_exceed(&before, &after, "self");
		same += after.stats.cpu_time_ns == before.stats.cpu_time_ns;
		before = after;
	}
	tap_ok(decreased < 0, "a thread's totals never decrease");
	tap_equal(same, 0, "its cpu_time grows from each look at itself to the next");
}

int main(void)
{
	unsigned long polls = tap_setting("TASKRT_TEST_POLLS", 5000);
	pid_t pid = fork();

	if (!pid)
		load_churn_threads();
	handle = window_open();
	poll_process(pid, polls);
	poll_self(polls / 20);
	taskrt_close(handle);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return tap_done();
}
