// SPDX-License-Identifier: GPL-2.0-only
/*
 * Real-time threads have to leave some time to those without real-time priority: then they
 * are throttled, and not preempted.
 */
#include "clock.h"
#include "patience.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

#define RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
#define LEAST	(10 * MS)	/* of the 50 that others get of each second */

static volatile int over;
static volatile unsigned long got;	/* grows while the other thread has the CPU */
static unsigned long in_vain;		/* rounds in which it did not get it */
static volatile int rest;		/* it is to sleep for a moment */

/* Without real-time priority. */
static void want_cpu(void *unused)
{
	(void)unused;
	thread_pin(THROTTLE_CPU);
	while (!over) {
		got++;
		if (rest) {
			rest = 0;
			clock_sleep(MS);
		}
	}
}

/*
 * It is throttled for some 50 ms only, so there is no time to ask for its state.  If the kernel
 * does not do that, the scene is played once more.  Since 6.12 it may fail to for as long as
 * threads without real-time priority are runnable without a break, so there is one.
 */
static void await_throttled(void)
{
	const uint64_t end = clock_now() + 3 * SEC;
	const unsigned long before = got;

	while (got == before && clock_now() < end)
		;
	if (got == before) {
		in_vain++;
		rest = 1;
	}
}

static void enter_realtime(void)
{
	thread_fifo(20);
	thread_pin(THROTTLE_CPU);
}

/* It has the CPU before the other one, which does not give it up. */
static void enter_above(void)
{
	thread_fifo(30);
	thread_pin(THROTTLE_CPU);
}

/* Longer than the second of which threads without priority get a twentieth. */
static void burn_in_realtime(void *unused)
{
	(void)unused;
	enter_realtime();
	clock_spin(2500 * MS);
	thread_other();
}

int main(void)
{
	const struct throttle_scene scene = {
		"woken in real time", enter_realtime, enter_above, NULL, await_throttled
	};
	struct thread other;
	struct window window;
	char before[32];

	if (!throttle_measured())
		return tap_done();
	if (!setting_read(RUNTIME, before, sizeof(before)))
		tap_bail("no " RUNTIME);
	setting_must_write(RUNTIME, "950000");
	thread_start(&other, want_cpu, NULL);
	do
		window_observe(&window, burn_in_realtime, NULL);
	while (window.delta.longests.states[THROTTLED].ns < LEAST && patience_lasts());
	window_check_state(&window, THROTTLED, LEAST, "real time");
	tap_at_least(window.delta.stats.queue_time_ns, window.delta.times.states_ns[THROTTLED],
		     "real time: part of queue_time");
	throttle_woken(&scene, MS);
	tap_diag("in %lu rounds nobody was throttled", in_vain);
	over = 1;
	thread_join(&other);
	/* Since 6.12 the kernel may refuse the value with which it has begun: no limit. */
	if (!setting_write(RUNTIME, before))
		setting_must_write(RUNTIME, "-1");
	return tap_done();
}
