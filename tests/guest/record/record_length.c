// SPDX-License-Identifier: GPL-2.0-only
/*
 * Alerts that take several messages: whatever fills the first message, and wherever its
 * last event ends, no event is lost.
 */
#include <linux/taskrt_page.h>
#include <string.h>
#include <unistd.h>

#include "alert.h"
#include "clock.h"
#include "device.h"
#include "recorder.h"
#include "tap.h"

static struct alert_listener listener;
static struct raw raw;
static int device;

static void of_every_length(void)
{
	const struct recorder_arm how = { .depth = TASKRT_DEPTH_MAX, .threshold_ns = SEC };
	char tag[TASKRT_TAG_MAX];
	unsigned int length, locks, told = 0, came = 0, several = 0;

	if (recorder_arm(&raw, &how, NULL))
		tap_bail("arming");
	for (locks = 0; locks < 3; locks++)
		for (length = 0; length < TASKRT_TAG_MAX; length += 4) {
			memset(tag, 'z', length);
			tag[length] = 0;
			if (locks) {
				device_hold(device, TASKRT_TEST_MUTEX,
					    TASKRT_TEST_UNINTERRUPTIBLE, 5 * MS * locks);
				device_take(device, TASKRT_TEST_MUTEX, 0);
			}
			clock_sleep_times(50 * US, 35);
			clock_sleep(60 * MS);
			if (recorder_insist(tag, NULL))
				tap_bail("it may not alert");
			told++;
			if (!alert_of(&listener, gettid()))
				continue;
			came++;
			several += listener.alert.messages > 1;
		}
	tap_equal(came, told, "of every length: each alert came");
	tap_at_least(several, told / 2, "of every length: most in several messages");
}

int main(void)
{
	device = device_open();
	alert_open(&listener);
	if (raw_open(&raw))
		tap_bail("no family");
	of_every_length();
	tap_equal(listener.wrong, 0, "%llu alerts: every promise of the header is kept",
		  (unsigned long long)listener.received);
	return tap_done();
}
