// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is removed, and switched off and on, while threads are armed and alert, under
 * load.
 * TASKRT_TEST_ROUNDS: how often (6; for all that is claimed, 25); here a third of that for
 * each of the two.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "alert.h"
#include "clock.h"
#include "load.h"
#include "module.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define ARMED	3
#define LAST	8	/* alert at once */

struct armed {
	struct thread thread;
	volatile int stop;
	uint64_t armings, alerts;
	unsigned int wrong;
};

static int is_expected(int err)
{
	switch (-err) {
	case 0: case EAGAIN: case ENODATA: case ENOENT: case ENODEV: case ENXIO: case EPROTO:
	case EOPNOTSUPP: case EINVAL:
		return 1;
	}
	return 0;
}

/* Arms itself whenever it is not armed, and alerts all the time. */
static void be_armed(void *arg)
{
	const struct recorder_arm how = { .depth = 32, .over_ns = 5 * MS };
	struct armed *armed = arg;
	struct raw raw;
	int err;

	while (!armed->stop) {
		if (raw_open(&raw)) {
			clock_sleep(MS);
			continue;
		}
		err = recorder_arm(&raw, &how, NULL);
		armed->armings += !err;
		while (!err && !armed->stop) {
			clock_sleep(200 * US);
			err = recorder_tell("under way");
			armed->alerts += !err;
			if (err == -EAGAIN)
				err = 0;
		}
		if (!is_expected(err)) {
			armed->wrong++;
			tap_diag("armed thread: %s", strerror(-err));
		}
		raw_close(&raw);
	}
}

static struct taker {
	struct thread thread;
	struct armed *armed;		/* ARMED of them */
	volatile int stop;
	uint64_t taken;
	unsigned int wrong;
} taker;

/* Takes the threads away from the sockets that have armed them, all the time. */
static void take_away(void *unused)
{
	struct recorder_arm how = { .depth = 32 };
	unsigned int i = 0;
	struct raw raw;
	int err;

	(void)unused;
	while (!taker.stop) {
		if (raw_open(&raw)) {
			clock_sleep(MS);
			continue;
		}
		for (err = 0; !taker.stop && (!err || err == -ENODATA); i++) {
			how.tid = taker.armed[i % ARMED].thread.tid;
			err = i % 2 ? recorder_arm(&raw, &how, NULL) : 0;
			err = err ?: recorder_disarm(&raw, how.tid);
			taker.taken += !err;
			clock_sleep(MS);
		}
		if (!is_expected(err)) {
			taker.wrong++;
			tap_diag("taking away: %s", strerror(-err));
		}
		raw_close(&raw);
	}
}

static unsigned long go_and_come(unsigned long rounds)
{
	unsigned long i, good = 0;

	for (i = 0; i < rounds; i++) {
		clock_sleep(i % 3 * 30 * MS);
		if (module_remove(MODULE_TASKRT)) {
			tap_diag("round %lu: the module cannot be removed", i);
			continue;
		}
		good += !module_insert(MODULE_TASKRT, "");
	}
	return good;
}

static unsigned long off_and_on(unsigned long rounds)
{
	unsigned long i, good = 0;

	for (i = 0; i < rounds; i++) {
		clock_sleep(i % 3 * 30 * MS);
		good += !module_set("enabled", "0") && !module_set("enabled", "1");
	}
	return good;
}

/*
 * A thread that is armed when the module is removed finds that the module is gone, and
 * nothing worse happens.
 */
static void one_that_stays(void)
{
	const struct recorder_arm how = { .depth = TASKRT_DEPTH_MAX };
	static struct alert_listener listener;
	struct raw raw;

	alert_open(&listener);
	if (raw_open(&raw) || recorder_arm(&raw, &how, NULL))
		tap_bail("arming");
	tap_errno(module_remove(MODULE_TASKRT), 0,
		  "armed, and listened to: the module can be removed");
	tap_ok(recorder_tell("gone") < 0, "no alert without the module");
	tap_errno(module_insert(MODULE_TASKRT, ""), 0, "it comes back");
	tap_errno(recorder_tell("back"), -ENODATA, "and the thread is not armed any more");
	raw_close(&raw);
	alert_close(&listener);
}

struct raiser {
	struct thread thread;
	int err;
};

static pthread_barrier_t all_at_once, all_raised;

/* Waits with a deep stack as often as the recorder has room, so that telling takes long. */
static void raise_one(void *arg)
{
	const struct recorder_arm how = { .depth = TASKRT_DEPTH_MAX, .threshold_ns = 1 };
	struct raiser *raiser = arg;
	struct raw raw;

	if (raw_open(&raw) || recorder_arm(&raw, &how, NULL))
		tap_bail("arming");
	clock_sleep_times(50 * US, TASKRT_DEPTH_MAX);
	pthread_barrier_wait(&all_at_once);
	raiser->err = recorder_tell("the last one");
	/* The socket stays open, and with it the arming, until the module has gone. */
	pthread_barrier_wait(&all_raised);
	pthread_barrier_wait(&all_raised);
	raw_close(&raw);
}

/*
 * Each alert that was raised is delivered before the module goes: later, its multicast group
 * may be that of another family.
 */
static void last_ones(void)
{
	static struct alert_listener listener;
	struct raiser raisers[LAST] = { 0 };
	unsigned int i, raised = 0, received = 0;

	alert_open(&listener);
	pthread_barrier_init(&all_at_once, NULL, LAST);
	pthread_barrier_init(&all_raised, NULL, LAST + 1);
	for (i = 0; i < LAST; i++)
		thread_start(&raisers[i].thread, raise_one, &raisers[i]);
	pthread_barrier_wait(&all_raised);
	tap_errno(module_remove(MODULE_TASKRT), 0, "many have alerted: the module goes");
	pthread_barrier_wait(&all_raised);
	for (i = 0; i < LAST; i++) {
		thread_join(&raisers[i].thread);
		raised += !raisers[i].err;
	}
	while (alert_next(&listener, 0))
		received++;
	tap_equal(raised, LAST, "all were raised");
	tap_equal(received, raised, "and all were delivered before that");
	tap_equal(listener.wrong, 0, "whole");
	alert_close(&listener);
	tap_errno(module_insert(MODULE_TASKRT, ""), 0, "the module comes back");
}

/* Waits until each thread was armed more often than that, and has alerted since the first time. */
static void await_armed(const struct armed *armed, const uint64_t *armings)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	unsigned int i;

	for (i = 0; i < ARMED; i++)
		while ((__atomic_load_n(&armed[i].armings, __ATOMIC_RELAXED) <= armings[i] ||
			!__atomic_load_n(&armed[i].alerts, __ATOMIC_RELAXED)) &&
		       clock_now() < patience)
			clock_sleep(10 * MS);
}

int main(void)
{
	unsigned long rounds = (tap_setting("TASKRT_TEST_ROUNDS", 6) + 2) / 3;
	struct armed armed[ARMED] = { 0 };
	uint64_t armings[ARMED] = { 0 }, alerts = 0;
	unsigned int i, wrong;

	one_that_stays();
	last_ones();
	load_start(LOAD_ALL);
	for (i = 0; i < ARMED; i++)
		thread_start(&armed[i].thread, be_armed, &armed[i]);
	taker.armed = armed;
	thread_start(&taker.thread, take_away, NULL);
	await_armed(armed, armings);
	tap_equal(off_and_on(rounds), rounds, "under load: switched off and on %lu times", rounds);
	tap_equal(go_and_come(rounds), rounds,
		  "under load: removed and inserted %lu times", rounds);
	for (i = 0; i < ARMED; i++)
		armings[i] = __atomic_load_n(&armed[i].armings, __ATOMIC_RELAXED);
	await_armed(armed, armings);
	taker.stop = 1;
	thread_join(&taker.thread);
	wrong = taker.wrong;
	for (i = 0; i < ARMED; i++) {
		armed[i].stop = 1;
		thread_join(&armed[i].thread);
		alerts += armed[i].alerts;
		wrong += armed[i].wrong;
		tap_at_least(armed[i].armings, 2, "thread %u was armed again", i);
	}
	load_stop();
	tap_at_least(taker.taken, 3, "threads were taken away");
	tap_at_least(alerts, 3, "alerts were raised in between");
	tap_equal(wrong, 0, "no call returns an unexpected error");
	return tap_done();
}
