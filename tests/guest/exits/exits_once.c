// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is told of once, also if its last thread ends while the exit of the last but
 * one is being delivered: many processes of two threads, the second of which ends about
 * as much earlier as exits are delayed.
 * TASKRT_TEST_ROUNDS: how many times 16 (60).
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <taskrt.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "patience.h"
#include "tap.h"

#define AT_ONCE	16
#define PIDS	(1 << 22)	/* the most that Linux has */

static uint8_t made[PIDS], told[PIDS];
static unsigned long nr_made, nr_told;

static void *nothing(void *arg)
{
	return arg;
}

static _Noreturn void end_in_two_steps(unsigned int i)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, nothing, NULL))
		pthread_join(thread, NULL);
	/* A delivery is due 10 ms after the first exit of many. */
	clock_sleep((i * 7 % 16) * MS);
	_exit(0);
}

static void make_some(unsigned int round)
{
	unsigned int i;

	for (i = 0; i < AT_ONCE; i++) {
		pid_t pid = fork();

		if (!pid)
			end_in_two_steps(i + round);
		if (pid < 0)
			tap_bail("fork");
		made[pid]++;
		nr_made++;
	}
	while (wait(NULL) > 0)
		;
}

/* Reads what has come by now. */
static void receive(struct taskrt_exits *listener, int timeout_ms)
{
	struct taskrt_exit exit;
	int got;

	while ((got = taskrt_exits_next(listener, timeout_ms, &exit, sizeof(exit))) > 0) {
		uint32_t pid = exit.reading.stats.tgid;

		if (exit.type == TASKRT_EXIT_LOST)
			tap_bail("exits were lost");
		if (!made[pid])
			continue;
		told[pid]++;
		nr_told++;
	}
	if (got < 0)
		tap_bail("taskrt_exits_next: %s", strerror(-got));
}

int main(void)
{
	const struct taskrt_query processes = { .entities = TASKRT_ENTITIES_PROCESSES };
	unsigned int rounds = tap_setting("TASKRT_TEST_ROUNDS", 60), i, differ = 0;
	struct taskrt_exits *listener;

	if (taskrt_exits_open(&listener) ||
	    taskrt_exits_register(listener, NULL, &processes, sizeof(processes), NULL, 0))
		tap_bail("cannot listen");
	for (i = 0; i < rounds; i++) {
		make_some(i);
		receive(listener, 0);
	}
	while (nr_told < nr_made && patience_lasts())
		receive(listener, 100);
	receive(listener, 100);
	for (i = 0; i < PIDS; i++)
		differ += told[i] != made[i];
	tap_diag("%lu processes", nr_made);
	tap_equal(nr_told, nr_made, "as many processes are told of as there were");
	tap_equal(differ, 0, "each once");
	taskrt_exits_close(listener);
	return tap_done();
}
