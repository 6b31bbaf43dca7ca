// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that dies inside a page fault, or while it waits for a lock, as after an
 * oops: it ends, what was in progress ends with it, and so does its process.
 */
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "listener.h"
#include "tap.h"
#include "window.h"

#define D	(30 * MS)

static int device;
static uint32_t dead;
static unsigned int threads, processes;
static struct taskrt_reading thread, process;

static void note(const struct listener_record *record, void *unused)
{
	(void)unused;
	if (record->id != dead)
		return;
	if (record->process) {
		processes++;
		process = record->reading;
	} else {
		threads++;
		thread = record->reading;
	}
}

static void check_records(const char *name)
{
	tap_equal(threads, 1, "%s: the thread's exit is delivered", name);
	tap_equal(processes, 1, "%s: the process's exit, too", name);
	tap_equal(thread.stats.state, TASKRT_STATE_EXITED, "%s: it has exited", name);
	tap_ok(window_adds_up(&thread), "%s: the thread's states add up", name);
	tap_ok(window_adds_up(&process), "%s: the process's states add up", name);
}

static void die(uint32_t where, const char *name)
{
	volatile char *area = device_map(device, 2, TASKRT_TEST_UNINTERRUPTIBLE, 0, D);
	struct listener listener;

	/* A page table that was made for the fault would be lost with it. */
	area[0] = 1;
	threads = 0;
	processes = 0;
	listener_open(&listener, note, NULL);
	listener_listen(&listener, &(struct listener_filter){ .groups = EVERY_GROUP });
	dead = device_die(device, where, area + sysconf(_SC_PAGESIZE));
	if (dead) {
		listener_until(&listener, dead);
		check_records(name);
		tap_equal(listener.lost + listener.wrong, 0, "%s: nothing is lost or wrong", name);
	} else {
		tap_skip(name, "the tracepoint is not open to modules before 6.7");
	}
	listener_close(&listener);
	device_unmap(area, 2);
}

static void in_fault(void)
{
	die(TASKRT_TEST_DIE_IN_FAULT, "in a fault");
	tap_at_least(thread.stats.page_fault_time_ns, D, "in a fault: page_fault_time");
	tap_equal(thread.counts.timers[TASKRT_TIMER_FAULT], 1, "in a fault: it has ended");
}

static void in_lock(void)
{
	die(TASKRT_TEST_DIE_IN_LOCK, "in a lock wait");
	if (!dead)
		return;
	tap_at_least(thread.counts.timers[TASKRT_TIMER_LOCK], 1, "in a lock wait: it has ended");
	tap_at_least(thread.counts.locks[TASKRT_LOCK_OTHER], 1, "in a lock wait: of its kind");
}

static void in_both(void)
{
	die(TASKRT_TEST_DIE_IN_FAULT | TASKRT_TEST_DIE_IN_LOCK, "in both");
	if (!dead)
		return;
	tap_at_least(thread.stats.page_fault_time_ns, D, "in both: page_fault_time");
	tap_at_least(thread.counts.timers[TASKRT_TIMER_LOCK], 1, "in both: the wait has ended");
}

int main(void)
{
	device = device_open();
	in_fault();
	in_lock();
	in_both();
	return tap_done();
}
