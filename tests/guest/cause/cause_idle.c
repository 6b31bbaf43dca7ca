// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer is late because its CPU slept deeply, and its exit took long: a window that begins
 * when the thread should have begun to work says that it was the timer, by random times, and
 * its shares sum to the window.  See explained.h for TASKRT_TEST_ROUNDS.
 */
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <taskrt.h>
#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "clock.h"
#include "device.h"
#include "explained.h"
#include "patience.h"
#include "self.h"
#include "tap.h"

#define LEAST	(40 * MS)
#define MOST	(120 * MS)
#define SLEEP	(15 * MS)	/* until the timer expires; the CPU has nothing else to do */
#define EXPIRY	TASKRT_TIMER_EXPIRY

static unsigned int cpu;
static int device, timer;
static uint64_t expiry;		/* of the last wait */

/*
 * The timer is to be late by ns, even if a tick wakes the CPU before, as it mostly does: it is
 * on its way up then when the timer expires.  Return: the time until which to wait.
 */
static struct timespec sleep_deeply(uint64_t ns)
{
	device_idle(device, cpu, SLEEP + ns);
	expiry = clock_now() + SLEEP;
	return (struct timespec){ expiry / SEC, expiry % SEC };
}

static void by_nanosleep(uint64_t ns)
{
	struct timespec at = sleep_deeply(ns);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void by_timerfd(uint64_t ns)
{
	struct itimerspec when = { .it_value = sleep_deeply(ns) };
	uint64_t times;

	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) ||
	    read(timer, &times, sizeof(times)) != sizeof(times))
		tap_bail("a timerfd");
}

static const struct way {
	struct reason reason;
	uint32_t state;
} ways[] = {
#define WAY(words, how, in)						\
	{ { .name = words, .cause = TASKRT_CAUSE_EXPIRY, .make = how,	\
	    .least = LEAST, .most = MOST, .whole = 1, .due = 1 }, in }
	WAY("clock_nanosleep", by_nanosleep, TASKRT_STATE_SLEEPING_TIMER),
	WAY("timerfd", by_timerfd, TASKRT_STATE_SLEEPING_FILE),
};

/* One wait, and what was known before and after it. */
struct wait {
	struct taskrt_reading before, after;
	struct taskrt_window window;
	struct taskrt_explanation why;
	uint32_t exits;		/* that took long */
};

static void look_back(struct wait *wait, struct taskrt_self *self, const struct reason *reason)
{
	const uint32_t exits = device_slept(device);

	self_get(self, &wait->before);
	reason->make(LEAST);
	if (taskrt_window_begin_due(&wait->window, self, 0) || taskrt_window_end(&wait->window) ||
	    taskrt_window_explain(&wait->window, &wait->why, sizeof(wait->why)))
		tap_bail("a window that was due");
	self_get(self, &wait->after);
	wait->exits = device_slept(device) - exits;
}

/* On a busy host the CPU may not have been asleep when the timer expired. */
static int is_late(const struct wait *wait)
{
	return wait->exits && wait->window.begin_ns == expiry &&
	       wait->why.shares[0].cause == TASKRT_CAUSE_EXPIRY && wait->why.shares[0].ns >= LEAST;
}

static void check(struct taskrt_self *self, const struct way *way)
{
	const char *name = way->reason.name;
	struct wait wait;

	do
		look_back(&wait, self, &way->reason);
	while (!is_late(&wait) && patience_lasts());
	tap_at_least(wait.exits, 1, "%s: the CPU slept deeply", name);
	tap_equal(wait.window.flags & TASKRT_WINDOW_DUE, TASKRT_WINDOW_DUE, "%s: it was due", name);
	tap_equal(wait.window.begin_ns, expiry, "%s: at the expiry", name);
	tap_equal(wait.why.shares[0].cause, TASKRT_CAUSE_EXPIRY, "%s: the timer was late", name);
	tap_equal(wait.why.state, way->state, "%s: the thread slept meanwhile", name);
	tap_equal(wait.why.longest.at_ns, expiry, "%s: the longest began at the expiry", name);
	tap_at_least(wait.why.longest.ns, LEAST, "%s: and took as long as it had to", name);
	tap_at_least(wait.after.counts.timers[EXPIRY] - wait.before.counts.timers[EXPIRY], 1,
		     "%s: counted", name);
	tap_at_least(wait.after.times.timers_ns[EXPIRY] - wait.before.times.timers_ns[EXPIRY], LEAST,
		     "%s: in the counters", name);
}

int main(void)
{
	struct taskrt_self *self;
	unsigned int i;

	device = device_open();
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (timer < 0)
		tap_bail("timerfd_create");
	/* The first one has more to do. */
	cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	self = explained_begin(cpu);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		explained_check(self, &ways[i].reason);
		check(self, &ways[i]);
	}
	explained_end(self);
	/* The end of the file ends the state. */
	close(device);
	return tap_done();
}
