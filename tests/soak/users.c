// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <taskrt.h>
#include <unistd.h>

#include "clock.h"
#include "groups.h"
#include "module.h"
#include "tap.h"
#include "thread.h"
#include "users.h"

/* A pause in each round, so that the module can be removed. */
#define PAUSE	(5 * MS)

static volatile int stop, aside;
static struct users_counts counts;

static void add(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/*
 * Errors that occur when the module is removed, accounting is switched off, the parameters
 * allow less than is asked for, or the task has just ended.
 */
static int is_expected(int err)
{
	static const int expected[] = {
		0, ENODEV, ENOENT, ENODATA, EINTR, ESRCH, EUSERS, ENOSPC, EBUSY, EAGAIN,
		EOPNOTSUPP, EPERM,
	};
	unsigned int i;

	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		if (err == -expected[i])
			return 1;
	return 0;
}

/* Return: err. */
static int note(const char *what, int err)
{
	add(&counts.requests, 1);
	if (!is_expected(err)) {
		add(&counts.unexpected, 1);
		tap_diag("%s: %s", what, strerror(-err));
	}
	return err;
}

static int nothing(const struct taskrt_reading *reading, void *arg)
{
	(void)reading;
	(void)arg;
	return 0;
}

static void ask_all(struct taskrt *handle)
{
	struct taskrt_query query = { .groups = EVERY_GROUP };
	struct taskrt_reading reading;
	struct taskrt_info info;

	note("GET", taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, EVERY_GROUP, &reading,
			       sizeof(reading)));
	note("GET", taskrt_get(handle, TASKRT_ENTITY_PROCESS, 1, EVERY_GROUP, &reading,
			       sizeof(reading)));
	note("INFO", taskrt_get_info(handle, &info, sizeof(info)));
	note("dump", taskrt_each(handle, &query, sizeof(query), sizeof(reading), nothing, NULL));
	query.tgid = getpid();
	note("dump", taskrt_each(handle, &query, sizeof(query), sizeof(reading), nothing, NULL));
}

/* A dump keeps the module, so the pauses are in proportion: some of them meet. */
static void ask(void *unused)
{
	struct taskrt *handle;
	uint64_t begin;

	(void)unused;
	while (!stop) {
		begin = clock_now();
		if (!note("open", taskrt_open(&handle))) {
			ask_all(handle);
			taskrt_close(handle);
		}
		clock_sleep(PAUSE + (clock_now() - begin) / 4);
	}
}

/* Reads what comes for a while, and then registers anew: as often as the module allows. */
static void hear(struct taskrt_exits *listener)
{
	const uint64_t end = clock_now() + 200 * MS;
	struct taskrt_exit exit;
	int got;

	do {
		got = taskrt_exits_next(listener, 20, &exit, sizeof(exit));
		if (got == 1)
			add(&counts.exits, 1);
		else if (got)
			note("next exit", got);
	} while (got >= 0 && clock_now() < end && !stop);
}

static void listen_on(void *unused)
{
	struct taskrt_exits *listener;
	int err;

	(void)unused;
	while (!stop) {
		err = note("open a listener", taskrt_exits_open(&listener));
		if (!err) {
			if (!note("register",
				  taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0)))
				hear(listener);
			taskrt_exits_close(listener);
		}
		clock_sleep(PAUSE);
	}
}

/* Arms itself and other tasks. */
static void arm_some(struct taskrt *handle)
{
	const struct taskrt_recorder_options options = { .depth = 16, .alert_over_ns = MS };
	unsigned int i;

	for (i = 0; i < 20 && !stop; i++)
		note("arm", taskrt_recorder_arm(handle, i % 2 ? 2 + random() % 400 : 0, &options,
						sizeof(options)));
	note("disarm", taskrt_recorder_disarm(handle, 0));
}

static void arm_on(void *unused)
{
	struct taskrt *handle;

	(void)unused;
	while (!stop) {
		if (!note("open", taskrt_open(&handle))) {
			arm_some(handle);
			taskrt_close(handle);
		}
		clock_sleep(PAUSE);
	}
}

static void collect(struct taskrt_alerts *alerts)
{
	const uint64_t end = clock_now() + 200 * MS;
	struct taskrt_alert alert;
	int got;

	do {
		got = taskrt_alerts_next(alerts, 20, &alert, sizeof(alert));
		if (got == 1)
			add(&counts.alerts, 1);
		else if (got)
			note("next alert", got);
	} while (got >= 0 && clock_now() < end && !stop);
}

static void collect_on(void *unused)
{
	struct taskrt_alerts *alerts;

	(void)unused;
	while (!stop) {
		if (!note("open alerts", taskrt_alerts_open(&alerts))) {
			collect(alerts);
			taskrt_alerts_close(alerts);
		}
		clock_sleep(PAUSE);
	}
}

/*
 * Reads its own counters, in a mapping as far as the module allows, and is late.  Accounting
 * may be switched off meanwhile, which ends the mapping.
 */
static void read_self(struct taskrt_self *self)
{
	struct taskrt_snapshot now;
	unsigned int i;

	taskrt_self_read(self, &now);
	add(&counts.maps, taskrt_self_mapped(self) == 1);
	for (i = 0; i < 200; i++)
		taskrt_self_read(self, &now);
	note("alert", taskrt_self_alert(self, "soak", 0));
}

static void map_on(void *unused)
{
	struct taskrt_self *self;

	(void)unused;
	while (!stop) {
		if (!aside && !note("open self", taskrt_self_open(&self, 0))) {
			read_self(self);
			taskrt_self_close(self);
		}
		clock_sleep(PAUSE);
	}
}

/* Leaves its counters mapped when it ends; whoever started it unmaps them. */
static void *map_and_end(void *handle)
{
	struct taskrt_snapshot now;

	if (!note("open self", taskrt_self_open(handle, 0)))
		taskrt_self_read(*(struct taskrt_self **)handle, &now);
	return NULL;
}

static void map_in_threads(void *unused)
{
	struct taskrt_self *self;
	pthread_t thread;

	(void)unused;
	while (!stop) {
		self = NULL;
		/* There may be no id left for it. */
		if (!aside && !pthread_create(&thread, NULL, map_and_end, &self))
			pthread_join(thread, NULL);
		taskrt_self_close(self);
		clock_sleep(PAUSE);
	}
}

/*
 * Parameters that may change at any time.  Requests and the removal of the module wait while
 * accounting is switched, so this is quick, and seldom.
 */
static void set_on(void *unused)
{
	uint64_t end;
	unsigned int i;

	(void)unused;
	setpriority(PRIO_PROCESS, 0, -20);
	for (i = 0; !stop; i++) {
		add(&counts.switches, !module_set("enabled", i % 2 ? "1" : "0"));
		if (i % 16 == 0)
			module_set("coarse_ns", i % 32 ? "0" : "1000000");
		for (end = clock_now() + (i % 2 ? 10 * SEC : 100 * MS); !stop && clock_now() < end;)
			clock_sleep(100 * MS);
	}
	module_set("coarse_ns", "0");
	module_set("enabled", "1");
}

static void (*const bodies[])(void *unused) = {
	ask, ask, listen_on, listen_on, arm_on, collect_on, map_on, map_in_threads, set_on,
};

#define USERS	(sizeof(bodies) / sizeof(bodies[0]))

static struct thread threads[USERS];

void users_start(void)
{
	unsigned int i;

	stop = 0;
	for (i = 0; i < USERS; i++)
		thread_start(&threads[i], bodies[i], NULL);
}

void users_step_aside(int leave)
{
	aside = leave;
}

void users_stop(void)
{
	unsigned int i;

	stop = 1;
	for (i = 0; i < USERS; i++)
		thread_join(&threads[i]);
}

struct users_counts users_counts(void)
{
	return counts;
}
