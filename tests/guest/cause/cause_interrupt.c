// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts, hard and soft, are measured apart: of the thread that they interrupt, over
 * netlink and in its mapped counters, and as parts of its running time.  Those that
 * ksoftirqd serves are not.  The numbers agree with /proc/interrupts.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(20 * MS)
#define MOST	(D / 2)	/* of a softirq, without hard interrupts meanwhile */
#define HARD	TASKRT_TIMER_HARDIRQ
#define SOFT	TASKRT_TIMER_SOFTIRQ
#define BITS	(1U << HARD | 1U << SOFT)

static int device;

static void interrupt(void *arg)
{
	device_interrupt(device, *(const uint32_t *)arg, 1, D);
}

static uint64_t time_of(const struct taskrt_reading *reading, unsigned int timer)
{
	return reading->times.timers_ns[timer];
}

/* If ksoftirqd was about to run, it has served the softirq. */
static void observe(struct window *window, uint32_t how)
{
	do
		window_observe(window, interrupt, &how);
	while (how != TASKRT_TEST_HARD && time_of(&window->delta, SOFT) < MOST && patience_lasts());
}

static void check_timer(const struct window *window, unsigned int timer, uint64_t least,
			const char *name)
{
	const struct taskrt_reading *delta = &window->delta;
	const struct taskrt_longest *longest = &delta->longests.timers[timer];

	tap_at_least(time_of(delta, timer), least, "%s: time", name);
	tap_at_least(delta->counts.timers[timer], 1, "%s: count", name);
	window_check_longest(window, longest, least, name);
}

static void check_parts(const struct window *window, const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	tap_at_most(time_of(delta, HARD) + time_of(delta, SOFT),
		    delta->times.states_ns[TASKRT_STATE_RUNNING],
		    "%s: both are parts of the running time", name);
}

static void hard(void)
{
	struct window window;

	observe(&window, TASKRT_TEST_HARD);
	check_timer(&window, HARD, D, "hard");
	check_parts(&window, "hard");
}

static void soft(void)
{
	struct window window;

	observe(&window, TASKRT_TEST_SOFT);
	check_timer(&window, SOFT, MOST, "soft");
	check_parts(&window, "soft");
	observe(&window, TASKRT_TEST_HARD_IN_SOFT);
	check_timer(&window, HARD, D, "hard in soft");
	tap_at_least(time_of(&window.delta, SOFT), MOST, "hard in soft: the other one");
	check_parts(&window, "hard in soft");
}

/* The name of a process is in the answer. */
static int is_ksoftirqd(const struct taskrt_reading *reading, void *found)
{
	if (strncmp(reading->stats.comm, "ksoftirqd/", 10))
		return 0;
	((uint64_t *)found)[0]++;
	((uint64_t *)found)[1] += reading->counts.timers[SOFT];
	return 0;
}

static void ksoftirqd(void)
{
	struct taskrt *handle = window_open();
	uint64_t found[2] = { 0, 0 };

	tap_errno(window_each(handle, 0, is_ksoftirqd, found), 0, "all threads");
	tap_at_least(found[0], 1, "ksoftirqd is among them");
	tap_equal(found[1], 0, "its own softirqs do not interrupt it");
	taskrt_close(handle);
}

static void in_window(struct taskrt_self *self, struct taskrt_explanation *e)
{
	struct taskrt_window window;

	do {
		taskrt_window_begin(&window, self);
		device_interrupt(device, TASKRT_TEST_HARD, 1, 10 * D);
	} while ((taskrt_window_end(&window) || taskrt_window_explain(&window, e, sizeof(*e))) &&
		 patience_lasts());
}

/* A thread that reads itself: its mapped counters, and what it is told of a late window. */
static void mapped(void)
{
	struct taskrt_self *self = self_open();
	struct taskrt_reading before, after;
	struct taskrt_explanation e = { 0 };
	char line[600];

	self_get(self, &before);
	device_interrupt(device, TASKRT_TEST_HARD, 1, D);
	self_get(self, &after);
	tap_equal(before.stats.measured.timers & 1U << HARD, 1U << HARD, "mapped: measured");
	tap_at_least(time_of(&after, HARD) - time_of(&before, HARD), D, "mapped: time");
	tap_at_least(after.counts.timers[HARD] - before.counts.timers[HARD], 1, "mapped: count");
	tap_at_least(after.longests.timers[HARD].ns, D, "mapped: longest");
	/* On a busy host, the thread may have lost its CPU for longer. */
	do
		in_window(self, &e);
	while (e.shares[0].cause != TASKRT_CAUSE_HARDIRQ && patience_lasts());
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	tap_equal(e.shares[0].cause, TASKRT_CAUSE_HARDIRQ, "explained: %s", line);
	tap_at_least(e.shares[0].ns, 10 * D, "explained: the whole time");
	tap_at_least(e.longest.ns, 10 * D, "explained: the longest");
	taskrt_self_close(self);
}

/* Counted are those that run a handler: not NMIs, machine checks and errors. */
static int is_counted(const char *name)
{
	static const char *const names[] = {
		"LOC", "SPU", "IWI", "RES", "CAL", "THR", "DFR", "PLT", "TRM", "IPI",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], 3))
			return 1;
	return name[0] >= '0' && name[0] <= '9';
}

/* All interrupts of CPU 0, which is in the first column. */
static uint64_t all_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long long number;
	uint64_t sum = 0;
	char line[1024], name[16];

	if (!file)
		tap_bail("/proc/interrupts");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " %15[^:]: %llu", name, &number) == 2 && is_counted(name))
			sum += number;
	fclose(file);
	return sum;
}

/* A real-time thread has CPU 0 for itself meanwhile. */
static void spin(void *arg)
{
	uint64_t *between = arg, end;

	thread_pin(0);
	thread_fifo(90);
	*between = all_interrupts();
	end = clock_now() + 200 * MS;
	while (clock_now() < end)
		;
	*between = all_interrupts() - *between;
	/* It ends here, and does not leave this CPU. */
	thread_other();
}

/* Somebody else may get the CPU in between for all that, but not each time. */
static void agree(void)
{
	uint64_t between, before, all, counted;
	struct window window;

	thread_pin(0);
	do {
		before = all_interrupts();
		window_observe(&window, spin, &between);
		all = all_interrupts() - before;
		counted = window.delta.counts.timers[HARD];
	} while ((!between || counted < between || counted > all) && patience_lasts());
	thread_unpin();
	tap_at_least(between, 1, "/proc/interrupts: there were some");
	tap_at_least(counted, between, "and at least as many here");
	tap_at_most(counted, all, "and no more than in all");
}

static uint32_t measured_now(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	return info.measured.timers & BITS;
}

static void switched_off(void)
{
	struct window window;

	module_must_set("interrupts", "0");
	tap_equal(measured_now(), 0, "switched off: not measured");
	observe(&window, TASKRT_TEST_HARD);
	tap_equal(window.after.stats.measured.timers & BITS, 0, "nor of a thread");
	tap_ok(window_is_measured(&window.after), "and it is 0");
}

int main(void)
{
	const uint32_t here = thread_kernel_is_rt() ? 1U << HARD : BITS;

	device = device_open();
	taskrt_close(window_open());
	tap_equal(measured_now(), 0, "not measured by default");
	module_must_set("interrupts", "1");
	tap_equal(measured_now(), here, "switched on: measured");
	hard();
	if (thread_kernel_is_rt())
		tap_skip("softirqs", "they run in threads on PREEMPT_RT");
	else
		soft();
	ksoftirqd();
	mapped();
	agree();
	switched_off();
	module_must_set("interrupts", "1");
	tap_equal(measured_now(), here, "and on again");
	module_must_set("interrupts", "0");
	return tap_done();
}
