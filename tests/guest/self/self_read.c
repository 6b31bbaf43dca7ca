// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a thread reads of itself is what a query reports: each total lies between those of
 * the reads before and after the query.  The same holds for its other threads, and for a
 * thread in the middle of an interval.
 */
#include <pthread.h>
#include <string.h>

#include "bell.h"
#include "clock.h"
#include "delays.h"
#include "device.h"
#include "looks.h"
#include "modinfo.h"
#include "page.h"
#include "self.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define ROUNDS	300
#define THREADS	8

static int device;

static void live_and_look(void *arg)
{
	struct taskrt_self *self = self_open();
	struct looks *looks = arg;
	unsigned int i;

	looks->handle = window_open();
	for (i = 0; i < ROUNDS; i++) {
		looks_live(device, i);
		looks_look(looks, self, 0);
	}
	taskrt_close(looks->handle);
	taskrt_self_close(self);
}

static void first_thread(void)
{
	struct looks looks = { 0 };

	live_and_look(&looks);
	looks_check(&looks, "the first thread");
}

static void later_threads(void)
{
	struct looks looks[THREADS] = { 0 }, sum = { 0 };
	struct thread threads[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		thread_start(&threads[i], live_and_look, &looks[i]);
	for (i = 0; i < THREADS; i++) {
		thread_join(&threads[i]);
		sum.broken += looks[i].broken;
		sum.outside += looks[i].outside;
		sum.longest += looks[i].longest;
		sum.identity += looks[i].identity;
		sum.valid += looks[i].valid;
		sum.order += looks[i].order;
	}
	looks_check(&sum, "threads created later");
}

/* A thread that opens itself, for others to read. */
struct open_thread {
	struct thread thread;
	struct taskrt_self *self;
	pthread_barrier_t opened;
	void (*fn)(struct open_thread *thread);
	void *arg;
	volatile int stop;
};

static void open_and_run(void *arg)
{
	struct open_thread *thread = arg;

	thread->self = self_open();
	pthread_barrier_wait(&thread->opened);
	thread->fn(thread);
}

static void start(struct open_thread *thread, void (*fn)(struct open_thread *), void *arg)
{
	memset(thread, 0, sizeof(*thread));
	thread->fn = fn;
	thread->arg = arg;
	pthread_barrier_init(&thread->opened, NULL, 2);
	thread_start(&thread->thread, open_and_run, thread);
	pthread_barrier_wait(&thread->opened);
}

static void live_on(struct open_thread *thread)
{
	unsigned int i;

	for (i = 0; !thread->stop; i++)
		looks_live(device, i);
}

static void by_another(void)
{
	struct looks looks = { .handle = window_open() };
	struct open_thread busy;
	struct taskrt_reading last, again;
	uint64_t patience;
	unsigned int i;

	start(&busy, live_on, NULL);
	for (i = 0; i < ROUNDS; i++)
		looks_look(&looks, busy.self, busy.thread.tid);
	busy.stop = 1;
	thread_join(&busy.thread);
	looks_check(&looks, "read by another thread");
	patience = clock_now() + CLOCK_PATIENCE;
	while (!self_get(busy.self, &last) && clock_now() < patience)
		clock_sleep(10 * MS);
	clock_sleep(20 * MS);
	tap_equal(self_get(busy.self, &again), TASKRT_FINAL, "when it has ended: stopped");
	tap_ok(window_adds_up(&again) && !memcmp(&last, &again, sizeof(last)),
	       "and nothing moves any more");
	taskrt_self_close(busy.self);
	taskrt_close(looks.handle);
}

static void fault_slowly(struct open_thread *thread)
{
	*slow_page(thread->arg, 0) = 1;
}

/* An interval in progress is included, as in a query. */
static void in_a_fault(void)
{
	struct looks looks = { .handle = window_open() };
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	struct taskrt_snapshot begin, end;
	struct open_thread faulting;
	unsigned int i;

	start(&faulting, fault_slowly, slow);
	/* Waits until the thread sleeps for the page, not for anything on the way to it. */
	window_await(looks.handle, faulting.thread.tid, TASKRT_STATE_BLOCKED_FAULT);
	self_read(faulting.self, &begin);
	for (i = 0; i < 50; i++) {
		clock_sleep(MS);
		looks_look(&looks, faulting.self, faulting.thread.tid);
	}
	self_read(faulting.self, &end);
	looks_check(&looks, "in a fault");
	tap_equal(end.times.timers_ns[TASKRT_TIMER_FAULT] -
		  begin.times.timers_ns[TASKRT_TIMER_FAULT], end.at_ns - begin.at_ns,
		  "in a fault: all of the time");
	tap_equal(end.times.states_ns[TASKRT_STATE_BLOCKED_FAULT] -
		  begin.times.states_ns[TASKRT_STATE_BLOCKED_FAULT], end.at_ns - begin.at_ns,
		  "in a fault: asleep in it");
	slow_release(slow);
	thread_join(&faulting.thread);
	taskrt_self_close(faulting.self);
	taskrt_close(looks.handle);
	slow_free(slow);
}

static void want_mutex(struct open_thread *thread)
{
	(void)thread;
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

static void for_a_lock(void)
{
	struct looks looks = { .handle = window_open() };
	struct taskrt_snapshot begin, end;
	struct bell_culprit culprit;
	struct open_thread waiting;
	unsigned int i;

	bell_take(&culprit, device, TASKRT_TEST_MUTEX);
	start(&waiting, want_mutex, NULL);
	window_await(looks.handle, waiting.thread.tid, TASKRT_STATE_BLOCKED_LOCK);
	self_read(waiting.self, &begin);
	for (i = 0; i < 50; i++)
		looks_look(&looks, waiting.self, waiting.thread.tid);
	self_read(waiting.self, &end);
	bell_drop(&culprit);
	thread_join(&waiting.thread);
	bell_end(&culprit);
	tap_equal(end.times.timers_ns[TASKRT_TIMER_LOCK] -
		  begin.times.timers_ns[TASKRT_TIMER_LOCK], end.at_ns - begin.at_ns,
		  "for a lock: all of the time");
	looks_check(&looks, "for a lock");
	taskrt_self_close(waiting.self);
	taskrt_close(looks.handle);
}

/* Fields that only a process has, and fields that the page does not have. */
#define ASKED_ONLY	(TASKRT_VALID_THREADS | TASKRT_VALID_CPU | TASKRT_VALID_CGROUP)

static void check_measured(const struct taskrt_page *page, struct taskrt_self *self)
{
	struct taskrt *handle = window_open();
	struct taskrt_measured measured;
	struct taskrt_reading reading;
	struct taskrt_info info;

	window_info(handle, &info);
	info.measured.values &= ~SELF_ASKED_ONLY;
	info.measured.timers &= ~delays_kinds();
	taskrt_close(handle);
	self_get(self, &reading);
	self_measured(self, &measured);
	tap_ok(!memcmp(&page->measured, &info.measured, sizeof(info.measured)),
	       "measured is what INFO says, of a page");
	tap_ok(!memcmp(&reading.stats.measured, &info.measured, sizeof(info.measured)),
	       "and what the library reads of itself");
	tap_ok(measured.states == info.measured.states && measured.timers == info.measured.timers &&
	       measured.locks == info.measured.locks, "and what it says is measured of the times");
	tap_equal(reading.stats.valid, info.valid & ~ASKED_ONLY,
		  "valid is what INFO says, of a thread");
}

/* The library's reading and one that shares nothing with it but the header. */
static void by_the_header(void)
{
	const struct taskrt_page *page = page_own();
	struct taskrt_self *self = self_open();
	struct taskrt_snapshot now;
	struct page_copy before, after;
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		looks_live(device, i);
		page_read(page, &before);
		self_read(self, &now);
		clock_spin(2 * US);
		page_read(page, &after);
		wrong += page_falls(&before.times, &now.times) ||
			 page_falls(&now.times, &after.times) ||
			 !page_adds_up(page, &before) || before.at_ns > now.at_ns;
	}
	tap_equal(wrong, 0, "the library reads what the header says");
	tap_ok(page_is_sound(page), "the page is what the header says");
	check_measured(page, self);
	taskrt_self_close(self);
	page_unmap(page);
}

int main(void)
{
	struct taskrt_self *self;

	device = device_open();
	tap_errno(taskrt_self_open(&self, 0), 0, "opened");
	tap_equal(taskrt_self_mapped(self), 1, "mapped");
	taskrt_self_close(self);
	taskrt_self_close(NULL);
	first_thread();
	later_threads();
	by_another();
	in_a_fault();
	for_a_lock();
	by_the_header();
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left mapped");
	return tap_done();
}
