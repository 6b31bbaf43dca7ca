// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker: does the one worker keep up while a user without privileges creates and ends threads
 * on all CPUs, as fast as they can?  Prints a table, a line for each kind of listener and for
 * each number of threads: the number of CPUs; how many threads ended, and in how many ms; how
 * many of the ended waited for the worker, as the median and the most of all samples; how many
 * tasks of the machine began without a record; how many records the listener received, of all
 * groups, and how many it lost, which together are the threads that ended; the time that the
 * worker had a CPU, in ns for each of them.
 *
 * Threads that ended within the last 10 ms, or within the grace period after that, wait as well.
 *
 * TASKRT_MEASURE_EXITS: the number of threads in the longest lines (100000).
 * TASKRT_MEASURE_MAX: max_threads (0: the module's default).
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "ask.h"
#include "clock.h"
#include "groups.h"
#include "listener.h"
#include "module.h"
#include "tap.h"
#include "task.h"
#include "thread.h"
#include "token.h"
#include "window.h"

#define USER		1000
#define CPUS		64		/* at most: a filter names so many processes */
#define STACKS		64
#define STACK		16384
#define EVERY		(20 * MS)
#define SAMPLES		100000		/* at most */

static const struct situation {
	const char *name;
	int heard, reads;
	unsigned int part;		/* of TASKRT_MEASURE_EXITS */
} situations[] = {
	{ "nobody listens", 0, 0, 1 },
	{ "a listener", 1, 1, 8 },
	{ "a listener", 1, 1, 4 },
	{ "a listener", 1, 1, 2 },
	{ "a listener", 1, 1, 1 },
	{ "a listener that does not read", 1, 0, 1 },
};

static struct taskrt *handle;
static unsigned int cpus;
static pid_t churners[CPUS];
static uint64_t waiting[SAMPLES];
static struct shared {
	volatile uint64_t received, lost;
	volatile int done;
} *shared;

static int end(void *unused)
{
	(void)unused;
	return 0;
}

/* The shortest life that there is.  A stack is used again when its thread has long ended. */
static void churn(unsigned long threads)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM;
	char *stacks = mmap(NULL, STACKS * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (stacks == MAP_FAILED)
		_exit(TOKEN_LOST);
	for (i = 0; i < threads; i++) {
		while (clone(end, stacks + (i % STACKS + 1) * STACK, flags, NULL) < 0)
			sched_yield();
		if (i % 16 == 0)
			sched_yield();
	}
	for (;;)
		pause();
}

static void churners_start(unsigned long exits, const int go[2])
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
		close(go[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(go[0], &(char){ 0 }, 1) < 0)
			_exit(TOKEN_LOST);
		ask_become(&who);
		churn(exits / cpus + (cpu < exits % cpus));
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

/* One that does not read until all is over still reads what has come then. */
static void listen(struct listener *listener, int reads)
{
	for (;;) {
		if (reads || shared->done)
			listener_wait(listener, 100);
		else
			clock_sleep(100 * MS);
		shared->received = listener->received;
		shared->lost = listener->lost;
	}
}

static pid_t listener_start(int reads, const int go[2])
{
	const struct listener_filter filter = {
		.entities = TASKRT_ENTITIES_THREADS, .groups = EVERY_GROUP,
		.tgids = (const uint32_t *)churners, .nr_tgids = cpus,
	};
	static struct listener listener;
	int ready[2];
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (pid < 0)
		tap_bail("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(go[0]);
		close(go[1]);
		listener_open(&listener, NULL, NULL);
		listener_listen(&listener, &filter);
		token_pass(ready[1]);
		listen(&listener, reads);
	}
	close(ready[1]);
	token_await(ready[0]);
	close(ready[0]);
	return pid;
}

static void listener_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
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

/* Samples until that many more are gone.  Return: the number of samples. */
static unsigned int sample(const struct taskrt_info *before, uint64_t exits,
			   struct taskrt_info *now)
{
	const uint64_t alive = before->threads_made - before->threads_gone;
	const uint64_t patience = clock_now() + 20 * CLOCK_PATIENCE;
	unsigned int n = 0;

	do {
		clock_sleep(EVERY);
		window_info(handle, now);
		/* Those of before live on. */
		waiting[n] = now->threads_made - now->threads_gone - alive;
		n += n + 1 < SAMPLES;
	} while (now->threads_gone - before->threads_gone < exits && clock_now() < patience);
	return n;
}

static void measure(const struct situation *situation, uint64_t exits)
{
	struct taskrt_reading worker_before, worker_after;
	const pid_t worker = task_named("taskrt");
	struct taskrt_info before = { 0 }, now;
	pid_t listener = 0;
	uint64_t begin, took, patience, received, lost;
	unsigned int n;
	int go[2];

	if (pipe(go))
		tap_bail("pipe");
	churners_start(exits, go);
	memset(shared, 0, sizeof(*shared));
	if (situation->heard)
		listener = listener_start(situation->reads, go);
	settle(&before);
	window_thread(handle, worker, &worker_before);
	begin = clock_now();
	thread_fifo(1);
	close(go[0]);
	close(go[1]);
	n = sample(&before, exits, &now);
	took = clock_now() - begin;
	thread_other();
	shared->done = 1;
	patience = clock_now() + CLOCK_PATIENCE;
	while (listener && shared->received + shared->lost < exits && clock_now() < patience)
		clock_sleep(10 * MS);
	window_thread(handle, worker, &worker_after);
	/* Before the churners end, too. */
	received = shared->received;
	lost = shared->lost;
	churners_end();
	if (listener)
		listener_end(listener);
	qsort(waiting, n, sizeof(*waiting), smaller);
	printf("%u\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.0f\n", cpus, situation->name,
	       (unsigned long long)exits, (unsigned long long)(took / MS),
	       (unsigned long long)waiting[n / 2], (unsigned long long)waiting[n - 1],
	       (unsigned long long)(now.refused - before.refused),
	       (unsigned long long)received, (unsigned long long)lost,
	       1. * (worker_after.stats.cpu_time_ns - worker_before.stats.cpu_time_ns) / exits);
	fflush(stdout);
}

int main(void)
{
	const unsigned long exits = tap_setting("TASKRT_MEASURE_EXITS", 100000);
	const unsigned long max = tap_setting("TASKRT_MEASURE_MAX", 0);
	char parameters[64] = "";
	unsigned int i;

	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (cpus > CPUS)
		cpus = CPUS;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("mmap");
	actor_allow_crowds();
	if (max)
		snprintf(parameters, sizeof(parameters), "max_threads=%lu", max);
	module_again(parameters);
	handle = window_open();
	puts("cpus\tlistener\tended\tms\twaiting\twaiting_most\trefused\treceived\tlost\tworker_ns");
	fflush(stdout);
	for (i = 0; i < sizeof(situations) / sizeof(*situations); i++)
		measure(&situations[i], exits / situations[i].part);
	taskrt_close(handle);
	return 0;
}
