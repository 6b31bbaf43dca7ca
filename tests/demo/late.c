// SPDX-License-Identifier: GPL-2.0-only
/*
 * late CAUSE: a real-time thread with 10 ms for its work and a reason to be late.  It looks
 * at its own counters before and after, and says where the time went.  Exit status: 0 the
 * report names the cause; 1 it does not, or the work was in time; 2 wrong usage; 3 no
 * module or no permission.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "cause.h"
#include "clock.h"
#include "report.h"
#include "thread.h"

#define DEADLINE	(10 * MS)
#define COMPUTING	(3 * MS)	/* always */
#define LATENESS	(25 * MS)	/* by the cause */
#define REHEARSAL	(1 * MS)

static int usage(void)
{
	const struct cause *cause;

	fprintf(stderr, "Usage: late CAUSE\n");
	for (cause = causes; cause->name; cause++)
		fprintf(stderr, "  %-10s %s\n", cause->name, cause->story);
	return 2;
}

static int failed(struct taskrt *handle, const char *what, int err)
{
	fprintf(stderr, "late: %s: %s\n", what,
		handle ? taskrt_error(handle) : strerror(-err));
	return 3;
}

/* Becomes a real-time thread, if that is permitted. */
static int become_real_time(void)
{
	struct sched_param param = { .sched_priority = 10 };

	thread_pin(0);
	return !sched_setscheduler(0, SCHED_FIFO, &param);
}

static void prepare(const struct cause *cause, uint64_t lateness)
{
	if (cause->prepare)
		cause->prepare(lateness);
}

static void work(const struct cause *cause, uint64_t lateness)
{
	clock_burn(COMPUTING / 2);
	cause->happen(lateness);
	clock_burn(COMPUTING / 2);
}

static int read_own(struct taskrt *handle, struct taskrt_reading *reading)
{
	return taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, TASKRT_GROUP_TIMES, reading,
			  sizeof(*reading));
}

/* Return: 0 or a negative errno. */
static int measure(struct taskrt *handle, const struct cause *cause,
		   struct taskrt_reading *delta)
{
	struct taskrt_reading before, after;
	int err;

	/* A rehearsal, as real-time programs do, so that everything is warm. */
	prepare(cause, REHEARSAL);
	work(cause, REHEARSAL);
	err = read_own(handle, &before);
	if (err)
		return err;
	prepare(cause, LATENESS);
	err = read_own(handle, &before);
	if (err)
		return err;
	work(cause, LATENESS);
	err = read_own(handle, &after);
	return err ?: taskrt_diff(&before, &after, delta, sizeof(*delta));
}

static int judge(const struct cause *cause, const struct taskrt_reading *delta)
{
	uint64_t took = delta->stats.tracked_time_ns;
	unsigned int verdict;
	int right;

	printf("    %-26s %7.2f ms of %.2f ms: %s\n", "the work took", took / 1e6,
	       DEADLINE / 1e6, took > DEADLINE ? "too late" : "in time");
	verdict = report_print(delta);
	right = took > DEADLINE && verdict == cause->verdict;
	printf("    verdict: %s -- %s\n", report_name(verdict),
	       right ? "right" : "WRONG");
	return !right;
}

int main(int argc, char **argv)
{
	const struct cause *cause = argc == 2 ? cause_find(argv[1]) : NULL;
	struct taskrt_reading delta;
	struct taskrt *handle;
	int real_time, err;

	if (!cause)
		return usage();
	err = taskrt_open(&handle);
	if (err)
		return failed(NULL, "taskrt", err);
	real_time = become_real_time();
	printf("late %s: %s%s\n", cause->name, cause->story,
	       real_time ? "" : " (not SCHED_FIFO: not permitted)");
	err = measure(handle, cause, &delta);
	if (err)
		return failed(handle, "own counters", err);
	err = judge(cause, &delta);
	taskrt_close(handle);
	return err;
}
