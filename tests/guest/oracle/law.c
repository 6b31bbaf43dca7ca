// SPDX-License-Identifier: GPL-2.0-only
/*
 * The law of conservation: the states of every thread and process sum to the time tracked,
 * to the nanosecond, while the machine is busy.
 * TASKRT_TEST_SECONDS: for how long (8).
 */
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "load.h"
#include "tap.h"
#include "window.h"

#define TGIDS		512
/* The test queries at least this many. */
#define THREADS		1000
#define PROCESSES	300

static unsigned long threads, processes, broken, inconsistent, interrupted;
static pid_t tgids[TGIDS];
static unsigned int known;

static int derived_ok(const struct taskrt_reading *reading)
{
	uint64_t cpu = reading->stats.cpu_time_ns, queue = reading->stats.queue_time_ns;
	__u64 running = reading->times.states_ns[TASKRT_STATE_RUNNING];
	__u64 queued = reading->times.states_ns[TASKRT_STATE_PREEMPTED] +
		       reading->times.states_ns[TASKRT_STATE_WOKEN];
	int late = reading->stats.flags & TASKRT_FLAG_PREEXISTING;

	/* A task that is older than the module starts from the kernel's own totals. */
	if ((late ? running <= cpu : running == cpu) &&
	    (late ? queued <= queue : queued == queue) && window_agrees(reading))
		return 1;
	tap_diag("tid %u tgid %u%s:", reading->stats.tid, reading->stats.tgid,
		 late ? " (late)" : "");
	window_print(reading);
	return 0;
}

static int check_thread(const struct taskrt_reading *reading, void *unused)
{
	(void)unused;
	threads++;
	broken += !window_adds_up(reading);
	inconsistent += !derived_ok(reading);
	if (reading->stats.tid == reading->stats.tgid && known < TGIDS)
		tgids[known++] = reading->stats.tgid;
	return 0;
}

static void check_processes(struct taskrt *handle)
{
	struct taskrt_reading reading;

	while (known--) {
		int err = window_ask(handle, TASKRT_ENTITY_PROCESS, tgids[known], &reading);

		/* The task ended during the query: the next query will not find it. */
		if (err == -ENODATA)
			err = window_ask(handle, TASKRT_ENTITY_PROCESS, tgids[known], &reading);
		if (err == -ESRCH)
			continue;
		if (err)
			tap_bail("process %d: %s", tgids[known], strerror(-err));
		processes++;
		broken += !window_adds_up(&reading);
		inconsistent += !derived_ok(&reading);
	}
}

static void look_around(struct taskrt *handle)
{
	int err;

	known = 0;
	err = window_each(handle, 0, check_thread, NULL);
	if (err == -EINTR)
		interrupted++;
	else if (err)
		tap_bail("dump: %s (%s)", strerror(-err), taskrt_error(handle));
	check_processes(handle);
}

/* The test goes on until it has queried enough, however slow the machine is. */
static int is_too_little(void)
{
	return threads < THREADS || processes < PROCESSES;
}

int main(void)
{
	uint64_t end = clock_now() + tap_setting("TASKRT_TEST_SECONDS", 8) * SEC;
	struct taskrt *handle = window_open();
	unsigned long rounds = 0;

	load_start(LOAD_ALL);
	while ((clock_now() < end || (is_too_little() && clock_now() < end + CLOCK_PATIENCE)) &&
	       !broken && !inconsistent) {
		look_around(handle);
		rounds++;
	}
	load_stop();
	taskrt_close(handle);
	tap_diag("%lu rounds, %lu interrupted, %lu threads, %lu processes", rounds, interrupted,
		 threads, processes);
	tap_equal(broken, 0, "the states sum to the time tracked");
	tap_equal(inconsistent, 0, "cpu, queue and fault times follow from them");
	tap_at_least(threads, THREADS, "many threads were asked");
	tap_at_least(processes, PROCESSES, "many processes were asked");
	return tap_done();
}
