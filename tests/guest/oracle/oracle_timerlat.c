// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreement with timerlat, a tracer of the kernel's own, about timers that come too late: how
 * late each wake-up of its own thread is, which it measures in the timer's interrupt, before
 * the wake-up, and in the thread, after it.  What taskrt says of that thread is in between, for
 * the sum, the number and the longest.  While the CPU's timers are held for a known time, a
 * thread that sleeps there is late for as long.
 */
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "tracer.h"
#include "window.h"

#define CPU	1
#define HELD	(200 * MS)	/* no timer of the CPU fires */
#define SLEEP	(30 * MS)	/* of the thread that is late; the hold begins meanwhile */
#define PERIOD	(20 * MS)	/* of the tracer */
#define PERIOD_US	"20000"
#define SAMPLES	10		/* for which the tracer's thread has slept before */
#define EXPIRY	TASKRT_TIMER_EXPIRY

struct lateness {
	uint64_t ns, number, longest;
};

/* By the tracer: in the interrupt, and in the thread. */
static struct {
	struct lateness interrupt, thread;
} theirs;

/* By the tracer, before and after a query, and by taskrt. */
static struct lateness least, most, own;

/* The thread that sleeps while its CPU's timers are held. */
static struct sleeper {
	struct thread thread;
	sem_t go, done;
	uint64_t expiry, late;
} sleeper;

static void be_late(void *unused)
{
	struct taskrt_self *self = self_open();
	struct taskrt_reading before, after;
	struct timespec at;

	(void)unused;
	thread_pin(CPU);
	/* So that the timer may not fire later than it is set for. */
	thread_fifo(50);
	for (;;) {
		sem_wait(&sleeper.go);
		self_get(self, &before);
		sleeper.expiry = clock_now() + SLEEP;
		at = (struct timespec){ sleeper.expiry / SEC, sleeper.expiry % SEC };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		self_get(self, &after);
		sleeper.late = after.times.timers_ns[EXPIRY] - before.times.timers_ns[EXPIRY];
		sem_post(&sleeper.done);
	}
}

static void add(struct lateness *lateness, const char *line, const char *key)
{
	const char *value = strstr(line, key);
	uint64_t ns;

	if (!value)
		return;
	ns = strtoull(value + strlen(key), NULL, 10);
	lateness->ns += ns;
	lateness->number++;
	if (lateness->longest < ns)
		lateness->longest = ns;
}

static void read_trace(void)
{
	FILE *trace = tracer_open(CPU);
	char line[512];

	memset(&theirs, 0, sizeof(theirs));
	while (fgets(line, sizeof(line), trace)) {
		add(&theirs.interrupt, line, "irq timer_latency");
		add(&theirs.thread, line, "thread timer_latency");
	}
	fclose(trace);
}

static void await_samples(uint64_t number)
{
	do
		read_trace();
	while (theirs.thread.number < number && patience_lasts());
}

/* Return: the thread was late for at least so long, if the hold began before its timer. */
static uint64_t hold(int device)
{
	uint64_t begin;

	sem_post(&sleeper.go);
	clock_sleep(SLEEP / 3);
	begin = clock_now();
	device_steal(device, CPU, HELD, 0);
	while (sem_wait(&sleeper.done))
		;
	return begin + HELD > sleeper.expiry ? begin + HELD - sleeper.expiry : HELD;
}

/* The tracer's thread may not sleep just when the hold begins, or a busy host delays it. */
static void both_late(int device)
{
	uint64_t so_long;

	do {
		so_long = hold(device);
		await_samples(theirs.thread.number + 2);
	} while ((sleeper.late < so_long || theirs.interrupt.longest < HELD - PERIOD) &&
		 patience_lasts());
	tap_at_least(sleeper.late, so_long, "a thread that sleeps is late by the hold");
	tap_at_least(theirs.interrupt.longest, HELD - PERIOD, "and by timerlat, its own is");
}

static void say(const char *whose, const struct lateness *lateness)
{
	tap_diag("%s: %llu timers, %llu ns late, %llu ns at most", whose,
		 (unsigned long long)lateness->number, (unsigned long long)lateness->ns,
		 (unsigned long long)lateness->longest);
}

static void begin(void)
{
	tracer_start("timerlat", CPU);
	await_samples(SAMPLES);
}

/* What the tracer has said before the query, and what it says until some time after it. */
static void compare(void)
{
	struct taskrt *handle = window_open();
	pid_t tid = tracer_thread("timerlat", CPU);
	struct taskrt_reading ours;

	if (!tid)
		tap_bail("timerlat has no thread");
	read_trace();
	least = theirs.interrupt;
	window_thread(handle, tid, &ours);
	await_samples(least.number + 3);
	taskrt_close(handle);
	most = theirs.thread;
	own.ns = ours.times.timers_ns[EXPIRY];
	own.number = ours.counts.timers[EXPIRY];
	own.longest = ours.longests.timers[EXPIRY].ns;
}

/* On a busy host a timer may fire before its thread sleeps: then nobody is woken. */
static int agrees(void)
{
	return own.number + least.number / 10 >= least.number && own.number <= most.number &&
	       own.ns >= least.ns && own.ns <= most.ns &&
	       own.longest >= least.longest && own.longest <= most.longest;
}

/* Sums keep what a busy host has spoiled: so each try is of a new thread of the tracer. */
static void in_between(void)
{
	compare();
	while (!agrees() && patience_lasts()) {
		tracer_stop();
		begin();
		compare();
	}
	say("timerlat, before the wake-up", &least);
	say("ours", &own);
	say("timerlat, in the thread, and later", &most);
	tap_at_least(own.number + least.number / 10, least.number, "each wake-up is counted");
	tap_at_most(own.number, most.number, "and no more");
	tap_at_least(own.ns, least.ns, "late for all the time before them");
	tap_at_most(own.ns, most.ns, "and not until the thread ran");
	tap_at_least(own.longest, least.longest, "the longest: likewise");
	tap_at_most(own.longest, most.longest, "and no longer");
}

int main(void)
{
	const char *why = tracer_lacking("timerlat");
	int device;

	if (!why && sysconf(_SC_NPROCESSORS_ONLN) <= CPU)
		why = "needs two processors";
	if (why) {
		tap_skip("timerlat", why);
		return tap_done();
	}
	device = device_open();
	sem_init(&sleeper.go, 0, 0);
	sem_init(&sleeper.done, 0, 0);
	thread_start(&sleeper.thread, be_late, NULL);
	thread_pin(0);
	setting_must_write(TRACER_FOLDER "/osnoise/timerlat_period_us", PERIOD_US);
	begin();
	both_late(device);
	in_between();
	tracer_stop();
	return tap_done();
}
