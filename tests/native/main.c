// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hot path of the module in a program of its own: see "run", which starts it.
 *
 *	native time SCENARIO THREADS BATCHES	a line for each batch: the ns of a step with
 *						empty probes, and with the module's
 *	native replay SCENARIO THREADS STEPS	only the steps, for whoever counts them
 *	native map SCENARIO THREADS		where the marks and the threads are
 *
 * SCENARIO: sleep, preempt, lock or fault.  More than 2,000 THREADS are a multiple of that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena.h"
#include "compat/clock.h"
#include "replay.h"
#include "surroundings.h"

/* A batch is that short for the least to be of one that nobody has disturbed. */
#define BATCH		2000
#define MAX_BATCHES	64	/* in which each thread has its turn */

static const struct replay_scenario *scenario;
static unsigned int threads, number;

static double now_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1e9 + at.tv_nsec;
}

/* The threads have their turns once or more, in batches of so many steps. */
static unsigned int batch_steps(void)
{
	return threads < BATCH ? (BATCH + threads - 1) / threads * threads : BATCH;
}

static unsigned int batches(void)
{
	return threads < BATCH ? 1 : threads / BATCH;
}

static void time_round(bool called, double *ns)
{
	const unsigned int steps = batch_steps();
	unsigned int i;
	double begin;

	for (i = 0; i < batches(); i++) {
		surroundings_tick();
		begin = now_ns();
		replay_run(steps, called);
		ns[i] = (now_ns() - begin) / steps;
	}
}

/* Where the probes are empty, each thread has had its turn as well, and is as it was. */
static void time_batches(void)
{
	double empty[MAX_BATCHES], called[MAX_BATCHES];
	unsigned int i;

	time_round(true, called);
	while (number >= batches()) {
		time_round(false, empty);
		time_round(true, called);
		for (i = 0; i < batches(); i++)
			printf("%.2f %.2f\n", empty[i], called[i]);
		number -= batches();
	}
}

static void replay(void)
{
	replay_run(number, true);
}

static const struct {
	const char *name;
	void (*run)(void);
} actions[] = {
	{ "time", time_batches },
	{ "replay", replay },
	{ "map", replay_map },
};

static void (*action)(void);

static void act(void)
{
	replay_make(threads, scenario);
	action();
}

static int usage(void)
{
	fputs("usage: native time|replay|map SCENARIO THREADS [BATCHES|STEPS]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 4)
		return usage();
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(argv[1], actions[i].name))
			action = actions[i].run;
	scenario = replay_scenario(argv[2]);
	threads = strtoul(argv[3], NULL, 10);
	number = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	if (!action || !scenario || threads < 2 || threads % (threads < BATCH ? 1 : BATCH) ||
	    batches() > MAX_BATCHES)
		return usage();

	arena_init();
	surroundings_init();
	clock_start();
	arena_call(act);
	return 0;
}
