// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * deadline: a thread has 10 ms for its work in each cycle; if it is late, another thread
 * prints why.
 *
 *	cc -o deadline deadline.c $(pkg-config --cflags --libs libtaskrt) -pthread
 */
#define TASKRT_EXPERIMENTAL
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <taskrt_experimental.h>

#define MS		1000000
#define PERIOD_NS	(10 * MS)

static struct taskrt_deadline *deadline;

static void *tell(void *unused)
{
	char line[1100];

	while (taskrt_deadline_next(deadline, line, sizeof(line), -1) == 1)
		puts(line);
	return unused;
}

static void wait_for_cycle(struct timespec *next)
{
	next->tv_nsec += PERIOD_NS;
	next->tv_sec += next->tv_nsec / (1000 * MS);
	next->tv_nsec %= 1000 * MS;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

static void work(int round)
{
	const struct timespec too_long = { .tv_nsec = 15 * MS };

	if (round % 100 == 99)
		nanosleep(&too_long, NULL);
}

int main(void)
{
	struct timespec next;
	pthread_t logger;
	int round, err = taskrt_deadline_open(&deadline, 0, PERIOD_NS);

	if (err) {
		fprintf(stderr, "deadline: %s\n", strerror(-err));
		return 1;
	}
	pthread_create(&logger, NULL, tell, NULL);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (round = 0; round < 300; round++) {
		wait_for_cycle(&next);
		taskrt_deadline_begin(deadline);
		work(round);
		taskrt_deadline_end(deadline);
	}
	taskrt_deadline_stop(deadline);
	pthread_join(logger, NULL);
	taskrt_deadline_close(deadline);
	return 0;
}
