// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that alert by themselves all the time are armed, armed anew and disarmed, and
 * live for a moment only: all alerts are delivered or lost.  Arming anew does not lift the
 * rate limit, which is the thread's.
 * TASKRT_TEST_SECONDS: how long each of the two parts runs (2).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "balance.h"
#include "clock.h"
#include "modinfo.h"
#include "module.h"
#include "page.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define LIFE		(30 * MS)
#define SLEEPERS	2
#define KEPT		(256 * 1024ULL)	/* the records of threads that came meanwhile */

static struct balance balance;
static uint64_t until_ns;
static volatile int stop;

/* One thread after the other. */
static struct sleeper {
	struct thread host;
	volatile uint32_t tid;
} sleepers[SLEEPERS];

/* A mapped thread stays observed from one recorder to the next, so that arming it does not wait. */
static void sleep_for_life(void *arg)
{
	const struct taskrt_page *page = page_own();
	uint64_t end = clock_now() + LIFE;
	struct sleeper *sleeper = arg;

	sleeper->tid = gettid();
	while (clock_now() < end)
		clock_sleep(1 + rand() % (20 * US));
	page_unmap(page);
}

static void host(void *arg)
{
	struct thread thread;

	while (!stop) {
		thread_start(&thread, sleep_for_life, arg);
		thread_join(&thread);
	}
}

static void open_raw(struct raw *raw)
{
	if (raw_open(raw))
		tap_bail("no family");
}

static uint32_t somebody(void)
{
	return sleepers[rand() % SLEEPERS].tid;
}

/* Each of its intervals is too long. */
static void arm_somebody(struct raw *raw)
{
	const struct recorder_arm arm = {
		.tid = somebody(), .depth = TASKRT_DEPTH_MIN,
		.over_ns = 1, .states = (1U << TASKRT_STATE_THROTTLED) - 1,
	};
	int err = recorder_arm(raw, &arm, NULL);

	/*
	 * Errors that may occur: it has just ended, or earlier recorders are not freed yet.
	 * If another socket has armed it, it is taken over.
	 */
	if (err && err != -ESRCH && err != -ENODATA && err != -ENOSPC && err != -EAGAIN)
		tap_bail("arming: %s", strerror(-err));
}

static void arm_and_disarm(void *unused)
{
	struct raw raw;

	(void)unused;
	open_raw(&raw);
	while (clock_now() < until_ns) {
		switch (rand() % 8) {
		case 0:
			raw_close(&raw);
			open_raw(&raw);
			break;
		case 1:
		case 2:
			recorder_disarm(&raw, somebody());
			break;
		default:
			arm_somebody(&raw);
		}
	}
	raw_close(&raw);
}

static void by_themselves(uint64_t ns)
{
	struct thread other;
	unsigned int i;

	balance_begin(&balance);
	until_ns = clock_now() + ns;
	for (i = 0; i < SLEEPERS; i++)
		thread_start(&sleepers[i].host, host, &sleepers[i]);
	for (i = 0; i < SLEEPERS; i++)
		while (!sleepers[i].tid)
			clock_sleep(MS);
	thread_start(&other, arm_and_disarm, NULL);
	arm_and_disarm(NULL);
	thread_join(&other);
	stop = 1;
	for (i = 0; i < SLEEPERS; i++)
		thread_join(&sleepers[i].host);
	/* This waits for the last alerts of those that were taken over. */
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
	balance_end(&balance, 0, "by themselves");
}

static void rate(void *arg)
{
	const struct recorder_arm arm = { .depth = TASKRT_DEPTH_MIN };
	uint64_t begin = clock_now(), least = *(uint64_t *)arg, ns;
	unsigned long told = 0, tried = 0;
	struct raw raw;

	open_raw(&raw);
	while ((ns = clock_now() - begin) < least || (told < 10 && ns < least + CLOCK_PATIENCE)) {
		recorder_arm(&raw, &arm, NULL);
		told += !recorder_tell("anew");
		if (++tried % 2)
			recorder_disarm(&raw, 0);
	}
	raw_close(&raw);
	tap_at_least(told, 10, "armed anew for each of %lu alerts: some are accepted", tried);
	tap_at_most(told, 20 + 20 * ns / SEC, "but no more than of one that stays armed");
}

int main(void)
{
	uint64_t ns = tap_setting("TASKRT_TEST_SECONDS", 2) * SEC;
	uint64_t memory = modinfo(TASKRT_INFO_A_MEMORY);
	struct thread thread;

	by_themselves(ns);
	thread_start(&thread, rate, &ns);
	thread_join(&thread);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "no thread is left armed");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nor mapped");
	tap_at_most(modinfo_await_at_most(TASKRT_INFO_A_MEMORY, memory + KEPT), memory + KEPT,
		    "no memory is left either");
	return tap_done();
}
