// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread moves from CPU to CPU, also between CPUs of different kinds, while it computes,
 * sleeps, or waits for a CPU.
 * TASKRT_TEST_CAPACITIES: the capacities that the CPUs must have, such as
 * 446,446,1024,1024.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "tap.h"
#include "thread.h"
#include "totals.h"
#include "window.h"

#define ROUNDS	10
#define BURN	(4 * MS)

static volatile int ended;
static volatile unsigned int where;
static unsigned int cpus, elsewhere, all_broken, all_decreased;
static uint64_t burnt_ns, wandered_ns;

static void check_capacity(unsigned int cpu, unsigned long wanted)
{
	unsigned long capacity = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpu_capacity", cpu);
	file = fopen(path, "re");
	if (file && fscanf(file, "%lu", &capacity) != 1)
		tap_diag("%s: no number", path);
	if (file)
		fclose(file);
	tap_equal(capacity, wanted, "CPU %u: its capacity", cpu);
}

static void check_capacities(void)
{
	const char *list = getenv("TASKRT_TEST_CAPACITIES");
	unsigned int cpu;
	char *end;

	for (cpu = 0; list && *list; cpu++) {
		check_capacity(cpu, strtoul(list, &end, 10));
		list = *end ? end + 1 : end;
	}
	if (cpu)
		tap_equal(cpus, cpu, "as many CPUs");
}

static void wander(void)
{
	uint64_t begin = clock_of(CLOCK_THREAD_CPUTIME_ID), begin_ns = clock_now();
	unsigned int i;

	for (i = 0; i < ROUNDS * cpus; i++) {
		where = i % cpus;
		thread_pin(where);
		elsewhere += (unsigned int)sched_getcpu() != where;
		clock_burn(BURN);
		bell_sleep(MS);
	}
	burnt_ns = clock_of(CLOCK_THREAD_CPUTIME_ID) - begin;
	wandered_ns = clock_now() - begin_ns;
}

/* Follows the thread to each CPU, so that the thread has to wait for it, too. */
static void compete(void *unused)
{
	(void)unused;
	while (!ended) {
		thread_pin(where);
		clock_burn(MS);
	}
}

/* Queries it from another thread meanwhile. */
static void watch(pid_t tid, unsigned int *broken, int *decreased)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading before = { 0 }, after;

	while (!ended && window_ask(handle, TASKRT_ENTITY_THREAD, tid, &after) == 0) {
		*broken += !window_adds_up(&after);
		if (*decreased < 0)
			*decreased = totals_exceed(&before, &after, "moved");
		before = after;
		clock_sleep(MS);
	}
	taskrt_close(handle);
}

struct journey {
	struct window window;
	volatile pid_t tid;
};

static void travel(void *arg)
{
	struct journey *journey = arg;

	journey->tid = gettid();
	wander();
}

static void observe(void *arg)
{
	struct journey *journey = arg;

	window_observe(&journey->window, travel, journey);
	ended = 1;
}

static uint64_t queued(const struct taskrt_reading *delta)
{
	return delta->times.states_ns[TASKRT_STATE_PREEMPTED] +
	       delta->times.states_ns[TASKRT_STATE_WOKEN];
}

static uint64_t slack(void)
{
	return burnt_ns / 10 + 10 * MS;
}

/*
 * The two queries enclose the two readings of the thread's CPU clock: they may count the
 * time before and after these as well.
 */
static uint64_t most_cpu(const struct taskrt_reading *delta)
{
	return burnt_ns + slack() + delta->stats.tracked_time_ns - wandered_ns;
}

/*
 * On an idle CPU the thread's CPU clock starts at once, but the thread runs only when the
 * CPU has woken up.
 */
static uint64_t least_cpu(const struct taskrt_reading *delta)
{
	uint64_t less = queued(delta) + slack();

	return burnt_ns > less ? burnt_ns - less : 0;
}

/*
 * The kernel reads one of two clocks a moment before the other, and on a busy host that
 * moment may be long.  It is also possible that the thread never had to wait for a CPU.
 */
static int is_disturbed(const struct taskrt_reading *delta)
{
	return delta->stats.cpu_time_ns > most_cpu(delta) ||
	       delta->stats.cpu_time_ns < least_cpu(delta) || queued(delta) < MS;
}

static void check_window(const struct window *window)
{
	const struct taskrt_reading *delta = &window->delta;
	uint64_t wall = window->end_ns - window->begin_ns;

	tap_ok(window_adds_up(&window->before) && window_adds_up(&window->after),
	       "the states sum to the time tracked");
	tap_equal(window_sum(delta->times.states_ns, TASKRT_STATES_ROOM),
		  delta->stats.tracked_time_ns,
		  "the difference adds up");
	tap_at_least(delta->stats.tracked_time_ns, wall, "all of the time was tracked");
	tap_at_most(delta->stats.cpu_time_ns, most_cpu(delta),
		    "running: no more than its own clock says");
	tap_at_least(delta->stats.cpu_time_ns, least_cpu(delta), "running and waiting: no less");
	tap_at_least(delta->times.states_ns[TASKRT_STATE_SLEEPING_TIMER], ROUNDS * cpus * MS,
		     "asleep: as long as it asked for");
	tap_at_least(queued(delta), MS, "waiting for a CPU");
	tap_at_most(delta->stats.cpu_time_ns, delta->stats.tracked_time_ns, "no time twice");
}

/* Moves the thread once around all CPUs, and queries it meanwhile. */
static void go_round(struct window *window)
{
	struct thread observer, competitor;
	struct journey journey = { .tid = 0 };
	unsigned int broken = 0;
	int decreased = -1;

	ended = 0;
	thread_start(&competitor, compete, NULL);
	thread_start(&observer, observe, &journey);
	while (!journey.tid)
		clock_sleep(MS);
	watch(journey.tid, &broken, &decreased);
	thread_join(&observer);
	thread_join(&competitor);
	*window = journey.window;
	all_broken += broken;
	all_decreased += decreased >= 0;
}

int main(void)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct window window;

	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	check_capacities();
	do
		go_round(&window);
	while (is_disturbed(&window.delta) && clock_now() < patience);
	tap_equal(elsewhere, 0, "it ran where it was put");
	tap_equal(all_broken, 0, "moved: the states add up, whenever asked");
	tap_equal(all_decreased, 0, "moved: no total decreases");
	check_window(&window);
	return tap_done();
}
