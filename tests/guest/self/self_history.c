// SPDX-License-Identifier: GPL-2.0-only
/* The lengths of single intervals, since each reader's previous read. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "self.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(50 * MS)
#define SLACK	MS

/* What a test looks at: a state, or a timer by this number. */
#define TIMER(timer)	(TASKRT_STATES_ROOM + (timer))
#define KINDS		(TASKRT_STATES_ROOM + TASKRT_TIMERS_ROOM)

/* All of a histogram, between two looks; what is not measured is empty. */
struct history {
	struct taskrt_histogram_span span;
	struct taskrt_distribution of[KINDS];
};

static struct taskrt_self *self;
static int device;

static struct taskrt_histogram *new_reader(void)
{
	struct taskrt_histogram *histogram;
	int err = taskrt_histogram_open(&histogram, self);

	if (err)
		tap_bail("taskrt_histogram_open: %s", strerror(-err));
	return histogram;
}

static const char *name_of(unsigned int kind)
{
	const char *name = kind < TASKRT_STATES_ROOM ? taskrt_state_name(kind) :
			   taskrt_timer_name(kind - TASKRT_STATES_ROOM);

	return name ?: "?";
}

static void take(const struct taskrt_histogram *histogram, unsigned int kind,
		 struct taskrt_distribution *of)
{
	int status;

	if (kind < TASKRT_STATES_ROOM)
		status = taskrt_histogram_state(histogram, kind, of, sizeof(*of));
	else
		status = taskrt_histogram_timer(histogram, kind - TASKRT_STATES_ROOM, of,
						sizeof(*of));
	if (status == -ENODATA)
		memset(of, 0, sizeof(*of));
	else if (status)
		tap_bail("%s: %s", name_of(kind), strerror(-status));
}

static int try_look(struct taskrt_histogram *histogram, struct history *history)
{
	int status = taskrt_histogram_read(histogram, &history->span, sizeof(history->span));
	unsigned int kind;

	for (kind = 0; !status && kind < KINDS; kind++)
		take(histogram, kind, &history->of[kind]);
	return status;
}

static void look(struct taskrt_histogram *histogram, struct history *history)
{
	int status = try_look(histogram, history);

	if (status)
		tap_bail("taskrt_histogram_read: %s", strerror(-status));
}

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int bucket = 0;

	while (ns >>= 1)
		bucket++;
	return bucket < TASKRT_BUCKETS ? bucket : TASKRT_BUCKETS - 1;
}

static uint64_t count(const struct taskrt_distribution *of)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < TASKRT_BUCKETS; i++)
		sum += of->counts[i];
	return sum;
}

struct stretch {
	uint64_t begin_ns, end_ns;
};

/* The long interval is the longest, lies within that time, and is counted in its bucket. */
static void check_longest(const struct history *history, unsigned int kind,
			  const struct stretch *when, uint64_t least, const char *name)
{
	const struct taskrt_distribution *of = &history->of[kind];
	uint64_t end = of->longest.at_ns + of->longest.ns;

	tap_at_least(of->longest.ns, least - SLACK, "%s: the longest %s", name, name_of(kind));
	tap_ok(of->exact && !of->in_progress, "%s: exactly", name);
	tap_ok(of->longest.at_ns + SLACK >= when->begin_ns && end <= when->end_ns + SLACK,
	       "%s: it was within that time", name);
	tap_at_least(of->counts[bucket_of(of->longest.ns)], 1, "%s: counted in its bucket", name);
}

/* None is longer than the longest. */
static int is_bounded(const struct history *history)
{
	unsigned int kind, i;

	for (kind = 0; kind < KINDS; kind++) {
		const struct taskrt_distribution *of = &history->of[kind];

		for (i = bucket_of(of->longest.ns | 1) + 1; i < TASKRT_BUCKETS; i++)
			if (of->exact && of->counts[i]) {
				tap_diag("%s: %u in bucket %u, the longest %llu",
					 name_of(kind), of->counts[i], i,
					 (unsigned long long)of->longest.ns);
				return 0;
			}
	}
	return 1;
}

/* Sleeps for at least ns. */
static struct stretch do_sleep(uint64_t ns)
{
	struct stretch when;

	when.begin_ns = clock_now();
	bell_sleep(ns);
	when.end_ns = clock_now();
	return when;
}

/* Returns how long it took. */
static uint64_t doze(void)
{
	uint64_t begin = clock_now();

	clock_sleep_times(MS, 1);
	return clock_now() - begin;
}

/* The time that the totals have for the state. */
static uint64_t spent(unsigned int state)
{
	struct taskrt_reading reading;

	self_get(self, &reading);
	return reading.times.states_ns[state];
}

/*
 * A long sleep with short ones before and after it, one of which a busy host may make the
 * longest.
 */
static void a_sleep(struct taskrt_histogram *mine)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE, before, after;
	struct history history;
	struct stretch when;

	do {
		look(mine, &history);
		before = doze();
		when = do_sleep(D);
		after = doze();
		look(mine, &history);
	} while ((before >= D || after >= D) && clock_now() < patience);
	check_longest(&history, TASKRT_STATE_SLEEPING_TIMER, &when, D, "a sleep");
	tap_at_least(count(&history.of[TASKRT_STATE_SLEEPING_TIMER]), 3,
		     "a sleep: the short ones are counted, too");
}

/* One wait of that length: on a busy host it may begin late, or come in pieces. */
static int was_one_wait(uint64_t waits, uint64_t spent_ns)
{
	return clock_waits() == waits + 1 && spent(TASKRT_STATE_BLOCKED_IO) - spent_ns >= D * 9 / 10;
}

/*
 * Nobody can end this wait, so the test begins it again until it had the length that is
 * wanted.
 */
static void an_io_wait(struct taskrt_histogram *mine)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE, before, waits;
	struct history history;
	struct stretch when;

	do {
		look(mine, &history);
		waits = clock_waits();
		before = spent(TASKRT_STATE_BLOCKED_IO);
		when.begin_ns = clock_now();
		device_delay(device, TASKRT_TEST_IO, D);
		when.end_ns = clock_now();
	} while (!was_one_wait(waits, before) && clock_now() < patience);
	look(mine, &history);
	check_longest(&history, TASKRT_STATE_BLOCKED_IO, &when, D * 9 / 10, "a wait for I/O");
	tap_equal(count(&history.of[TASKRT_STATE_SLEEPING_TIMER]), 0,
		  "a wait for I/O: what was before is not in it");
	tap_equal(history.of[TASKRT_STATE_SLEEPING_TIMER].longest.ns, 0,
		  "a wait for I/O: nor as the longest");
}

static void release(void *slow)
{
	slow_release(slow);
}

static void a_fault(struct taskrt_histogram *mine)
{
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	struct history history;
	struct stretch when;
	struct bell bell;

	bell_set(&bell, 0, TASKRT_STATE_BLOCKED_FAULT, D, release, slow);
	look(mine, &history);
	when.begin_ns = clock_now();
	*slow_page(slow, 0) = 1;
	when.end_ns = clock_now();
	look(mine, &history);
	bell_join(&bell);
	check_longest(&history, TIMER(TASKRT_TIMER_FAULT), &when, D, "a fault");
	check_longest(&history, TASKRT_STATE_BLOCKED_FAULT, &when, D, "asleep in a fault");
	slow_free(slow);
}

/* A wait of each kind. */
static void each_kind(void)
{
	struct taskrt_histogram *mine = new_reader();

	a_sleep(mine);
	an_io_wait(mine);
	a_fault(mine);
	taskrt_histogram_close(mine);
}

static void a_lock(void)
{
	struct taskrt_histogram *mine = new_reader();
	struct bell_culprit culprit;
	struct history history;
	struct stretch when;

	bell_take(&culprit, device, TASKRT_TEST_MUTEX);
	bell_drop_after(&culprit, 0, D);
	look(mine, &history);
	when.begin_ns = clock_now();
	device_take(device, TASKRT_TEST_MUTEX, 0);
	when.end_ns = clock_now();
	look(mine, &history);
	bell_end(&culprit);
	check_longest(&history, TIMER(TASKRT_TIMER_LOCK), &when, D, "a lock");
	check_longest(&history, TASKRT_STATE_BLOCKED_LOCK, &when, D, "asleep for a lock");
	taskrt_histogram_close(mine);
}

static uint64_t length(const struct stretch *when)
{
	return when->end_ns - when->begin_ns;
}

/*
 * Two readers: each has what came since its own last look, and no look moves another's.
 * The second sleep has to be the shorter one, whatever the host made of it.
 */
static void two_readers(void)
{
	struct taskrt_histogram *one = new_reader(), *two = new_reader();
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	static struct history first, first_again, second;
	const struct taskrt_distribution *sleeps = &second.of[TASKRT_STATE_SLEEPING_TIMER];
	struct stretch late, later;
	unsigned int i;

	do {
		look(one, &first);
		look(two, &second);
		late = do_sleep(2 * D);
		look(one, &first);
		for (i = 0; i < 5; i++)
			look(one, &first_again);
		later = do_sleep(D);
		look(one, &first_again);
		look(two, &second);
	} while (length(&later) >= 2 * D && clock_now() < patience);
	check_longest(&first, TASKRT_STATE_SLEEPING_TIMER, &late, 2 * D, "the first reader");
	check_longest(&first_again, TASKRT_STATE_SLEEPING_TIMER, &later, D, "the first one again");
	check_longest(&second, TASKRT_STATE_SLEEPING_TIMER, &late, 2 * D, "the second reader");
	tap_at_least(count(sleeps), 2, "the second reader: has both");
	tap_ok(second.span.from_ns <= late.begin_ns && second.span.to_ns + SLACK >= later.end_ns,
	       "the second reader: knows since when");
	tap_ok(is_bounded(&first_again) && is_bounded(&second), "nothing is longer than the longest");
	taskrt_histogram_close(one);
	taskrt_histogram_close(two);
}

/* A look at everything contains two looks at its parts, and each sleep is counted. */
static void all_of_it(void)
{
	struct taskrt_histogram *mine = new_reader(), *again = new_reader();
	static struct history whole, part, rest;
	unsigned int kind, i, wrong = 0;

	look(mine, &part);
	for (i = 0; i < 50; i++)
		clock_sleep_times(100 * US << i % 5, 1);
	look(mine, &rest);
	look(again, &whole);
	for (kind = 0; kind < KINDS; kind++)
		for (i = 0; i < TASKRT_BUCKETS; i++)
			wrong += part.of[kind].counts[i] + rest.of[kind].counts[i] >
				 whole.of[kind].counts[i];
	tap_equal(wrong, 0, "one look contains the sum of two");
	tap_at_least(count(&rest.of[TASKRT_STATE_SLEEPING_TIMER]), 50, "50 sleeps are counted");
	tap_at_least(count(&rest.of[TASKRT_STATE_RUNNING]), 50, "and what was between");
	tap_ok(is_bounded(&rest) && is_bounded(&whole), "nothing is longer than the longest");
	taskrt_histogram_close(mine);
	taskrt_histogram_close(again);
}

static void look_at_other(struct taskrt_histogram *histogram, struct history *history)
{
	int status;

	do
		status = try_look(histogram, history);
	while (status == -EAGAIN);
	tap_equal(status, 0, "another thread looks");
}

/* An interval in progress can be the longest; here it is, since the first look. */
static void read_by_other(void *unused)
{
	struct taskrt_histogram *mine = new_reader();
	const struct taskrt_distribution *wait;
	struct taskrt *handle = window_open();
	struct history history;

	(void)unused;
	window_await(handle, getpid(), TASKRT_STATE_SLEEPING_FUTEX);
	taskrt_close(handle);
	look_at_other(mine, &history);
	clock_sleep(D);
	look_at_other(mine, &history);
	wait = &history.of[TASKRT_STATE_SLEEPING_FUTEX];
	tap_ok(wait->in_progress, "and sees the wait that is not over");
	tap_at_least(wait->longest.ns, D - SLACK, "and how long it is by now");
	taskrt_histogram_close(mine);
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
