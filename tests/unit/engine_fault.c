// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fault of which only its end shows that there was one; faults inside faults; and for how long
 * the thread itself has computed in one, whatever happened to it.
 */
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
	return totals_at(now).timers_ns[TASKRT_TIMER_FAULT];
}

static u64 computed(void)
{
	return totals_at(9000).timers_ns[TASKRT_TIMER_FAULT_CPU];
}

static void start(void)
{
	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
}

static void event(enum event_kind kind, u32 arg, u64 at)
{
	const struct event e = { .at = at, .kind = kind, .arg = arg };

	drive(&record, &e);
}

static void begin(u64 at)
{
	event(FAULT, 0, at);
}

static void end(u64 at)
{
	event(FAULT_END, 0, at);
}

static void interrupt(unsigned int timer, u64 since, u64 ns)
{
	record_sched_begin(&record);
	record_interrupt(&record, timer, since, ns);
	record_sched_end(&record);
}

static void begin_speculative(u64 now)
{
	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	record_fault_speculative(&record, record_fault_seq(&record), now);
}

static void never_ends(void)
{
	begin_speculative(1100);
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
	begin_speculative(1100);
	record_fault_close(&record, true, 1150);
	tap_equal(fault_time(1300), 50, "it was one: its whole time counts");
	tap_equal(record.major_fault_ns, 50, "as that of a major one");
	tap_equal(totals_at(1300).timers[TASKRT_TIMER_FAULT], 1, "and is counted once");
}

static void sleeps(void)
{
	begin_speculative(1100);
	record_fault_settle(&record, true);
	tap_equal(record_wait_state(&record, TASKRT_STATE_SLEEPING), TASKRT_STATE_BLOCKED_FAULT,
		  "settled: a sleep is one in a fault");
	tap_equal(record_wait_state(&record, TASKRT_STATE_EXITED), TASKRT_STATE_EXITED,
		  "settled: its end is its end");
	tap_equal(fault_time(1200), 100, "settled: it is in progress since its begin");
	record_fault_settle(&record, false);
	tap_equal(fault_time(1300), 200, "settled: that is not taken back");
	end(1400);
	tap_equal(fault_time(1500), 300, "settled: it ends");
}

/* More than the depth can count. */
static void inside(void)
{
	int i;

	start();
	for (i = 0; i < 300; i++)
		begin(1100);
	tap_equal(fault_time(1200), 100, "300 inside each other: one time");
	for (i = 0; i < 300; i++)
		end(1300);
	tap_equal(record.fault_depth, 0, "300 inside each other: all end");
	tap_equal(fault_time(1400), 200, "300 inside each other: with the outermost");
}

static void undisturbed(void)
{
	start();
	interrupt(TASKRT_TIMER_HARDIRQ, 1010, 70);
	begin(1100);
	end(1150);
	tap_equal(computed(), 50, "alone: all of it");
	begin(1200);
	end(1190);
	tap_equal(computed(), 50, "alone: the clock steps back, and it is 0");
	tap_equal(totals_at(9000).timers[TASKRT_TIMER_FAULT_CPU], 2, "alone: two of them");
}

/* Each of the parts is left out, and what was before and comes after does not count. */
static void disturbed(void)
{
	start();
	interrupt(TASKRT_TIMER_SOFTIRQ, 1010, 70);
	begin(1100);
	interrupt(TASKRT_TIMER_HARDIRQ, 1110, 10);
	interrupt(TASKRT_TIMER_SOFTIRQ, 1130, 20);
	interrupt(TASKRT_TIMER_STEAL, 1160, 40);
	interrupt(RECORD_RECLAIM_CPU, 1210, 60);
	end(1300);
	interrupt(TASKRT_TIMER_HARDIRQ, 1310, 30);
	tap_equal(computed(), 200 - 10 - 20 - 40 - 60, "with interrupts: without them, and reclaim");
	tap_equal(fault_time(1400), 200, "with interrupts: the fault itself is as long as it was");
}

/* Stolen time is known only later: it may be longer than the fault in which that happens. */
static void stolen_before(void)
{
	start();
	begin(1400);
	interrupt(TASKRT_TIMER_STEAL, 1050, 370);
	end(1420);
	tap_equal(computed(), 0, "stolen before: nothing, and not less than that");
}

static void sleeping(void)
{
	start();
	begin(1100);
	event(OUT, TASKRT_STATE_BLOCKED_IO, 1130);
	event(WAKE, 0, 1400);
	event(IN, 0, 1450);
	interrupt(TASKRT_TIMER_HARDIRQ, 1455, 5);
	event(OUT, TASKRT_STATE_PREEMPTED, 1470);
	event(IN, 0, 1600);
	end(1607);
	tap_equal(computed(), 30 + 15 + 7, "asleep and preempted in it: the time in which it ran");
	event(OUT, TASKRT_STATE_SLEEPING, 1700);
	tap_equal(totals_at(1800).states_ns[TASKRT_STATE_RUNNING], 100 + 30 + 20 + 100,
		  "asleep and preempted in it: a part of the state running");
}

/* It was running before its first event, so that adds nothing. */
static void unseen(void)
{
	record_init(&record, STATE_UNSEEN, TASKRT_STATE_SLEEPING, 1000);
	begin(1100);
	event(OUT, TASKRT_STATE_BLOCKED_IO, 1130);
	event(WAKE, 0, 1400);
	event(IN, 0, 1450);
	end(1460);
	tap_equal(computed(), 30 + 10, "of a thread that was not seen before");
}

/* An interrupt between the reading of the clock and that of the record. */
static void raced(void)
{
	u32 seq;

	start();
	seq = record_fault_seq(&record);
	interrupt(TASKRT_TIMER_HARDIRQ, 1100, 30);
	tap_equal(record_fault_begin(&record, seq, 1100), 0, "an interrupt as it begins: not yet");
	tap_equal(record.fault_depth, 0, "an interrupt as it begins: nothing has changed");
	tap_equal(record_fault_begin(&record, record_fault_seq(&record), 1130), 1,
		  "an interrupt as it begins: again");
	interrupt(TASKRT_TIMER_HARDIRQ, 1140, 10);
	tap_equal(record_fault_end_plain(&record, false, 1160), 0, "an interrupt in it: not plain");
	seq = record_fault_seq(&record);
	interrupt(TASKRT_TIMER_HARDIRQ, 1160, 30);
	tap_equal(record_fault_end(&record, false, seq, 1160), 0,
		  "an interrupt as it ends: not yet");
	tap_equal(fault_time(1200), 70, "an interrupt as it ends: it is in progress");
	tap_equal(record_fault_end(&record, false, record_fault_seq(&record), 1190), 1,
		  "an interrupt as it ends: again");
	tap_equal(computed(), 60 - 10 - 30, "interrupts at both ends: exact");
}

/* What has ended in the time of reclaim is not that of reclaim as well. */
static void inside_reclaim(void)
{
	u64 before;

	start();
	before = record_computed(&record, 1100);
	begin(1110);
	end(1150);
	tap_equal(record_computed(&record, 1200) - before, 60, "inside reclaim: not in both");
}

static void speculative(void)
{
	begin_speculative(1100);
	interrupt(TASKRT_TIMER_HARDIRQ, 1110, 10);
	record_fault_settle(&record, true);
	end(1150);
	tap_equal(computed(), 40, "one of which only its end shows it");
	begin_speculative(1100);
	record_fault_settle(&record, false);
	end(1150);
	tap_equal(computed(), 0, "one that was none");
}

/* Where it left the fault is not known. */
static void forgotten(void)
{
	start();
	begin(1100);
	record_fault_forget(&record);
	end(5000);
	tap_equal(fault_time(9000), 3900, "left, it is not known when: a fault");
	tap_equal(computed(), 0, "left, it is not known when: but no computing in it");
}

int main(void)
{
	never_ends();
	ends();
	sleeps();
	inside();
	undisturbed();
	disturbed();
	stolen_before();
	sleeping();
	unseen();
	raced();
	inside_reclaim();
	speculative();
	forgotten();
	return tap_done();
}
