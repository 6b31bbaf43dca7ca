// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time that a hypervisor steals from a thread is measured apart: over netlink, in its mapped
 * counters, and as a part of its running time.  It is that of the thread that runs, never of
 * one that gets the CPU from the idle task afterwards, and never more than it has been
 * running.  Before any was stolen, it is not measured; whoever maps its counters then sees it
 * later all the same.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(20 * MS)
#define STEAL	TASKRT_TIMER_STEAL
#define CPU	1	/* from which is stolen */

static int device;

static uint64_t time_of(const struct taskrt_reading *reading)
{
	return reading->times.timers_ns[STEAL];
}

static uint32_t measured_now(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	return info.measured.timers >> STEAL & 1;
}

/* The steal of that CPU in /proc/stat, in ticks of 10 ms. */
static uint64_t told_of(unsigned int cpu)
{
	unsigned long long told = 0;
	char line[1024], format[80];
	FILE *file = fopen("/proc/stat", "r");

	if (!file)
		tap_bail("/proc/stat");
	snprintf(format, sizeof(format), "cpu%u %%*u %%*u %%*u %%*u %%*u %%*u %%*u %%llu", cpu);
	while (fgets(line, sizeof(line), file) && !sscanf(line, format, &told))
		;
	fclose(file);
	return told;
}

/* Until after the next tick, which comes at least every 10 ms. */
static void compute(uint64_t ns)
{
	uint64_t end = clock_now() + ns;

	while (clock_now() < end)
		;
}

/* From the caller, which nobody keeps off its CPU: first, that has not been idle for some time. */
static void stolen(void *arg)
{
	thread_pin(CPU);
	thread_fifo(90);
	clock_sleep(MS);
	compute(D);
	device_steal(device, CPU, D, *(uint64_t *)arg);
	compute(D);
	thread_other();
	thread_unpin();
}

static void of_the_thread(void)
{
	uint64_t told = D, before = told_of(CPU);
	struct window window;

	/* Now and then the kernel stops a processor, whatever runs there. */
	do
		window_observe(&window, stolen, &told);
	while (time_of(&window.delta) != D && patience_lasts());
	tap_at_least(told_of(CPU) - before, D / (10 * MS), "/proc/stat has it, too");
	tap_equal(time_of(&window.delta), D, "all of it is the thread's");
	tap_equal(window.delta.counts.timers[STEAL], 1, "once");
	window_check_longest(&window, &window.delta.longests.timers[STEAL], D, "the longest");
	tap_at_most(time_of(&window.delta), window.delta.times.states_ns[TASKRT_STATE_RUNNING],
		    "it is a part of the running time");
	tap_ok(window_adds_up(&window.after), "and the states sum to the time tracked");
}

/* More than the thread has been running: the rest is nobody's. */
static void too_much(void)
{
	uint64_t told = SEC;
	struct window window;

	window_observe(&window, stolen, &told);
	tap_at_least(time_of(&window.delta), D, "more than it ran: as much as it ran");
	tap_at_most(time_of(&window.delta), window.delta.times.states_ns[TASKRT_STATE_RUNNING],
		    "and no more");
}

/* A tick of the idle processor may come in between, but not each time. */
static void come_after(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 20; i++) {
		thread_pin(0);
		device_steal(device, CPU, 0, SEC);
		thread_pin(CPU);
		compute(D);
	}
	thread_unpin();
}

/*
 * What was stolen from the idle processor, and is told of when a thread has got it.  If the
 * processor was not idle, it is charged to whoever runs there at the next tick.
 */
static void of_nobody(void)
{
	struct window window;

	do
		window_observe(&window, come_after, NULL);
	while (time_of(&window.delta) && patience_lasts());
	tap_equal(time_of(&window.delta), 0, "stolen before it got the CPU: not its own");
}

static void in_window(struct taskrt_self *self, struct taskrt_explanation *e)
{
	struct taskrt_window window;
	uint64_t told = 10 * D;

	do {
		compute(D);
		taskrt_window_begin(&window, self);
		device_steal(device, CPU, told, told);
		compute(D);
	} while ((taskrt_window_end(&window) || taskrt_window_explain(&window, e, sizeof(*e))) &&
		 patience_lasts());
}

/* A thread that reads itself: its mapped counters, and what it is told of a late window. */
static void mapped(struct taskrt_self *self, int first)
{
	struct taskrt_reading before, after;
	struct taskrt_explanation e = { 0 };
	uint64_t told = D;
	char line[1000];

	thread_pin(CPU);
	thread_fifo(90);
	self_get(self, &before);
	if (first)
		tap_equal(before.stats.measured.timers >> STEAL & 1, 0, "mapped: not measured before");
	do {
		compute(D);
		self_get(self, &before);
		device_steal(device, CPU, told, told);
		compute(D);
		self_get(self, &after);
	} while (time_of(&after) - time_of(&before) != D && patience_lasts());
	tap_equal(after.stats.measured.timers >> STEAL & 1, 1, "mapped: measured");
	tap_equal(time_of(&after) - time_of(&before), D, "mapped: time");
	tap_equal(after.counts.timers[STEAL] - before.counts.timers[STEAL], 1, "mapped: count");
	tap_at_least(after.longests.timers[STEAL].ns, D, "mapped: longest");
	do
		in_window(self, &e);
	while (e.shares[0].ns != 10 * D && patience_lasts());
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	tap_equal(e.shares[0].cause, TASKRT_CAUSE_STOLEN, "explained: %s", line);
	tap_equal(e.shares[0].ns, 10 * D, "explained: the whole time");
	tap_equal(e.longest.ns, 10 * D, "explained: the longest");
	thread_other();
	thread_unpin();
}

int main(void)
{
	struct taskrt_self *self;
	int first;

	if (sysconf(_SC_NPROCESSORS_ONLN) <= CPU) {
		tap_skip("stolen time", "needs two processors");
		return tap_done();
	}
	device = device_open();
	self = self_open();
	/* This emulator's own host may steal time, and the program may have run before. */
	first = !measured_now();
	mapped(self, first);
	tap_equal(measured_now(), 1, "measured from then on");
	of_the_thread();
	too_much();
	of_nobody();
	mapped(self, 0);
	taskrt_self_close(self);
	return tap_done();
}
