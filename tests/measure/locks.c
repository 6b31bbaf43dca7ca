// SPDX-License-Identifier: GPL-2.0-only
/*
 * locks: how often each lock of the module is taken in the life of a task, and how often it
 * has to be waited for, while all CPUs create and end tasks.  Prints a table, a line for
 * each lock: its name; the variable that is the key of its class; whether it is global, or
 * one for each object; how many different ones were taken; acquisitions, in all, for each
 * life (switch, fault), and the same of the one that was taken most often; how often one was
 * contended.  The kind, the number and the one taken most often are from a few lives that are
 * traced before the others are counted.
 *
 * TASKRT_MEASURE_LIVES: how many tasks are created, on all CPUs together (2000).
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "actor.h"
#include "audience.h"
#include "clock.h"
#include "lockstat.h"
#include "module.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

#define PAGES	64

static unsigned int cpus;
static struct lockstat stat;

static void one_process(void)
{
	pid_t pid = fork();

	if (pid < 0)
		_exit(TOKEN_LOST);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void *end(void *unused)
{
	return unused;
}

static void one_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, end, NULL))
		_exit(TOKEN_LOST);
	pthread_join(thread, NULL);
}

/* Two switches: to a thread on the same CPU, and back. */
static void two_switches(void)
{
	static int there[2], back[2];
	static pid_t other;

	if (!other) {
		if (pipe(there) || pipe(back))
			_exit(TOKEN_LOST);
		other = fork();
		if (!other) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;) {
				token_await(there[0]);
				token_pass(back[1]);
			}
		}
	}
	token_pass(there[1]);
	token_await(back[0]);
}

static void many_faults(void)
{
	static volatile char *area;
	int i;

	if (!area)
		area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < PAGES; i++)
		area[i * 4096] = 1;
	madvise((void *)area, PAGES * 4096, MADV_DONTNEED);
}

static struct work {
	const char *name;
	void (*once)(void);
	unsigned int units;		/* each time */
	unsigned int times;		/* on all CPUs together; 0: as many as there are lives */
	int heard;			/* somebody listens to the exits */
} works[] = {
	{ "process", one_process, 1, 0, 0 },
	{ "thread", one_thread, 1, 0, 0 },
	{ "process, a listener", one_process, 1, 0, 1 },
	{ "thread, a listener", one_thread, 1, 0, 1 },
	{ "switch", two_switches, 2, 4000, 0 },
	{ "fault", many_faults, PAGES, 200, 0 },
};

/* One process on each CPU: warms up, reports, waits for the others, works. */
static void worker(const struct work *work, unsigned int cpu, unsigned int times, int go,
		   int ready)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(cpu);
	work->once();
	token_pass(ready);
	if (read(go, &byte, 1) != 0)
		_exit(TOKEN_LOST);
	while (times--)
		work->once();
	token_pass(ready);
	pause();
}

static int go[2], ready[2];
static pid_t workers[1024];

static void await_all(void)
{
	unsigned int i;

	for (i = 0; i < cpus; i++)
		token_await(ready[0]);
}

static void workers_start(const struct work *work, unsigned int times)
{
	unsigned int cpu;

	if (pipe(go) || pipe(ready))
		tap_bail("pipe");
	for (cpu = 0; cpu < cpus; cpu++) {
		workers[cpu] = fork();
		if (workers[cpu] < 0)
			tap_bail("fork");
		if (!workers[cpu]) {
			close(go[1]);
			worker(work, cpu, (times + cpus - 1) / cpus, go[0], ready[1]);
		}
	}
	await_all();
}

static void workers_end(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		kill(workers[cpu], SIGKILL);
		waitpid(workers[cpu], NULL, 0);
	}
	close(go[0]);
	close(ready[0]);
	close(ready[1]);
}

/* Waits until the module takes no locks any more: the dead are folded after grace periods. */
static void settle(void)
{
	uint64_t before, now = 0, patience = clock_now() + CLOCK_PATIENCE;

	do {
		before = now;
		clock_sleep(1 * SEC);
		lockstat_read(&stat);
		now = lockstat_acquired(&stat);
	} while (now != before && clock_now() < patience);
}

/* Returns how many units of work were done. */
static unsigned int run(const struct work *work, unsigned int times)
{
	workers_start(work, times);
	lockstat_find(&stat);
	settle();
	lockstat_clear();
	close(go[1]);
	await_all();
	settle();
	lockstat_read(&stat);
	workers_end();
	return (times + cpus - 1) / cpus * cpus * work->units;
}

/* A few, to see which locks are taken. */
static unsigned int watch(const struct work *work, unsigned int times)
{
	workers_start(work, times);
	lockstat_find(&stat);
	settle();
	lockstat_watch(&stat);
	close(go[1]);
	await_all();
	settle();
	lockstat_unwatch(&stat);
	workers_end();
	return (times + cpus - 1) / cpus * cpus * work->units;
}

static void print(const struct work *work, unsigned int units, unsigned int watched)
{
	const struct lockstat_class *class;
	const struct lockstat_seen *seen;
	double global = 0;
	unsigned int i;

	for (i = 0; i < stat.count; i++) {
		class = &stat.classes[i];
		seen = lockstat_seen(class);
		if (!class->acquired)
			continue;
		printf("%u\t%s\t%s\t%s\t%s\t%u\t%llu\t%.3f\t%.3f\t%llu\n", cpus, work->name,
		       class->name, class->symbol, lockstat_kind(class), seen->locks,
		       (unsigned long long)class->acquired, (double)class->acquired / units,
		       (double)seen->hottest / watched, (unsigned long long)class->contended);
		if (!strcmp(lockstat_kind(class), "global"))
			global += (double)class->acquired / units;
	}
	printf("%u\t%s\tall global locks\t\t\t\t\t%.3f\t\t\n", cpus, work->name, global);
	fflush(stdout);
}

static void measure(const struct work *work, unsigned int lives)
{
	unsigned int times = work->times ? work->times : lives, watched;
	pid_t listener = work->heard ? audience_start(1) : 0;

	watched = watch(work, cpus > 100 ? cpus : 100);
	print(work, run(work, times), watched);
	if (listener)
		audience_end(listener);
}

int main(void)
{
	unsigned long lives = tap_setting("TASKRT_MEASURE_LIVES", 2000);
	unsigned int i;

	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (cpus > sizeof(workers) / sizeof(*workers))
		cpus = sizeof(workers) / sizeof(*workers);
	actor_allow_crowds();
	module_again("");
	puts("cpus\twork\tlock\tkey\tkind\tlocks\tacquired\teach\teach_hottest\tcontended");
	fflush(stdout);
	for (i = 0; i < sizeof(works) / sizeof(*works); i++)
		measure(&works[i], lives);
	return 0;
}
