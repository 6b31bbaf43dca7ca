// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of a wait in which the group was throttled: what is asked amid the wait is what is
 * counted at its end, and the states sum to the time at any instant.
 */
#include "events.h"
#include "tap.h"

static struct record record;

static void event(enum event_kind kind, u32 arg, u64 at)
{
	const struct event e = { .at = at, .kind = kind, .arg = arg };

	sched_event(&record, &e);
}

static void throttled(u64 ns)
{
	record_sched_begin(&record);
	record_throttled(&record, ns);
	record_sched_end(&record);
}

/* Return: the sums of all states and the time tracked, as one answer has them, are the same. */
static int ask(struct totals *t, u64 ns, bool now, u64 at)
{
	const struct totals_wait wait = { .throttled_ns = ns, .throttled = now, .known = true };
	u64 sum = 0;
	int i;

	memset(t, 0, sizeof(*t));
	totals_of_wait(t, &record, &wait, at, TOTALS_ALL);
	for (i = 0; i < NR_STATES; i++)
		sum += t->states_ns[i];
	return sum == t->tracked_ns && sum == at - record.tracked_since;
}

static void check(const char *name, u8 state, u64 waited, u64 ns)
{
	const u8 rest = record_unthrottled(state);
	struct totals amid, after;

	tap_ok(ask(&amid, ns, false, record.since + waited), "%s: adds up amid the wait", name);
	tap_equal(amid.states_ns[rest], waited - ns, "%s: the rest, amid the wait", name);
	tap_equal(amid.states_ns[TASKRT_STATE_THROTTLED], ns, "%s: the part, amid the wait", name);
	tap_equal(amid.state, rest, "%s: it is no longer throttled", name);
	ask(&after, ns, true, record.since + waited);
	tap_equal(after.state, TASKRT_STATE_THROTTLED, "%s: it is throttled", name);
	record.state |= STATE_OBSERVED;
	throttled(ns);
	tap_equal(record.state, rest | STATE_OBSERVED, "%s: its state, and its mark", name);
	event(IN, 0, record.since + waited - ns);
	record.state &= ~STATE_OBSERVED;
	tap_ok(ask(&after, ns, false, record.since), "%s: adds up when it runs", name);
	tap_equal(after.states_ns[rest], amid.states_ns[rest], "%s: the rest, at the end", name);
	tap_equal(after.states_ns[TASKRT_STATE_THROTTLED], ns, "%s: the part, at the end", name);
	tap_equal(after.states[rest], 1, "%s: one wait", name);
	tap_equal(after.states[TASKRT_STATE_THROTTLED], 1, "%s: one part", name);
	tap_equal(after.longest_states[TASKRT_STATE_THROTTLED].ns, ns, "%s: the longest", name);
	tap_equal(amid.queue_ns, waited, "%s: the queue time is whole", name);
	tap_equal(after.longest_states[TASKRT_STATE_RUNNING].ns, 100, "%s: and it ran", name);
}

static void switched_out(u8 state, u64 waited, u64 ns, const char *name)
{
	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	event(OUT, state, 1100);
	check(name, state, waited, ns);
}

static void woken(u32 as_throttled, const char *name)
{
	struct totals t;

	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	event(OUT, TASKRT_STATE_SLEEPING, 1100);
	event(WAKE, as_throttled, 1150);
	check(name, as_throttled ? TASKRT_STATE_THROTTLED : TASKRT_STATE_WOKEN, 70, 30);
	ask(&t, 0, false, record.since);
	tap_equal(t.values[TASKRT_VALUE_WAKEUPS], 1, "%s: one wake-up", name);
}

/* More than the wait cannot be: the reader is earlier than the clock of the group. */
static void too_much(void)
{
	struct totals t;

	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	event(OUT, TASKRT_STATE_PREEMPTED, 1100);
	tap_ok(ask(&t, 500, false, 1110), "too much: adds up");
	tap_equal(t.states_ns[TASKRT_STATE_THROTTLED], 10, "too much: all of the wait");
}

/* A thread that runs is not throttled, even if its group is. */
static void not_queued(void)
{
	struct totals t;

	record_init(&record, TASKRT_STATE_RUNNING, 0, 1000);
	tap_ok(ask(&t, 50, true, 1100), "running: adds up");
	tap_equal(t.state, TASKRT_STATE_RUNNING, "running: it is");
	tap_equal(t.states_ns[TASKRT_STATE_THROTTLED], 0, "running: nothing is throttled");
}

int main(void)
{
	switched_out(TASKRT_STATE_PREEMPTED, 80, 50, "preempted");
	switched_out(TASKRT_STATE_YIELDED, 80, 50, "yielded");
	switched_out(TASKRT_STATE_THROTTLED, 80, 50, "throttled");
	switched_out(TASKRT_STATE_THROTTLED, 80, 80, "throttled to the end");
	woken(0, "woken");
	woken(1, "woken amid it");
	too_much();
	not_queued();
	return tap_done();
}
