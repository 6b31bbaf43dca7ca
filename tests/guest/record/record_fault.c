// SPDX-License-Identifier: GPL-2.0-only
/* An alert names the address, the file and the kind of a page fault, and other waits. */
#include <string.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "flight.h"
#include "patience.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(80 * MS)
#define MOST	(D / 2)
#define FLAGS	(TASKRT_EVENT_MAJOR | TASKRT_EVENT_WRITE | TASKRT_EVENT_FILE)

static int device;

struct touch {
	volatile char *where;
	int write;
};

static void touch(void *arg)
{
	const struct touch *touch = arg;

	if (touch->write)
		*touch->where = 1;
	else
		(void)*touch->where;
}

static void check(const struct flight *flight, const struct touch *touch, uint32_t flags,
		  uint32_t mask, int asleep)
{
	const struct alert_event *fault = flight_find(flight, ALERT_FAULT, MOST), *state;
	unsigned long page = sysconf(_SC_PAGESIZE);

	if (!fault)
		return;
	tap_equal(fault->event.address / page, (unsigned long)touch->where / page,
		  "%s: the address", flight->name);
	if (!tap_equal(fault->event.flags & mask, flags, "%s: what kind it was", flight->name))
		alert_print(flight->alert);
	if (!asleep)
		return;
	state = flight_find(flight, TASKRT_STATE_BLOCKED_FAULT, MOST);
	if (!state)
		return;
	tap_equal(state->event.address, fault->event.address,
		  "%s: the same of the wait in it", flight->name);
	/* On 5.10 no stack goes on beyond a function that has a kretprobe. */
	if (!tap_ok(alert_leads_to(state, "do_user_addr_fault") ||
		    alert_leads_to(state, "do_page_fault") ||
		    alert_leads_to(state, "kretprobe_trampoline"),
		    "%s: how it got there", flight->name))
		alert_print(flight->alert);
}

static void of_a_device(const char *name, uint32_t how, int major, int write)
{
	int asleep = how != TASKRT_TEST_BUSY;
	struct touch where = { .write = write };
	struct flight flight;
	volatile char *area;
	uint64_t until = 0;

	do {
		area = device_map(device, 4, how, major, D);
		where.where = area + 2 * sysconf(_SC_PAGESIZE) + 123;
		flight_observe(&flight, name, touch, &where);
		device_unmap(area, 4);
	} while (asleep && flight_again(&flight, TASKRT_STATE_BLOCKED_FAULT, MOST, &until));
	check(&flight, &where, TASKRT_EVENT_FILE | (major ? TASKRT_EVENT_MAJOR : 0) |
	      (write ? TASKRT_EVENT_WRITE : 0), FLAGS, asleep);
}

static void release(void *slow)
{
	slow_release(slow);
}

struct slow_touch {
	struct touch touch;
	struct slow *slow;
	struct bell bell;
};

static void touch_slow(void *arg)
{
	struct slow_touch *slow = arg;

	bell_set(&slow->bell, 0, TASKRT_STATE_BLOCKED_FAULT, D, release, slow->slow);
	touch(&slow->touch);
}

static void anonymous(const char *name, int write)
{
	struct slow_touch slow = { .slow = slow_new(3, SLOW_FOR_EVER) };
	struct flight flight;

	slow.touch = (struct touch){ slow_page(slow.slow, 1) + 77, write };
	flight_observe(&flight, name, touch_slow, &slow);
	bell_join(&slow.bell);
	/* Some kernels count a fault that had to be tried twice as a major one. */
	check(&flight, &slow.touch, write ? TASKRT_EVENT_WRITE : 0, FLAGS & ~TASKRT_EVENT_MAJOR, 1);
	slow_free(slow.slow);
}

static void delay(void *how)
{
	device_delay(device, *(uint32_t *)how, D);
}

static void in_the_kernel(const char *name, uint32_t how, uint32_t state)
{
	const struct alert_event *event;
	struct flight flight;
	uint64_t until = 0;

	do
		flight_observe(&flight, name, delay, &how);
	while (flight_again(&flight, state, MOST, &until));
	event = flight_find(&flight, state, MOST);
	if (!event)
		return;
	if (!tap_ok(alert_leads_to(event, "[taskrt_test]"), "%s: the stack leads to the module that waited", name))
		alert_print(flight.alert);
}

static void spin(void *unused)
{
	(void)unused;
	thread_pin(1);
	clock_burn(D);
}

static uint64_t run_for(const struct alert *alert)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < alert->nr_events; i++)
		if (alert_kind(&alert->events[i].event) == TASKRT_STATE_RUNNING)
			ns += alert->events[i].event.ns;
	return ns;
}

/* After the fault: what the thread does next is in the alert as well. */
static void computing(void)
{
	const struct alert_event *event;
	struct flight flight;
	uint64_t running;

	/* A busy host may stop the machine while the thread is switched. */
	do {
		flight_observe(&flight, "computing", spin, NULL);
		running = run_for(flight.alert);
	} while (running < MOST && patience_lasts());
	event = &flight.alert->events[flight.alert->nr_events - 1];
	tap_ok(alert_kind(&event->event) == TASKRT_STATE_RUNNING &&
	       event->event.flags & TASKRT_EVENT_PRESENT, "computing: and it still does");
	tap_equal(event->event.at_ns + event->event.ns, flight.alert->at_ns,
		  "computing: until the alert");
	tap_at_least(running, MOST, "computing: for so long");
}

int main(void)
{
	device = device_open();
	flight_open();
	of_a_device("file minor", TASKRT_TEST_UNINTERRUPTIBLE, 0, 0);
	of_a_device("file major", TASKRT_TEST_UNINTERRUPTIBLE, 1, 0);
	of_a_device("file write", TASKRT_TEST_UNINTERRUPTIBLE, 0, 1);
	of_a_device("file busy", TASKRT_TEST_BUSY, 0, 0);
	anonymous("anon read", 0);
	anonymous("anon write", 1);
	in_the_kernel("blocked", TASKRT_TEST_UNINTERRUPTIBLE, TASKRT_STATE_BLOCKED_OTHER);
	in_the_kernel("io", TASKRT_TEST_IO, TASKRT_STATE_BLOCKED_IO);
	computing();
	flight_close();
	return tap_done();
}
