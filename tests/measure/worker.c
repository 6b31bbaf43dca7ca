// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker: does the one worker keep up while a user without privileges does nothing but create
 * and end threads, on all CPUs?  Prints a table, a line for each kind of listener: the number
 * of CPUs; how many threads ended; how many of the ended waited for the worker, as the median
 * and the most of all samples; how many threads began without a record; how many records
 * a listener was given, and how many it lost; the share of a CPU that the worker had, and the
 * share for which it waited for one, in percent.
 *
 * Who ended within the last 10 ms, or within the grace period after that, waits as well.  With
 * max_threads=8192, 16384 threads are kept at most, with those that live.
 *
 * TASKRT_MEASURE_ROUNDS: how many samples are taken (300).
 * TASKRT_MEASURE_MAX: max_threads (8192, an eighth of the module's default, so that the limit
 * is reached earlier).  The more may wait, the more each pass of the worker costs.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "ask.h"
#include "audience.h"
#include "clock.h"
#include "module.h"
#include "tap.h"
#include "task.h"
#include "thread.h"
#include "token.h"
#include "window.h"

#define USER		1000
#define CPUS		1024		/* at most */
#define STACKS		64
#define STACK		16384
#define EVERY		(50 * MS)
#define SAMPLES		100000		/* at most */

static const struct situation {
	const char *name;
	int heard, reads;
} situations[] = {
	{ "nobody listens", 0, 0 },
	{ "a listener", 1, 1 },
	{ "a listener that does not read", 1, 0 },
};

static struct taskrt *handle;
static unsigned int cpus;
static pid_t churners[CPUS];
static uint64_t waiting[SAMPLES];

static int end(void *unused)
{
	(void)unused;
	return 0;
}

/* The shortest life that there is.  A stack is used again when its thread has long ended. */
static void churn(void)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM;
	char *stacks = mmap(NULL, STACKS * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (stacks == MAP_FAILED)
		_exit(TOKEN_LOST);
	for (i = 1;; i = i % STACKS + 1) {
		while (clone(end, stacks + i * STACK, flags, NULL) < 0)
			sched_yield();
		if (i % 16 == 0)
			sched_yield();
	}
}

static void churners_start(void)
{
	const struct ask_who who = { USER, USER, USER, 0 };
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		churners[cpu] = fork();
		if (churners[cpu] < 0)
			tap_bail("fork");
		if (churners[cpu])
			continue;
		thread_pin(cpu);
		ask_become(&who);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		churn();
	}
}

static void churners_end(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		kill(churners[cpu], SIGKILL);
	for (cpu = 0; cpu < cpus; cpu++)
		waitpid(churners[cpu], NULL, 0);
}

static int smaller(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Waits until no more of the ended are kept. */
static void settle(struct taskrt_info *info)
{
	uint64_t gone, patience = clock_now() + CLOCK_PATIENCE;

	do {
		gone = info->threads_gone;
		clock_sleep(500 * MS);
		window_info(handle, info);
	} while (info->threads_gone != gone && clock_now() < patience);
}

static void measure(const struct situation *situation, unsigned int samples)
{
	struct taskrt_reading worker_before, worker_after;
	pid_t listener = situation->heard ? audience_start(situation->reads) : 0;
	const pid_t worker = task_named("taskrt");
	struct taskrt_info before = { 0 }, now;
	uint64_t alive, begin, took;
	unsigned int i;

	settle(&before);
	window_thread(handle, worker, &worker_before);
	alive = before.threads_made - before.threads_gone + cpus;
	begin = clock_now();
	churners_start();
	thread_fifo(1);
	for (i = 0; i < samples; i++) {
		clock_sleep(EVERY);
		window_info(handle, &now);
		/* Those of before live on, and so do the processes of the user. */
		waiting[i] = now.threads_made - now.threads_gone - alive;
	}
	took = clock_now() - begin;
	window_thread(handle, worker, &worker_after);
	thread_other();
	churners_end();
	if (listener)
		audience_end(listener);
	qsort(waiting, samples, sizeof(*waiting), smaller);
	printf("%u\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.0f\t%.0f\n", cpus, situation->name,
	       (unsigned long long)(now.threads_gone - before.threads_gone),
	       (unsigned long long)waiting[samples / 2], (unsigned long long)waiting[samples - 1],
	       (unsigned long long)(now.refused - before.refused),
	       (unsigned long long)(now.exits_delivered - before.exits_delivered),
	       (unsigned long long)(now.exits_lost - before.exits_lost),
	       100. * (worker_after.stats.cpu_time_ns - worker_before.stats.cpu_time_ns) / took,
	       100. * (worker_after.stats.queue_time_ns - worker_before.stats.queue_time_ns) / took);
	fflush(stdout);
}

int main(void)
{
	unsigned long samples = tap_setting("TASKRT_MEASURE_ROUNDS", 300);
	char parameters[32];
	unsigned int i;

	if (samples < 1 || samples > SAMPLES)
		tap_bail("TASKRT_MEASURE_ROUNDS: 1 to %d", SAMPLES);
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (cpus > CPUS)
		cpus = CPUS;
	actor_allow_crowds();
	snprintf(parameters, sizeof(parameters), "max_threads=%lu",
		 tap_setting("TASKRT_MEASURE_MAX", 8192));
	module_again(parameters);
	handle = window_open();
	puts("cpus\tlistener\tended\twaiting\twaiting_most\trefused\tdelivered\tlost\tworker\tqueued");
	fflush(stdout);
	for (i = 0; i < sizeof(situations) / sizeof(*situations); i++)
		measure(&situations[i], samples);
	taskrt_close(handle);
	return 0;
}
