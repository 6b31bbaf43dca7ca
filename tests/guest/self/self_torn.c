// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that is switched, faults and waits for locks all the time reads itself, and
 * another one reads it too: every reading adds up, nothing ever decreases, and each of its
 * own readings is later than the one before.
 * TASKRT_TEST_READS: how many of its own (for all that is claimed, 10000000); if not set,
 * 2000000, or as many as fit into TASKRT_TEST_SECONDS (10): an emulated clock may be slow.
 */
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define PAGES		16
#define EVERY		500	/* reads from one disturbance to the next */

static struct taskrt_self *self;
static const struct taskrt_page *page;
static volatile int stop;
static uint64_t tracked_since_ns;
static int device;

/* What is wrong with a reading, given the one before. */
struct tally {
	unsigned long reads, torn, apart, fallen, not_later, stopped;
};

static int failed(const struct tally *tally)
{
	return (tally->torn | tally->apart | tally->fallen | tally->not_later |
		tally->stopped) != 0;
}

static void check(struct tally *tally, const struct taskrt_snapshot *last,
		  const struct taskrt_snapshot *now)
{
	tally->reads++;
	tally->torn += !self_adds_up(now, tracked_since_ns);
	tally->apart += !self_agrees(now);
	tally->fallen += page_falls(&last->times, &now->times) || now->at_ns < last->at_ns;
}

/* Takes the reader's CPU away and gives it back, again and again. */
static void compete(void *unused)
{
	(void)unused;
	thread_pin(0);
	while (!stop) {
		clock_spin(300 * US);
		clock_sleep(200 * US);
	}
}

/* Holds the lock that the reader wants, now and then. */
static void hold_locks(void *unused)
{
	(void)unused;
	thread_pin(1);
	while (!stop) {
		device_take(device, TASKRT_TEST_MUTEX, 200 * US);
		clock_sleep(300 * US);
	}
}

/* Disturbs the reader between two reads; the competitor does so by itself. */
static void disturb(unsigned long round, volatile char *area)
{
	switch (round % 4) {
	case 0:
		madvise((void *)area, PAGES * 4096, MADV_DONTNEED);
		area[4096 * (round / 4 % PAGES)] = 1;
		break;
	case 1:
		clock_sleep_times(20 * US, 1);
		break;
	case 2:
		device_take(device, TASKRT_TEST_MUTEX, 0);
		break;
	case 3:
		sched_yield();
	}
}

static volatile char *map_area(void)
{
	void *area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		tap_bail("mmap");
	madvise(area, PAGES * 4096, MADV_NOHUGEPAGE);
	return area;
}

static void read_itself(struct tally *tally, unsigned long count, uint64_t until,
			volatile char *area)
{
	struct taskrt_snapshot last, now;
	struct taskrt_reading reading;

	self_read(self, &last);
	while (tally->reads < count && !failed(tally)) {
		tally->stopped += self_read(self, &now) != 0;
		tally->not_later += now.at_ns <= last.at_ns;
		check(tally, &last, &now);
		last = now;
		if (tally->reads % EVERY)
			continue;
		self_get(self, &reading);
		tally->apart += !window_agrees(&reading);
		disturb(tally->reads / EVERY, area);
		if (until && clock_now() > until)
			break;
	}
}

/* Has this one read often enough, compared with the thread itself? */
static int is_enough(const struct tally *tally, const struct tally *own)
{
	return __atomic_load_n(&tally->reads, __ATOMIC_RELAXED) >= own->reads / 50 || failed(tally);
}

/* The thread stays alive until the others have read it, too, and until it has had to wait. */
static void await_others(const struct tally *own, const struct tally *others,
			 const struct tally *headers, const struct taskrt_snapshot *begin,
			 volatile char *area)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct taskrt_snapshot now;
	unsigned long round = 0;

	do {
		disturb(round++, area);
		self_read(self, &now);
	} while ((!is_enough(others, own) || !is_enough(headers, own) ||
		  now.times.timers_ns[TASKRT_TIMER_LOCK] ==
		  begin->times.timers_ns[TASKRT_TIMER_LOCK]) && clock_now() < patience);
}

/* Reads the counters of another thread: two readings of the same instant are no error here. */
static void read_other(void *arg)
{
	struct tally *tally = arg;
	struct taskrt_snapshot last, now;

	thread_pin(1);
	self_read(self, &last);
	while (!stop && !failed(tally)) {
		tally->stopped += self_read(self, &now) != 0;
		check(tally, &last, &now);
		last = now;
	}
}

/* The same by the header alone. */
static void read_page(void *arg)
{
	struct page_copy last, now;
	struct tally *tally = arg;

	page_read(page, &last);
	while (!stop && !failed(tally)) {
		page_read(page, &now);
		tally->reads++;
		tally->torn += !page_adds_up(page, &now);
		tally->fallen += page_copy_falls(&last, &now) || now.at_ns < last.at_ns;
		tally->stopped += now.status != TASKRT_PAGE_LIVE;
		last = now;
	}
}

static void report(const struct tally *tally, const char *name)
{
	tap_equal(tally->torn, 0, "%s: each of %lu reads adds up", name, tally->reads);
	tap_equal(tally->apart, 0, "%s: numbers that appear twice agree", name);
	tap_equal(tally->fallen, 0, "%s: nothing decreases", name);
	tap_equal(tally->not_later, 0, "%s: each is later than the one before", name);
	tap_equal(tally->stopped, 0, "%s: nothing stops", name);
}

static uint64_t switches(const struct taskrt_counts *counts)
{
	return counts->values[TASKRT_VALUE_VOLUNTARY_SWITCHES] +
	       counts->values[TASKRT_VALUE_INVOLUNTARY_SWITCHES];
}

/* Checks that the counters changed meanwhile: else nothing could be torn. */
static void check_disturbed(const struct taskrt_reading *begin, unsigned long count)
{
	const struct taskrt_counts *then = &begin->counts;
	unsigned long least = count / EVERY / 8;
	struct taskrt_reading end;

	self_get(self, &end);
	tap_at_least(switches(&end.counts) - switches(then), least, "meanwhile it was switched");
	tap_at_least(VALUE(end, MINOR_FAULTS) -
		     then->values[TASKRT_VALUE_MINOR_FAULTS], least, "and faulted");
	tap_at_least(end.times.timers_ns[TASKRT_TIMER_LOCK],
		     begin->times.timers_ns[TASKRT_TIMER_LOCK] + 1, "and waited for a lock");
	tap_at_least(end.counts.timers[TASKRT_TIMER_LOCK], then->timers[TASKRT_TIMER_LOCK] + 1,
		     "once at least");
}

int main(void)
{
	unsigned long count = tap_setting("TASKRT_TEST_READS", 0);
	struct thread competitor, holder, other, reader;
	struct tally own = { 0 }, others = { 0 }, headers = { 0 };
	struct taskrt_snapshot begin;
	struct taskrt_reading reading;
	volatile char *area = map_area();
	uint64_t begun = clock_now(), end = begun + tap_setting("TASKRT_TEST_SECONDS", 10) * SEC;

	device = device_open();
	self = self_open();
	page = page_own();
	self_get(self, &reading);
	tracked_since_ns = reading.stats.tracked_since_ns;
	thread_pin(0);
	self_read(self, &begin);
	thread_start(&competitor, compete, NULL);
	thread_start(&holder, hold_locks, NULL);
	thread_start(&other, read_other, &others);
	thread_start(&reader, read_page, &headers);
	read_itself(&own, count ? count : 2000000, count ? 0 : end, area);
	await_others(&own, &others, &headers, &begin, area);
	stop = 1;
	thread_join(&competitor);
	thread_join(&holder);
	thread_join(&other);
	thread_join(&reader);
	tap_diag("%lu reads of its own in %llu ms", own.reads,
		 (unsigned long long)(clock_now() - begun) / MS);
	report(&own, "itself");
	report(&others, "another thread");
	report(&headers, "another one, by the header");
	tap_at_least(others.reads, own.reads / 50, "the other thread read often enough");
	tap_at_least(headers.reads, own.reads / 50, "so did the one by the header");
	check_disturbed(&reading, own.reads);
	page_unmap(page);
	taskrt_self_close(self);
	return tap_done();
}
