// SPDX-License-Identifier: GPL-2.0-only
/* The time of a slow page fault counts as fault time, whatever happens inside the fault. */
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "slow.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(60 * MS)
/* How much of a forced wait must be accounted: the rest is the noise of an emulated machine. */
#define MOST	(D / 2)

static int device;
static _Atomic pid_t toucher;

static void touch(void *arg)
{
	volatile char *page = arg;

	toucher = gettid();
	page[0] = 1;
}

/* Ends the fault D after its thread has begun to sleep in it, whenever that is. */
static void release_slowly(void *slow)
{
	struct taskrt *handle = window_open();

	while (!toucher)
		clock_sleep(MS);
	state_await_for(handle, toucher, TASKRT_STATE_BLOCKED_FAULT, D);
	slow_release(slow);
	taskrt_close(handle);
}

static void by_userfaultfd(void)
{
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	struct window window;
	struct thread thread;

	toucher = 0;
	thread_start(&thread, release_slowly, slow);
	window_observe(&window, touch, (void *)slow_page(slow, 0));
	thread_join(&thread);
	slow_free(slow);
	tap_at_least(window.delta.stats.page_fault_time_ns, D, "userfaultfd: page_fault_time");
	tap_at_least(VALUE(window.delta, WAKEUPS), 1, "userfaultfd: woken at least once");
	tap_at_least(VALUE(window.delta, VOLUNTARY_SWITCHES), 1,
		     "userfaultfd: a voluntary switch");
	window_check_state(&window, TASKRT_STATE_BLOCKED_FAULT, MOST, "userfaultfd");
	window_check_longest(&window, &window.delta.longests.timers[TASKRT_TIMER_FAULT], MOST,
			     "userfaultfd, fault");
}

/*
 * Whichever way the handler sleeps, the state is the fault: it is the first reason that
 * applies.
 */
static void by_sleep(uint32_t how, const char *name)
{
	volatile char *page = device_map(device, 1, how, 0, D);
	struct window window;

	window_observe(&window, touch, (void *)page);
	device_unmap(page, 1);
	tap_at_least(window.delta.stats.page_fault_time_ns, D, "%s: page_fault_time", name);
	tap_at_most(window.delta.stats.page_fault_time_ns, window.delta.stats.tracked_time_ns,
		    "%s: page_fault_time, not counted twice", name);
	tap_at_least(VALUE(window.delta, MINOR_FAULT_NS), D, "%s: minor_fault_time", name);
	tap_at_least(VALUE(window.delta, MINOR_FAULTS), 1, "%s: a minor fault", name);
	window_check_state(&window, TASKRT_STATE_BLOCKED_FAULT, MOST, name);
	window_check_longest(&window, &window.delta.longests.timers[TASKRT_TIMER_FAULT], D, name);
}

static void by_computing(void)
{
	volatile char *page = device_map(device, 1, TASKRT_TEST_BUSY, 0, D);
	struct window window;
	const struct taskrt_reading *delta = &window.delta;

	window_observe(&window, touch, (void *)page);
	device_unmap(page, 1);
	tap_at_least(delta->stats.page_fault_time_ns, D, "busy: page_fault_time");
	tap_at_most(delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT], MOST, "busy: not blocked");
	tap_at_least(delta->stats.cpu_time_ns + delta->stats.queue_time_ns, MOST,
		     "busy: on the CPU or waiting for one");
}

static void as_major(void)
{
	struct window window;
	const struct taskrt_reading *delta = &window.delta;

	/*
	 * The thread has other faults, too, and a busy host may stop the machine in one of
	 * them.
	 */
	do {
		volatile char *page = device_map(device, 1, TASKRT_TEST_IO, 1, D);

		window_observe(&window, touch, (void *)page);
		device_unmap(page, 1);
	} while (VALUE(*delta, MINOR_FAULT_NS) > MOST && patience_lasts());
	tap_equal(VALUE(*delta, MAJOR_FAULTS), 1, "major: one major fault");
	tap_at_least(VALUE(*delta, MAJOR_FAULT_NS), D, "major: major_fault_time");
	tap_at_most(VALUE(*delta, MINOR_FAULT_NS), MOST, "major: not counted as minor_fault_time");
	tap_at_least(delta->stats.page_fault_time_ns, D, "major: page_fault_time");
}

/*
 * A lock inside a fault: both timers run, and the state is the lock.  The holder drops it
 * D after the fault has begun to wait for it.
 */
static void behind_a_lock(void)
{
	volatile char *page = device_map(device, 1, TASKRT_TEST_LOCKED, 0, 0);
	struct window window;
	const struct taskrt_reading *delta = &window.delta;

	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, D);
	window_observe(&window, touch, (void *)page);
	device_unmap(page, 1);
	tap_at_least(delta->stats.page_fault_time_ns, MOST, "lock in a fault: page_fault_time");
	tap_at_least(delta->stats.lock_contention_time_ns, MOST,
		     "lock in a fault: lock_contention_time");
	tap_at_most(delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT], MOST,
		    "lock in a fault: not blocked_fault");
	window_check_state(&window, TASKRT_STATE_BLOCKED_LOCK, MOST, "lock in a fault");
}

int main(void)
{
	device = device_open();
	by_userfaultfd();
	by_sleep(TASKRT_TEST_UNINTERRUPTIBLE, "uninterruptible");
	by_sleep(TASKRT_TEST_INTERRUPTIBLE, "interruptible");
	by_sleep(TASKRT_TEST_IO, "io");
	by_computing();
	as_major();
	behind_a_lock();
	return tap_done();
}
