// SPDX-License-Identifier: GPL-2.0-only
/* How long the single intervals were, since each reader's own last look. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "self.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(50 * MS)
#define SLACK	MS

static struct taskrt_self *self;
static int device;

static void look(struct taskrt_look *look, struct taskrt_history *history)
{
	int status = taskrt_history(self, look, history);

	if (status)
		tap_bail("taskrt_history: %s", strerror(-status));
}

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int bucket = 0;

	while (ns >>= 1)
		bucket++;
	return bucket < TASKRT_NR_BUCKETS ? bucket : TASKRT_NR_BUCKETS - 1;
}

static uint64_t count(const struct taskrt_timer_history *timer)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < TASKRT_NR_BUCKETS; i++)
		sum += timer->counts[i];
	return sum;
}

struct stretch {
	uint64_t begin_ns, end_ns;
};

/* The one that took so long is the longest, was then, and is counted where it belongs. */
static void check_longest(const struct taskrt_history *history, unsigned int timer,
			  const struct stretch *when, uint64_t least, const char *name)
{
	const struct taskrt_timer_history *of = &history->timers[timer];
	uint64_t end = of->longest.at_ns + of->longest.ns;

	/* Its time runs before it is asleep. */
	tap_at_least(of->longest.ns, least - least / 10, "%s: the longest %s", name, taskrt_timer_name(timer));
	tap_ok(of->exact && !of->in_progress, "%s: exactly", name);
	tap_ok(of->longest.at_ns + SLACK >= when->begin_ns && end <= when->end_ns + SLACK,
	       "%s: it was then", name);
	tap_at_least(of->counts[bucket_of(of->longest.ns)], 1, "%s: counted in its bucket", name);
}

/* None is longer than the longest. */
static int is_bounded(const struct taskrt_history *history)
{
	unsigned int timer, i;

	for (timer = 0; timer < TASKRT_NR_TIMERS; timer++) {
		const struct taskrt_timer_history *of = &history->timers[timer];

		for (i = bucket_of(of->longest.ns | 1) + 1; i < TASKRT_NR_BUCKETS; i++)
			if (of->exact && of->counts[i]) {
				tap_diag("%s: %u in bucket %u, the longest %llu",
					 taskrt_timer_name(timer), of->counts[i], i,
					 (unsigned long long)of->longest.ns);
				return 0;
			}
	}
	return 1;
}

static struct stretch do_sleep(uint64_t ns)
{
	struct stretch when;

	when.begin_ns = clock_now();
	clock_sleep(ns);
	when.end_ns = clock_now();
	return when;
}

/* A wait of each kind; short ones before and after it. */
static void each_kind(void)
{
	static struct taskrt_look mine;
	struct taskrt_history history;
	struct slow *slow = slow_new(1, D);
	struct stretch when;

	look(&mine, &history);
	do_sleep(MS);
	when = do_sleep(D);
	do_sleep(MS);
	look(&mine, &history);
	check_longest(&history, TASKRT_STATE_SLEEPING_TIMER, &when, D, "a sleep");
	tap_at_least(count(&history.timers[TASKRT_STATE_SLEEPING_TIMER]), 3,
		     "a sleep: the short ones are counted, too");

	when.begin_ns = clock_now();
	device_delay(device, TASKRT_TEST_IO, D);
	when.end_ns = clock_now();
	look(&mine, &history);
	check_longest(&history, TASKRT_STATE_BLOCKED_IO, &when, D, "a wait for I/O");
	tap_equal(count(&history.timers[TASKRT_STATE_SLEEPING_TIMER]), 0,
		  "a wait for I/O: what was before is not in it");
	tap_equal(history.timers[TASKRT_STATE_SLEEPING_TIMER].longest.ns, 0,
		  "a wait for I/O: nor as the longest");

	when.begin_ns = clock_now();
	*slow_page(slow, 0) = 1;
	when.end_ns = clock_now();
	look(&mine, &history);
	check_longest(&history, TASKRT_TIMER_FAULT, &when, D, "a fault");
	check_longest(&history, TASKRT_STATE_BLOCKED_FAULT, &when, D / 2, "asleep in a fault");
	slow_free(slow);
}

static void a_lock(void)
{
	static struct taskrt_look mine;
	struct taskrt_history history;
	struct stretch when;
	int tries = 10;

	do {
		look(&mine, &history);
		device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, D);
		when.begin_ns = clock_now();
		device_take(device, TASKRT_TEST_MUTEX, 0);
		when.end_ns = clock_now();
	} while (when.end_ns - when.begin_ns < D / 2 && --tries);
	look(&mine, &history);
	check_longest(&history, TASKRT_TIMER_LOCK, &when, D / 2 - MS, "a lock");
	check_longest(&history, TASKRT_STATE_BLOCKED_LOCK, &when, D / 2 - MS, "asleep for a lock");
}

/* Two readers: each has what came since its own last look, and no look moves another's. */
static void two_readers(void)
{
	static struct taskrt_look one, two;
	struct taskrt_history first, second;
	struct stretch late, later;
	const struct taskrt_timer_history *sleeps = &second.timers[TASKRT_STATE_SLEEPING_TIMER];
	unsigned int i;

	look(&one, &first);
	look(&two, &second);
	late = do_sleep(2 * D);
	look(&one, &first);
	check_longest(&first, TASKRT_STATE_SLEEPING_TIMER, &late, 2 * D, "the first reader");
	for (i = 0; i < 5; i++)
		look(&one, &first);
	later = do_sleep(D);
	look(&one, &first);
	check_longest(&first, TASKRT_STATE_SLEEPING_TIMER, &later, D, "the first one again");
	look(&two, &second);
	check_longest(&second, TASKRT_STATE_SLEEPING_TIMER,
		      late.end_ns - late.begin_ns >= later.end_ns - later.begin_ns ? &late : &later,
		      2 * D, "the second reader");
	tap_at_least(count(sleeps), 2, "the second reader: has both");
	tap_ok(second.from_ns <= late.begin_ns && second.to_ns + SLACK >= later.end_ns,
	       "the second reader: knows since when");
	tap_ok(is_bounded(&first) && is_bounded(&second), "nothing is longer than the longest");
}

/* From the first one on, and what is counted of the states is what was switched. */
static void all_of_it(void)
{
	static struct taskrt_look mine, again;
	struct taskrt_history whole, part, rest;
	unsigned int timer, i, wrong = 0;

	look(&mine, &part);
	for (i = 0; i < 50; i++)
		do_sleep(100 * US << i % 5);
	look(&mine, &rest);
	look(&again, &whole);
	for (timer = 0; timer < TASKRT_NR_TIMERS; timer++)
		for (i = 0; i < TASKRT_NR_BUCKETS; i++)
			wrong += part.timers[timer].counts[i] + rest.timers[timer].counts[i] >
				 whole.timers[timer].counts[i];
	tap_equal(wrong, 0, "one look is the sum of two");
	tap_at_least(count(&rest.timers[TASKRT_STATE_SLEEPING_TIMER]), 50, "50 sleeps are counted");
	tap_at_least(count(&rest.timers[TASKRT_STATE_RUNNING]), 50, "and what was between");
	tap_ok(is_bounded(&rest) && is_bounded(&whole), "nothing is longer than the longest");
}

/* What is not over yet may be the longest. */
static void read_by_other(void *unused)
{
	static struct taskrt_look mine;
	const struct taskrt_timer_history *wait;
	struct taskrt_history history;
	int status;

	(void)unused;
	thread_await(getpid(), "S");
	clock_sleep(D);
	do
		status = taskrt_history(self, &mine, &history);
	while (status == -EAGAIN);
	tap_equal(status, 0, "another thread looks");
	wait = &history.timers[TASKRT_STATE_SLEEPING_FUTEX];
	tap_ok(wait->in_progress, "and sees the wait that is not over");
	tap_at_least(wait->longest.ns, D - SLACK, "and how long it is by now");
}

int main(void)
{
	struct thread other;

	device = device_open();
	self = self_open();
	each_kind();
	a_lock();
	two_readers();
	all_of_it();
	thread_start(&other, read_by_other, NULL);
	thread_join(&other);
	taskrt_self_close(self);
	return tap_done();
}
