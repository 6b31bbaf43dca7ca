// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counts are those of finished intervals: as many sleeps as there were, as many turns
 * on the CPU as the kernel counts switches, as many faults and lock waits.  An interval in
 * progress is not counted, though its time is.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define TIMES	50
#define PAGES	64

static int device;

static void sleep_often(void *unused)
{
	(void)unused;
	/* On PREEMPT_RT some waits are for the handler of the timer. */
	clock_sleep_times(100 * US, 2 * TIMES);
}

/* A wait may be over before it has begun, and sometimes it is a wait for something else. */
static void wait_for_io(void *unused)
{
	uint64_t end = clock_waits() + 4 * TIMES;

	(void)unused;
	while (clock_waits() < end)
		device_delay(device, TASKRT_TEST_IO, 100 * US);
}

static void touch(void *arg)
{
	volatile char *area = arg;
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		area[i * sysconf(_SC_PAGESIZE)] = 1;
}

/*
 * For a thread that reads itself and was tracked from its first instant on: each time that
 * it left the CPU finished a turn on the CPU, and the present turn is not finished.  The
 * kernel's own count is read last, and may be ahead by a switch in between.
 */
static void check_turns(const struct taskrt_reading *reading, const char *name)
{
	const uint64_t switches = VALUE(*reading, VOLUNTARY_SWITCHES) +
				  VALUE(*reading, INVOLUNTARY_SWITCHES);
	const __u64 *states = reading->counts.states;

	tap_at_most(states[TASKRT_STATE_RUNNING], switches,
		    "%s: no more turns have ended than there were switches", name);
	tap_at_least(states[TASKRT_STATE_RUNNING] + 1, switches,
		     "%s: and as many, but for one in the middle of the query", name);
	tap_equal(states[TASKRT_STATE_PREEMPTED] + states[TASKRT_STATE_WOKEN],
		  states[TASKRT_STATE_RUNNING] + 1, "%s: each turn was waited for, this one, too",
		  name);
}

static void check_window(const struct window *window, unsigned int state, uint64_t least,
			 const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	tap_at_least(delta->counts.states[state], least, "%s: each is counted", name);
	tap_at_least(VALUE(*delta, VOLUNTARY_SWITCHES), delta->counts.states[state],
		     "%s: and no other: each has left the CPU", name);
	tap_at_least(VALUE(*delta, WAKEUPS), delta->counts.states[state],
		     "%s: and was woken", name);
	check_turns(&window->before, name);
	check_turns(&window->after, name);
}

static void sleeps(void)
{
	struct window window;

	window_observe(&window, sleep_often, NULL);
	check_window(&window, TASKRT_STATE_SLEEPING_TIMER, TIMES, "sleeps");
	window_observe(&window, wait_for_io, NULL);
	check_window(&window, TASKRT_STATE_BLOCKED_IO, TIMES, "waits for I/O");
}

static void faults(void)
{
	void *area = mmap(NULL, PAGES * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct window window;
	const struct taskrt_reading *delta = &window.delta;

	if (area == MAP_FAILED)
		tap_bail("mmap");
	madvise(area, PAGES * sysconf(_SC_PAGESIZE), MADV_NOHUGEPAGE);
	window_observe(&window, touch, area);
	tap_at_least(delta->counts.timers[TASKRT_TIMER_FAULT], PAGES, "faults: each is counted");
	/* A fault that was retried is two intervals, and one fault. */
	tap_at_least(delta->counts.timers[TASKRT_TIMER_FAULT],
		     VALUE(*delta, MINOR_FAULTS) + VALUE(*delta, MAJOR_FAULTS),
		     "faults: no fewer than the kernel counts");
	tap_at_most(delta->counts.timers[TASKRT_TIMER_FAULT], PAGES + PAGES / 2,
		    "faults: and hardly more");
	munmap(area, PAGES * sysconf(_SC_PAGESIZE));
}

/* Ends the caller's wait after it has lasted long enough. */
static void take_mutex(void *culprit)
{
	bell_drop_after(culprit, 0, 20 * MS);
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

static void locks(void)
{
	struct window window;
	const struct taskrt_counts *counts = &window.delta.counts;
	struct bell_culprit culprit;
	uint64_t sum;

	bell_take(&culprit, device, TASKRT_TEST_MUTEX);
	window_observe(&window, take_mutex, &culprit);
	bell_end(&culprit);
	sum = window_sum(counts->locks, TASKRT_LOCKS_ROOM);
	tap_at_least(sum, 1, "a lock: it is counted");
	tap_equal(counts->timers[TASKRT_TIMER_LOCK], sum, "a lock: the kinds sum to the timer's");
	tap_at_least(counts->states[TASKRT_STATE_BLOCKED_LOCK], 1, "a lock: asleep for it");
}

static void sleep_long(void *unused)
{
	(void)unused;
	bell_sleep(SEC / 2);
}

/* The time of an interval in progress grows, the count does not. */
static void in_progress(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading first, second;
	const unsigned int state = TASKRT_STATE_SLEEPING_TIMER;
	struct thread sleeper;

	do {
		thread_start(&sleeper, sleep_long, NULL);
		state_await(handle, sleeper.tid, state, &first);
		clock_sleep(20 * MS);
		if (window_ask(handle, TASKRT_ENTITY_THREAD, sleeper.tid, &second))
			second.stats.state = TASKRT_STATE_EXITED;
		thread_join(&sleeper);
		/* On a busy host the second query may come too late. */
	} while ((second.stats.state != state ||
		  second.longests.states[state].at_ns != first.longests.states[state].at_ns) &&
		 patience_lasts());
	tap_at_least(second.times.states_ns[state], first.times.states_ns[state] + 20 * MS,
		     "in progress: its time grows");
	tap_equal(second.counts.states[state], first.counts.states[state],
		  "in progress: it is not counted");
	tap_at_least(second.longests.states[state].ns, 20 * MS, "in progress: it is the longest");
	taskrt_close(handle);
}

int main(void)
{
	device = device_open();
	sleeps();
	faults();
	locks();
	in_progress();
	return tap_done();
}
