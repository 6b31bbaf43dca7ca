// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads that wake each other up over pipes.  Both are real-time threads of one
 * priority: a woken one does not preempt its waker, and nobody else preempts either.
 * Each round trip then is two switches and two wake-ups, which is checked.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "module.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

enum how { PLAIN, MAPPED = 1, ARMED = 2 };

/* The mapping and the recorder of a measured thread, which are removed afterwards. */
struct having {
	const struct taskrt_page *page;
	struct raw raw;
};

static void have(struct having *having, int how)
{
	const struct recorder_arm arm = { .depth = 64 };

	memset(having, 0, sizeof(*having));
	having->raw.fd = -1;
	if (how & MAPPED)
		having->page = page_own();
	if (!(how & ARMED))
		return;
	if (raw_open(&having->raw) || recorder_arm(&having->raw, &arm, NULL))
		tap_bail("cannot arm the thread");
}

static void leave(struct having *having)
{
	if (having->page)
		page_unmap(having->page);
	if (having->raw.fd >= 0)
		raw_close(&having->raw);
}

struct pair {
	int there[2], back[2];
	int how;
	struct thread partner;
};

static int pass(int from, int to)
{
	char byte = 'x';

	return (from < 0 || read(from, &byte, 1) == 1) && (to < 0 || write(to, &byte, 1) == 1);
}

static void answer(void *arg)
{
	struct pair *pair = arg;
	struct having having;

	have(&having, pair->how);
	thread_fifo(1);
	while (pass(pair->there[0], pair->back[1]))
		;
	leave(&having);
}

static void there_and_back(const struct pair *pair, unsigned int times)
{
	while (times--)
		if (!pass(-1, pair->there[1]) || !pass(pair->back[0], -1))
			tap_bail("cannot write to a pipe, or read from it");
}

static double measure(const struct pair *pair)
{
	enum { WARM_UP = 500, ROUNDS = 4000 };
	struct rusage before, after;
	uint64_t begin, end;

	there_and_back(pair, WARM_UP);
	getrusage(RUSAGE_THREAD, &before);
	begin = clock_now();
	there_and_back(pair, ROUNDS);
	end = clock_now();
	getrusage(RUSAGE_THREAD, &after);
	/* Now and then a softirq or the like gets in between. */
	if (after.ru_nvcsw - before.ru_nvcsw != ROUNDS ||
	    after.ru_nivcsw - before.ru_nivcsw > ROUNDS / 100)
		tap_bail("%ld switches to sleep and %ld others in %d round trips",
			 after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw,
			 ROUNDS);
	return event_each(begin, end, 2 * ROUNDS);
}

/* The caller is one of the two. */
static void meet(struct pair *pair)
{
	if (pipe2(pair->there, O_CLOEXEC) || pipe2(pair->back, O_CLOEXEC))
		tap_bail("cannot create a pipe");
	thread_start(&pair->partner, answer, pair);
	thread_fifo(1);
}

static void part(struct pair *pair)
{
	thread_other();
	close(pair->there[1]);
	thread_join(&pair->partner);
	close(pair->there[0]);
	close(pair->back[0]);
	close(pair->back[1]);
}

static double switches(int how)
{
	struct pair pair = { .how = how };
	struct having having;
	double cost;

	have(&having, how);
	meet(&pair);
	cost = measure(&pair);
	part(&pair);
	leave(&having);
	return cost;
}

void pair_rounds(unsigned int switches)
{
	static struct pair pair;
	static int met;

	if (!met)
		meet(&pair);
	met = 1;
	there_and_back(&pair, switches / 2);
}

double pair_switch(void)
{
	return switches(PLAIN);
}

double pair_switch_mapped(void)
{
	return switches(MAPPED);
}

double pair_switch_armed(void)
{
	return switches(ARMED);
}

struct bystander {
	struct thread thread;
	int ready[2], end[2];
};

/* Maps and arms itself, and then sleeps. */
static void stand_by(void *arg)
{
	struct bystander *by = arg;
	struct having having;

	have(&having, MAPPED | ARMED);
	pass(-1, by->ready[1]);
	pass(by->end[0], -1);
	leave(&having);
}

double pair_switch_beside(void)
{
	struct bystander by;
	double with, without = switches(PLAIN);

	if (pipe2(by.ready, O_CLOEXEC) || pipe2(by.end, O_CLOEXEC))
		tap_bail("cannot create a pipe");
	thread_start(&by.thread, stand_by, &by);
	pass(by.ready[0], -1);
	with = switches(PLAIN);
	pass(-1, by.end[1]);
	thread_join(&by.thread);
	close(by.ready[0]);
	close(by.ready[1]);
	close(by.end[0]);
	close(by.end[1]);
	return with - without;
}
