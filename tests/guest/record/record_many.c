// SPDX-License-Identifier: GPL-2.0-only
/* More events than there is room for, too many alerts, and alerts of many threads. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alert.h"
#include "clock.h"
#include "modinfo.h"
#include "patience.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define BURST	300

static struct alert_listener listener;
static struct raw raw;

static void arm(uint32_t depth)
{
	const struct recorder_arm how = { .depth = depth };
	struct raw_answer answer;
	int err = recorder_arm(&raw, &how, &answer);

	if (err)
		tap_bail("arming: %s (%s)", strerror(-err), answer.text);
}

/* The next alert of this thread, which has to come. */
static void next_own(void)
{
	if (!alert_of(&listener, gettid()))
		tap_bail("no alert came");
}

static void more_than_fits(uint32_t depth)
{
	uint64_t first, first_ns;

	arm(depth);
	clock_sleep_times(50 * US, 100);
	tap_errno(recorder_insist("wrap", NULL), 0, "depth %u: alert", depth);
	next_own();
	tap_at_least(listener.alert.recorded, 200, "depth %u: all events were counted", depth);
	tap_at_most(listener.alert.nr_events, depth + 1, "depth %u: no more than the last ones",
		    depth);
	tap_at_least(listener.alert.nr_events, depth < 200 ? depth : 200,
		     "depth %u: but all of these",
		     depth);
	first = listener.alert.recorded;
	first_ns = listener.alert.at_ns;
	clock_sleep_times(50 * MS, 1);
	tap_errno(recorder_insist("after", NULL), 0, "depth %u: another one", depth);
	next_own();
	tap_at_most(listener.alert.recorded, first - 1, "depth %u: begins after the one before",
		    depth);
	tap_at_least(listener.alert.events[0].event.at_ns + listener.alert.events[0].event.ns,
		     first_ns, "depth %u: and tells of nothing that was over by then", depth);
}

static void default_depth(void)
{
	arm(0);
	clock_sleep_times(50 * US, 100);
	recorder_must_tell("default");
	next_own();
	tap_ok(listener.alert.nr_events == 64 || listener.alert.nr_events == 65,
	       "the usual depth is 64: %u events", listener.alert.nr_events);
}

/* The number of alerts so far, delivered or lost. */
struct count {
	uint64_t raised, lost, received, missed;
};

/* An alert is counted a moment after its delivery. */
static void count_now(struct count *count)
{
	modinfo_await(TASKRT_INFO_A_ALERTS, listener.alert.seq + 1);
	count->raised = modinfo(TASKRT_INFO_A_ALERTS);
	count->lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	count->received = listener.received;
	count->missed = listener.missed;
}

/* Delivered plus lost alerts are all alerts, in the listener's count and in the module's. */
static void check_count(const struct count *before, uint64_t tried, uint64_t refused)
{
	struct count now;
	uint64_t lost;

	count_now(&now);
	lost = now.lost - before->lost;
	tap_equal(now.raised - before->raised, tried, "INFO counts all that were raised");
	tap_equal(lost, refused, "lost are those that were refused");
	tap_equal(now.received - before->received + lost, tried,
		  "received plus lost is all of them");
	tap_equal(now.missed - before->missed, lost, "the gaps in SEQ are what was lost");
	tap_equal(listener.alert.lost - before->lost, lost, "and LOST of the last one says so");
}

/* Raises one alert of the burst.  Return: was it accepted, or did the rate limit refuse it? */
static int one_too_many(uint64_t *refused)
{
	int err = recorder_tell("burst");

	*refused += err == -EAGAIN;
	return !err || err == -EAGAIN;
}

/*
 * A slow machine may take so long for each alert that none is refused: then the burst goes
 * on without pauses.
 */
static void too_many(void)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE, refused = 0, tried = 0, other = 0;
	struct count before;

	arm(8);
	clock_sleep(2 * SEC);
	recorder_must_tell("before");
	next_own();
	count_now(&before);
	while (tried < BURST || ((!refused || refused == tried) && clock_now() < patience)) {
		other += !one_too_many(&refused);
		if (++tried < BURST)
			clock_sleep(100 * US);
	}
	tap_equal(other, 0, "a burst: accepted, or EAGAIN");
	tap_at_least(refused, 1, "some are refused");
	tap_at_most(refused, tried - 1, "and some are not");
	tried -= refused;
	tap_errno(recorder_insist("after", &refused), 0, "later one is accepted again");
	while (strcmp(listener.alert.tag, "after"))
		next_own();
	check_count(&before, tried + refused + 1, refused);
}

/*
 * A listener that does not read does not disturb others, and learns that it has missed
 * something.
 */
static void deaf(void)
{
	static struct alert_listener second;
	int small = 1;
	unsigned int i;

	alert_open(&second);
	setsockopt(second.raw.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	arm(TASKRT_DEPTH_MAX);
	for (i = 0; i < 5; i++) {
		clock_sleep_times(50 * US, 100);
		if (recorder_insist("deaf", NULL) || !alert_of(&listener, gettid()))
			break;
	}
	tap_equal(i, 5, "a listener receives all, though another does not read");
	alert_drain(&second);
	tap_at_least(second.overrun, 1, "the other one learns that it missed some");
	tap_at_most(second.received, 4, "and takes no part of an alert for a whole one");
	alert_close(&second);
}

struct alerter {
	struct thread thread;
	unsigned int told;
};

static void alert_now_and_then(void *arg)
{
	const struct recorder_arm how = { .depth = 8 };
	struct alerter *alerter = arg;
	struct raw mine;
	int i;

	if (raw_open(&mine) || recorder_arm(&mine, &how, NULL))
		tap_bail("arming");
	for (i = 0; i < 20; i++) {
		alerter->told += !recorder_tell("one of many");
		clock_sleep(20 * MS);
	}
	raw_close(&mine);
}

/* Several threads at a time: the alerts are numbered in the order in which they come. */
static void of_many(void)
{
	struct alerter alerters[6] = { 0 };
	struct count before, now;
	uint64_t told = 0;
	unsigned int i;

	count_now(&before);
	recorder_disarm(&raw, 0);
	for (i = 0; i < 6; i++)
		thread_start(&alerters[i].thread, alert_now_and_then, &alerters[i]);
	for (i = 0; i < 6; i++) {
		thread_join(&alerters[i].thread);
		told += alerters[i].told;
	}
	arm(8);
	recorder_must_tell("the last one");
	next_own();
	/* Alerts that were raised on another CPU may be delivered later. */
	do {
		alert_drain(&listener);
		count_now(&now);
	} while (now.received - before.received < told + 1 && patience_lasts());
	tap_equal(now.received - before.received, told + 1,
		  "several threads: all that was accepted arrived");
	tap_equal(now.missed - before.missed, now.lost - before.lost,
		  "several threads: the gaps are what was lost");
}

int main(void)
{
	alert_open(&listener);
	if (raw_open(&raw))
		tap_bail("no family");
	more_than_fits(TASKRT_DEPTH_MIN);
	more_than_fits(TASKRT_DEPTH_MAX);
	default_depth();
	too_many();
	deaf();
	of_many();
	tap_equal(listener.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)listener.received);
	return tap_done();
}
