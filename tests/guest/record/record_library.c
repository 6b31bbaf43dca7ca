// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library arms threads, raises and collects alerts: what it returns is what was in the
 * messages.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <taskrt.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "device.h"
#include "module.h"
#include "self.h"
#include "tap.h"
#include "window.h"

#define LONG	(60 * MS)

static struct alert_listener listener;
static struct taskrt_alerts *alerts;
static struct taskrt *handle;
static struct taskrt_self *self;
static int device;

static const struct taskrt_alert *next(void)
{
	static struct taskrt_alert alert;
	int got = taskrt_alerts_next(alerts, CLOCK_PATIENCE_MS, &alert, sizeof(alert));

	if (got != 1)
		tap_bail("taskrt_alerts_next: %d (%s)", got, taskrt_alerts_error(alerts));
	return &alert;
}

static int same_text(const char *mine, const char *wire)
{
	return mine ? !strcmp(mine, wire) : !wire[0];
}

static int same_event(const struct taskrt_alert_event *mine, const struct alert_event *wire)
{
	unsigned int i;

	if (memcmp(&mine->event, &wire->event, sizeof(mine->event)) ||
	    !same_text(mine->caller, wire->caller) || mine->nr_frames != wire->nr_frames)
		return 0;
	for (i = 0; i < mine->nr_frames; i++)
		if (strcmp(mine->frames[i], wire->frames[i]))
			return 0;
	return 1;
}

static int same(const struct taskrt_alert *mine, const struct alert *wire)
{
	struct taskrt_alert_event event;
	unsigned int i;

	if (mine->seq != wire->seq || mine->lost != wire->lost || mine->at_ns != wire->at_ns ||
	    mine->begin_ns != wire->begin_ns ||
	    mine->recorded != wire->recorded || (uint32_t)mine->tid != wire->tid ||
	    (uint32_t)mine->tgid != wire->tgid || mine->reason != wire->reason ||
	    strcmp(mine->comm, wire->comm) || strcmp(mine->tag, wire->tag) ||
	    mine->nr_events != wire->nr_events)
		return 0;
	for (i = 0; i < mine->nr_events; i++)
		if (taskrt_alerts_event(alerts, i, &event, sizeof(event)) ||
		    !same_event(&event, &wire->events[i]))
			return 0;
	return taskrt_alerts_event(alerts, i, &event, sizeof(event)) == -ENOENT;
}

static void live(unsigned int times)
{
	while (times--) {
		clock_sleep(100 * US);
		device_delay(device, TASKRT_TEST_IO, 100 * US);
	}
}

static void check_same(const char *name)
{
	const struct taskrt_alert *mine = next();

	if (!alert_of(&listener, gettid()))
		tap_bail("no alert came");
	if (!tap_ok(same(mine, &listener.alert), "%s: the same as on the wire", name))
		alert_print(&listener.alert);
	tap_equal(mine->gap, 0, "%s: none is missing", name);
}

/* Tries again while the rate limit refuses it. */
static int tell(const char *tag)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	int err;

	while ((err = taskrt_self_alert(self, tag, 4711)) == -EAGAIN && clock_now() < patience)
		clock_sleep(50 * MS);
	return err;
}

static void told(uint32_t depth)
{
	const struct taskrt_recorder_options options = { .depth = depth, .threshold_ns = MS };
	int err = taskrt_recorder_arm(handle, 0, &options, sizeof(options));

	if (err)
		tap_bail("taskrt_recorder_arm: %s (%s)", strerror(-err), taskrt_error(handle));
	live(70);
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, LONG);
	device_take(device, TASKRT_TEST_MUTEX, 0);
	tap_errno(tell("by the library"), 0, "depth %u: alert", depth);
	check_same(depth == TASKRT_DEPTH_MAX ? "many events" : "few events");
}

/* What both have received until now, and whether it was the same. */
struct heard {
	int by_itself, different, missed;
};

static void hear(struct heard *heard)
{
	const struct taskrt_alert *mine;
	int err;

	/* Armed anew, so that the alert is not refused: a refusal would be a gap before it. */
	taskrt_recorder_arm(handle, 0, NULL, 0);
	err = tell("mark");
	if (err)
		tap_bail("alerting: %s", strerror(-err));
	do {
		mine = next();
		if (!alert_of(&listener, gettid()))
			tap_bail("no alert came");
		heard->different += !same(mine, &listener.alert);
		heard->missed += mine->gap != 0;
		heard->by_itself += listener.alert.reason == TASKRT_REASON_OVER;
	} while (strcmp(listener.alert.tag, "mark"));
}

/* On a busy host a wait may be over before it has begun: that raises nothing. */
static void by_itself(void)
{
	const struct taskrt_recorder_options options = {
		.alert_over_ns = LONG, .states = 1U << TASKRT_STATE_BLOCKED_IO,
	};
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct heard heard = { 0 };

	do {
		taskrt_recorder_arm(handle, 0, &options, sizeof(options));
		device_delay(device, TASKRT_TEST_IO, 2 * LONG);
		hear(&heard);
	} while (!heard.by_itself && clock_now() < patience);
	tap_equal(heard.different, 0, "by itself: the same as on the wire");
	tap_equal(heard.missed, 0, "by itself: none is missing");
	tap_at_least(heard.by_itself, 1, "by itself: says so");
	tap_ok(!strcmp(taskrt_reason_name(TASKRT_REASON_OVER), "over"), "by itself: has a name");
}

static void too_long_a_tag(void)
{
	char tag[200];

	memset(tag, 'y', sizeof(tag));
	tag[sizeof(tag) - 1] = 0;
	taskrt_recorder_arm(handle, 0, NULL, 0);
	tap_errno(tell(tag), 0, "a long tag");
	check_same("a long tag");
	tap_equal(strlen(listener.alert.tag), TASKRT_TAG_MAX - 1, "a long tag: is cut off");
	/* Armed anew it has room for one more, whether or not the first one is delivered yet. */
	taskrt_recorder_arm(handle, 0, NULL, 0);
	tap_errno(tell(NULL), 0, "no tag");
	check_same("no tag");
}

static void errors(void)
{
	struct taskrt_recorder_options options = { .depth = TASKRT_DEPTH_MAX + 1 };
	struct taskrt_alert alert;

	tap_errno(taskrt_recorder_disarm(handle, 0), 0, "disarm");
	tap_errno(taskrt_recorder_disarm(handle, 0), -ENODATA, "disarm once more");
	tap_errno(taskrt_self_alert(self, "x", 0), -ENODATA, "alert when not armed");
	tap_ok(taskrt_recorder_arm(handle, 0, &options, sizeof(options)) < 0,
	       "a depth out of range: %s", taskrt_error(handle));
	tap_errno(taskrt_recorder_arm(handle, 0x7fffffff, NULL, 0), -ESRCH, "nobody");
	tap_equal(taskrt_alerts_next(alerts, 0, &alert, sizeof(alert)), 0, "no alert, no waiting");
	tap_equal(taskrt_alerts_next(alerts, 50, &alert, sizeof(alert)), 0,
		  "no alert, some waiting");
}

static int collect_as_user(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct taskrt_alerts *mine;

	(void)unused;
	ask_become(&user);
	return taskrt_alerts_open(&mine);
}

/* poll(2) reports an alert. */
static void polled(void)
{
	struct pollfd ready = { .fd = taskrt_alerts_fd(alerts), .events = POLLIN };

	taskrt_recorder_arm(handle, 0, NULL, 0);
	tap_equal(poll(&ready, 1, 0), 0, "nothing to read yet");
	tap_errno(tell("poll"), 0, "an alert to be polled for");
	tap_equal(poll(&ready, 1, CLOCK_PATIENCE_MS), 1, "something to read");
	check_same("polled");
}

static void module_goes(void)
{
	struct taskrt_alert alert;
	int got;

	taskrt_self_close(self);
	if (module_remove(MODULE_TASKRT))
		tap_bail("removing");
	got = taskrt_alerts_next(alerts, CLOCK_PATIENCE_MS, &alert, sizeof(alert));
	tap_errno(got, -ENODEV, "the module is removed: the collector learns it");
	module_again("");
}

int main(void)
{
	int err;

	device = device_open();
	alert_open(&listener);
	handle = window_open();
	self = self_open();
	err = taskrt_alerts_open(&alerts);
	if (err)
		tap_bail("taskrt_alerts_open: %s", strerror(-err));
	tap_errno(ask_in_child(collect_as_user, NULL), EPERM, "a user collects nothing");
	told(4);
	told(TASKRT_DEPTH_MAX);
	by_itself();
	too_long_a_tag();
	polled();
	errors();
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	module_goes();
	taskrt_alerts_close(alerts);
	taskrt_close(handle);
	alert_close(&listener);
	return tap_done();
}
