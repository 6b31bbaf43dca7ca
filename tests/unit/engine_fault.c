// SPDX-License-Identifier: GPL-2.0-only
/* A fault of which only its end shows that there was one; and faults inside faults. */
#include <string.h>

#include "events.h"
#include "engine/totals.h"
#include "tap.h"

static struct record record;

static struct totals totals_at(u64 now)
{
	struct totals totals;

	memset(&totals, 0, sizeof(totals));
	if (!totals_of(&totals, &record, now, TOTALS_ALL))
		tap_bail("no totals");
	return totals;
}

static u64 fault_time(u64 now)
{
	return totals_at(now).timers[TASKRT_TIMER_FAULT].ns;
}

static void begin_maybe(u64 now)
{
	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	record_fault_maybe(&record, now);
}

static void never_ends(void)
{
	begin_maybe(1100);
	tap_equal(fault_time(1200), 0, "until it is known, nobody is told");
	tap_equal(record_in_progress(&record), 0, "nor is it in progress");
	tap_equal(record_wait_state(&record, TASKRT_STATE_SLEEPING), TASKRT_STATE_SLEEPING,
		  "a sleep is what the scheduler says");
	record_fault_settle(&record, false);
	tap_equal(fault_time(1300), 0, "it was none");
	tap_equal(record.fault_depth, 0, "and it is over");
}

static void ends(void)
{
	begin_maybe(1100);
	record_fault_close(&record, true, 1150);
	tap_equal(fault_time(1300), 50, "it was one: its whole time counts");
	tap_equal(record.major_fault_ns, 50, "as that of a major one");
	tap_equal(totals_at(1300).timers[TASKRT_TIMER_FAULT].count, 1, "and is counted once");
}

static void sleeps(void)
{
	begin_maybe(1100);
	record_fault_settle(&record, true);
	tap_equal(record_wait_state(&record, TASKRT_STATE_SLEEPING), TASKRT_STATE_BLOCKED_FAULT,
		  "settled: a sleep is one in a fault");
	tap_equal(record_wait_state(&record, TASKRT_STATE_EXITED), TASKRT_STATE_EXITED,
		  "settled: its end is its end");
	tap_equal(fault_time(1200), 100, "settled: it is in progress since its begin");
	record_fault_settle(&record, false);
	tap_equal(fault_time(1300), 200, "settled: that is not taken back");
	record_fault_end(&record, false, 1400);
	tap_equal(fault_time(1500), 300, "settled: it ends");
}

/* More than the depth can count. */
static void inside(void)
{
	int i;

	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	for (i = 0; i < 300; i++)
		record_fault_begin(&record, 1100);
	tap_equal(fault_time(1200), 100, "300 inside each other: one time");
	for (i = 0; i < 300; i++)
		record_fault_end(&record, false, 1300);
	tap_equal(record.fault_depth, 0, "300 inside each other: all end");
	tap_equal(fault_time(1400), 200, "300 inside each other: with the outermost");
}

int main(void)
{
	never_ends();
	ends();
	sleeps();
	inside();
	return tap_done();
}
