// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much later than asked for the timer slack of a thread permits its wake-up: in the alert,
 * and in the line of a deadline.
 */
#include <string.h>
#include <sys/prctl.h>

#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "clock.h"
#include "flight.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define SLACK	(25 * MS)
#define D	(60 * MS)

struct sleeper {
	uint64_t slack;			/* as the thread asks for it */
	int fifo;
};

static void sleep_with_slack(void *arg)
{
	const struct sleeper *sleeper = arg;

	if (prctl(PR_SET_TIMERSLACK, sleeper->slack))
		tap_bail("timer slack");
	if (sleeper->fifo)
		thread_fifo(10);
	clock_sleep(D);
}

static void in_an_alert(const char *name, uint64_t slack, int fifo, uint64_t expected)
{
	struct sleeper sleeper = { slack, fifo };
	const struct alert_event *event;
	struct flight flight;

	do {
		flight_observe(&flight, name, sleep_with_slack, &sleeper);
		event = alert_longest(flight.alert, TASKRT_STATE_SLEEPING_TIMER);
	} while ((!event || event->event.ns < D / 2) && patience_lasts());
	if (!tap_ok(event && event->event.slack_ns == expected, "%s: the slack", name))
		alert_print(flight.alert);
}

/* @line: of the deadline, whose work was due before the thread slept */
static void be_late(uint64_t slack, char *line, size_t size)
{
	struct taskrt_deadline *deadline;
	uint64_t due;

	if (prctl(PR_SET_TIMERSLACK, slack) || taskrt_deadline_open(&deadline, 0, MS))
		tap_bail("a deadline with timer slack");
	do {
		due = clock_now();
		clock_sleep(D);
		taskrt_deadline_begin_due(deadline, due);
		taskrt_deadline_end(deadline);
		line[0] = 0;
		taskrt_deadline_next(deadline, line, size, 0);
		/* On a busy host the timer may expire before anybody sleeps. */
	} while (!strstr(line, ": timer ") && patience_lasts());
	taskrt_deadline_close(deadline);
}

static void in_a_line(void *unused)
{
	char line[1000];

	(void)unused;
	be_late(SLACK, line, sizeof(line));
	tap_ok(strstr(line, ", timer slack up to 25.000 ms") != NULL, "a deadline says it: %s", line);
	be_late(1, line, sizeof(line));
	tap_ok(strstr(line, ": timer ") && !strstr(line, "slack"), "unless it is next to nothing: %s",
	       line);
	thread_fifo(10);
	be_late(SLACK, line, sizeof(line));
	tap_ok(strstr(line, ": timer ") && !strstr(line, "slack"),
	       "nor of a real-time thread, which has none: %s", line);
}

int main(void)
{
	struct thread thread;

	flight_open();
	in_an_alert("slack", SLACK, 0, SLACK);
	in_an_alert("real time", SLACK, 1, 0);
	thread_start(&thread, in_a_line, NULL);
	thread_join(&thread);
	flight_close();
	return tap_done();
}
