// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thousands of short page faults share an event, so that they do not push a long wait out of
 * the recorder, and nothing of them is lost.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "flight.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(100 * MS)
#define PAGES	2000

static int device;

struct course {
	struct bell_culprit culprit;
	volatile char *pages;
	long faults;			/* as the kernel counts them */
	uint64_t begin_ns, end_ns;	/* of the faults */
};

static long count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/* A lock, and then each page for the first time. */
static void wait_then_touch(void *arg)
{
	struct course *course = arg;
	long before;
	int i;

	bell_drop_after(&course->culprit, 0, D);
	device_take(device, TASKRT_TEST_MUTEX, 0);
	before = count_faults();
	course->begin_ns = clock_now();
	for (i = 0; i < PAGES; i++)
		course->pages[i * sysconf(_SC_PAGESIZE)] = 1;
	course->end_ns = clock_now();
	course->faults = count_faults() - before;
}

static uint32_t times(const struct taskrt_event *event)
{
	return event->count ? event->count : 1;
}

static int is_sound(const struct taskrt_event *event)
{
	if (!event->count)
		return !event->longest_ns && !event->end_ns;
	return event->count > 1 && event->longest_ns <= event->ns &&
	       event->longest_ns * event->count >= event->ns &&
	       event->end_ns >= event->at_ns + event->ns;
}

/* Between those instants. */
static void check_faults(const struct flight *flight, const struct course *course)
{
	unsigned int i, events = 0, wrong = 0;
	uint64_t faults = 0, ns = 0;

	for (i = 0; i < flight->alert->nr_events; i++) {
		const struct taskrt_event *event = &flight->alert->events[i].event;

		wrong += !is_sound(event);
		if (alert_kind(event) != ALERT_FAULT || event->at_ns + event->ns < course->begin_ns ||
		    event->at_ns > course->end_ns)
			continue;
		events++;
		faults += times(event);
		ns += event->ns;
	}
	tap_equal(wrong, 0, "each event says how many it stands for, and how long they took");
	tap_at_least(faults, course->faults, "all faults are in the alert");
	tap_at_most(events, course->faults / 10, "in few events");
	tap_at_most(ns, course->end_ns - course->begin_ns + MS, "their sum is that of the faults");
}

int main(void)
{
	struct course course;
	struct flight flight;
	const struct alert_event *lock;

	device = device_open();
	flight_open();
	course.pages = mmap(NULL, PAGES * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (course.pages == MAP_FAILED)
		tap_bail("mmap");
	madvise((void *)course.pages, PAGES * sysconf(_SC_PAGESIZE), MADV_NOHUGEPAGE);
	bell_take(&course.culprit, device, TASKRT_TEST_MUTEX);
	flight_observe(&flight, "runs", wait_then_touch, &course);
	bell_end(&course.culprit);
	tap_at_least(course.faults, PAGES, "there were more faults than the recorder has room for");
	lock = flight_find(&flight, TASKRT_STATE_BLOCKED_LOCK, D - MS);
	tap_ok(lock && lock->event.owner_tid == (uint32_t)course.culprit.thread.tid,
	       "the wait before them is still there, with the lock's owner");
	if (!lock)
		alert_print(flight.alert);
	check_faults(&flight, &course);
	flight_close();
	return tap_done();
}
