// SPDX-License-Identifier: GPL-2.0-only
/* What a thread has computed between two instants, whatever happened to it meanwhile. */
#include "events.h"
#include "engine/totals.h"
#include "tap.h"

static struct record record;

static void event(enum event_kind kind, u32 arg, u64 at)
{
	const struct event e = { .at = at, .kind = kind, .arg = arg };

	sched_event(&record, &e);
}

static void interrupt(unsigned int timer, u64 since, u64 ns)
{
	record_sched_begin(&record);
	record_interrupt(&record, timer, since, ns);
	record_sched_end(&record);
}

static void begin(u8 state)
{
	record_init(&record, state, 0, 1000);
}

static void undisturbed(void)
{
	begin(TASKRT_STATE_RUNNING);
	tap_equal(record_computed(&record, 1500) - record_computed(&record, 1100), 400,
		  "undisturbed: all of the time");
}

static void interrupted(void)
{
	u64 before;

	begin(TASKRT_STATE_RUNNING);
	interrupt(TASKRT_TIMER_HARDIRQ, 1010, 70);
	before = record_computed(&record, 1100);
	interrupt(TASKRT_TIMER_HARDIRQ, 1110, 10);
	interrupt(TASKRT_TIMER_SOFTIRQ, 1130, 20);
	interrupt(TASKRT_TIMER_STEAL, 1160, 40);
	tap_equal(record_computed(&record, 1300) - before, 130,
		  "interrupted: without what came meanwhile, and only that");
}

static void waits(void)
{
	u64 before;

	begin(TASKRT_STATE_RUNNING);
	before = record_computed(&record, 1100);
	event(OUT, TASKRT_STATE_BLOCKED_IO, 1130);
	event(WAKE, 0, 1400);
	event(IN, 0, 1450);
	event(OUT, TASKRT_STATE_PREEMPTED, 1470);
	event(IN, 0, 1600);
	tap_equal(record_computed(&record, 1605) - before, 30 + 20 + 5,
		  "with waits: the time in which it was running");
}

/* A thread of which no event was seen was running, if it is current. */
static void unseen(void)
{
	u64 before;

	begin(STATE_UNSEEN);
	before = record_computed(&record, 1100);
	tap_equal(record_computed(&record, 1200) - before, 100, "unseen: it is running");
	event(OUT, TASKRT_STATE_BLOCKED_IO, 1250);
	event(WAKE, 0, 1400);
	event(IN, 0, 1450);
	tap_equal(record_computed(&record, 1460) - before, 150 + 10,
		  "unseen: nothing is added by its first event");
}

static void told_too_late(void)
{
	u64 before;

	begin(TASKRT_STATE_RUNNING);
	before = record_computed(&record, 1400);
	interrupt(TASKRT_TIMER_STEAL, 1050, 370);
	tap_equal(record_elapsed(before, record_computed(&record, 1420)), 0,
		  "stolen before: nothing, and not less than that");
	tap_equal(record_elapsed(record_computed(&record, 1420), record_computed(&record, 1410)), 0,
		  "the clock steps back: nothing");
}

static void added(void)
{
	struct totals totals = { 0 };

	begin(TASKRT_STATE_RUNNING);
	interrupt(RECORD_RECLAIM_CPU, 1100, 50);
	interrupt(RECORD_RECLAIM_CPU, 1200, 70);
	totals_of(&totals, &record, 1300, TOTALS_ALL);
	tap_equal(totals.timers_ns[TASKRT_TIMER_RECLAIM_CPU], 120, "added: the sum");
	tap_equal(totals.timers[TASKRT_TIMER_RECLAIM_CPU], 2, "added: the number");
	tap_equal(totals.longest_timers[RECORD_RECLAIM_CPU].at, 1200, "added: the longest one");
	tap_equal(totals.states_ns[TASKRT_STATE_RUNNING], 300, "added: it is running all the time");
	tap_equal(record_timer_number(RECORD_RECLAIM_CPU), TASKRT_TIMER_RECLAIM_CPU, "its number");
}

int main(void)
{
	undisturbed();
	interrupted();
	waits();
	unseen();
	told_too_late();
	added();
	return tap_done();
}
