// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one processor that wake each other through two pipes.  If both have the same
 * real-time priority, the woken one does not preempt the other: a round trip is then exactly two
 * wake-ups and two switches.  Otherwise the scheduler decides, and the kernel's counters of both
 * threads show the number.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/event.h"

#define BATCH	32	/* round trips between two reads of the clock */

/* The byte that is passed on. */
#define BALL	'o'
#define MARK	'm'	/* the partner notes its counters */

struct pair {
	int there[2], back[2];
	pthread_t partner;
	long marks[2];		/* the partner's switches at the last two marks */
};

/* Includes preemptions, which should not occur. */
static long count_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Answer until the other end is closed. */
static void *answer(void *arg)
{
	struct pair *pair = arg;
	char byte;

	while (read(pair->there[0], &byte, 1) == 1) {
		if (byte == MARK) {
			pair->marks[0] = pair->marks[1];
			pair->marks[1] = count_switches();
		}
		if (write(pair->back[1], &byte, 1) != 1)
			break;
	}
	return NULL;
}

static int trip(const struct pair *pair, char byte)
{
	if (write(pair->there[1], &byte, 1) != 1)
		return -errno;
	return read(pair->back[0], &byte, 1) == 1 ? 0 : -errno;
}

static int trips(const struct pair *pair, uint64_t ns, struct sample *sample, uint64_t *count)
{
	uint64_t began = clock_now_ns();
	int i, error = 0;

	do {
		for (i = 0; i < BATCH && !error; i++)
			error = trip(pair, BALL);
		*count += BATCH;
	} while (!error && clock_now_ns() - began < ns);
	sample->ns = sample_each(began, 2 * *count);
	return error;
}

static int play(struct pair *pair, uint64_t ns, struct sample *sample)
{
	uint64_t count = 0;
	long switches;
	int error = trip(pair, MARK);

	switches = count_switches();
	error = error ? error : trips(pair, ns, sample, &count);
	switches = count_switches() - switches;
	error = error ? error : trip(pair, MARK);
	if (error)
		return error;
	/* The partner has gone to sleep once more, after the first mark. */
	switches += pair->marks[1] - pair->marks[0] - 1;
	sample->check = (double)switches / (double)count;
	sample->checked = 1;
	return 0;
}

static void close_pipe(const int pipe[2])
{
	close(pipe[0]);
	close(pipe[1]);
}

static int open_pipes(struct pair *pair)
{
	if (pipe2(pair->there, O_CLOEXEC))
		return -errno;
	if (!pipe2(pair->back, O_CLOEXEC))
		return 0;
	close_pipe(pair->there);
	return -errno;
}

static int play_with_partner(struct pair *pair, uint64_t ns, struct sample *sample)
{
	int error = -pthread_create(&pair->partner, NULL, answer, pair);

	if (error)
		return error;
	error = play(pair, ns, sample);
	close(pair->there[1]);
	pthread_join(pair->partner, NULL);
	pair->there[1] = -1;
	return error;
}

/* The lowest real-time priority: kernel threads that have to run may interrupt. */
static const char *begin_fifo(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	return sched_setscheduler(0, SCHED_FIFO, &lowest) ?
	       "its threads may not be SCHED_FIFO" : NULL;
}

int pingpong_measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	int error, policy = sched_getscheduler(0);
	struct sched_param parameters = { 0 };
	struct pair pair = { 0 };

	(void)site;
	error = open_pipes(&pair);
	if (error)
		return error;
	sched_getparam(0, &parameters);
	sample->note = begin_fifo();
	error = play_with_partner(&pair, ns, sample);
	sched_setscheduler(0, policy, &parameters);
	close_pipe(pair.there);
	close_pipe(pair.back);
	return error;
}
