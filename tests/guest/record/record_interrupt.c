// SPDX-License-Identifier: GPL-2.0-only
/*
 * What kept an armed thread from its own work while it was running is among its events:
 * interrupts, hard and soft, and the making of free memory.  Short ones are not.
 */
#include <inttypes.h>
#include <unistd.h>

#include "alert.h"
#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "recorder.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"

#define D		(20 * MS)
#define LEAST		(100 * US)	/* of what is recorded */
#define COMPACT_MEMORY	"/proc/sys/vm/compact_memory"
#define KIND(timer)	(TASKRT_EVENT_TIMER << 16 | TASKRT_TIMER_##timer)

static struct alert_listener listener;
static struct raw raw;
static int device;

static void arm(uint64_t threshold_ns)
{
	const struct recorder_arm how = {
		.depth = TASKRT_DEPTH_MAX, .threshold_ns = threshold_ns,
	};

	if (recorder_arm(&raw, &how, NULL))
		tap_bail("arming");
}

static const struct alert *told(void)
{
	const struct alert *alert;

	recorder_must_tell("");
	alert = alert_of(&listener, gettid());
	if (!alert)
		tap_bail("no alert");
	return alert;
}

static uint64_t longest(const struct alert *alert, uint32_t kind)
{
	const struct alert_event *event = alert_longest(alert, kind);

	return event ? event->event.ns : 0;
}

/* Is it inside an interval in which the thread was running? */
static int is_amid_running(const struct alert *alert, const struct taskrt_event *part)
{
	unsigned int i;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		if (alert_kind(event) == TASKRT_STATE_RUNNING && event->at_ns <= part->at_ns &&
		    event->at_ns + event->ns >= part->at_ns + part->ns)
			return 1;
	}
	return 0;
}

static void hard(void)
{
	const struct alert *alert;

	device_interrupt(device, TASKRT_TEST_HARD, 1, D);
	alert = told();
	tap_at_least(longest(alert, KIND(HARDIRQ)), D, "hard: the event");
	if (longest(alert, KIND(HARDIRQ)))
		tap_ok(is_amid_running(alert, &alert_longest(alert, KIND(HARDIRQ))->event),
		       "hard: the thread was running meanwhile");
}

/* If ksoftirqd was about to run, it has served the softirq. */
static void soft(void)
{
	uint64_t ns;

	do {
		device_interrupt(device, TASKRT_TEST_SOFT, 1, D);
		ns = longest(told(), KIND(SOFTIRQ));
	} while (ns < D / 2 && patience_lasts());
	tap_at_least(ns, D / 2, "soft: the event");
}

static void freeing(void)
{
	if (!setting_write(COMPACT_MEMORY, "1")) {
		tap_skip("compaction", "this kernel has none");
		return;
	}
	tap_at_least(longest(told(), KIND(RECLAIM_CPU)), LEAST, "compaction: the event");
}

static unsigned int count_short(const struct alert *alert, uint64_t least)
{
	unsigned int i, count = 0;

	for (i = 0; i < alert->nr_events; i++) {
		const struct taskrt_event *event = &alert->events[i].event;

		count += (alert_kind(event) == KIND(HARDIRQ) || alert_kind(event) == KIND(SOFTIRQ)) &&
			 event->ns < least;
	}
	return count;
}

/* The tick comes meanwhile, too. */
static void short_ones(void)
{
	clock_burn(50 * MS);
	tap_equal(count_short(told(), LEAST), 0, "short: none, whatever the threshold is");
	arm(4 * D);
	device_interrupt(device, TASKRT_TEST_HARD, 1, D);
	tap_equal(count_short(told(), 4 * D), 0, "below the threshold: none");
}

int main(void)
{
	device = device_open();
	alert_open(&listener);
	if (raw_open(&raw))
		tap_bail("no family");
	module_must_set("interrupts", "1");
	arm(1);
	hard();
	if (thread_kernel_is_rt())
		tap_skip("softirqs", "they run in threads on PREEMPT_RT");
	else
		soft();
	freeing();
	short_ones();
	tap_equal(listener.wrong, 0, "%" PRIu64 " alerts: every promise of the header is kept",
		  listener.received);
	module_must_set("interrupts", "0");
	return tap_done();
}
