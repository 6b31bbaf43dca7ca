// SPDX-License-Identifier: GPL-2.0-only
/* The engine against the table of engine_sequences.h. */
#include <stdio.h>
#include <string.h>

#include "engine_sequences.h"
#include "tap.h"

#define UNWRITTEN	0xa5a5a5a5a5a5a5a5ULL

static int failures;

static void same(const char *what, u64 got, u64 expected)
{
	if (got == expected)
		return;
	tap_diag("%s: %llu, expected %llu", what, (unsigned long long)got,
		 (unsigned long long)expected);
	failures++;
}

static u64 amount(const struct amount *amounts, size_t n, u8 index)
{
	u64 sum = 0;

	for (size_t i = 0; i < n; i++)
		if (amounts[i].index == index)
			sum += amounts[i].ns;
	return sum;
}

#define AMOUNT(array, index)	amount(array, sizeof(array) / sizeof((array)[0]), index)

static void compare_times(const struct sequence *s, const struct totals *t)
{
	u64 sum = 0, contention = 0, waits = 0;
	char what[32];
	int i;

	for (i = 0; i < NR_STATES; i++) {
		snprintf(what, sizeof(what), "state %d", i);
		same(what, t->states[i].ns, AMOUNT(s->states, i));
		sum += t->states[i].ns;
	}
	for (i = 0; i < NR_LOCKS; i++) {
		snprintf(what, sizeof(what), "lock kind %d", i);
		same(what, t->locks[i].ns, AMOUNT(s->lock_ns, i));
		same(what, t->locks[i].count, AMOUNT(s->lock_count, i));
		contention += t->locks[i].ns;
		waits += t->locks[i].count;
	}
	same("tracked", t->tracked_ns, sum);
	same("contention", t->timers[TASKRT_TIMER_LOCK].ns, contention);
	same("finished waits", t->timers[TASKRT_TIMER_LOCK].count, waits);
	same("cpu", t->cpu_ns, AMOUNT(s->states, TASKRT_STATE_RUNNING));
	same("queue", t->queue_ns, AMOUNT(s->states, TASKRT_STATE_PREEMPTED) +
				   AMOUNT(s->states, TASKRT_STATE_WOKEN) +
				   AMOUNT(s->states, TASKRT_STATE_THROTTLED) +
				   AMOUNT(s->states, TASKRT_STATE_YIELDED));
	same("fault", t->timers[TASKRT_TIMER_FAULT].ns, s->fault_ns);
	same("finished faults", t->timers[TASKRT_TIMER_FAULT].count, s->faults);
	same("fault, computing", t->timers[RECORD_FAULT_CPU].ns, s->fault_cpu_ns);
	same("finished faults, computing", t->timers[RECORD_FAULT_CPU].count, s->faults);
	same("longest fault, computing", t->timers[RECORD_FAULT_CPU].longest.ns, 0);
	same("minor", t->values[TASKRT_VALUE_MINOR_FAULT_NS], s->minor_ns);
	same("major", t->values[TASKRT_VALUE_MAJOR_FAULT_NS], s->major_ns);
	same("wake-ups", t->values[TASKRT_VALUE_WAKEUPS], s->wakeups);
	same("late timers", t->timers[RECORD_EXPIRY].ns, s->late_ns);
	same("wake-ups by timers", t->timers[RECORD_EXPIRY].count, s->expiries);
}

/* Where the sequence says anything of them. */
static void compare_finished(const struct sequence *s, const struct totals *t)
{
	char what[32];
	int i;

	for (i = 0; i < NR_STATES && s->finished[0].ns; i++) {
		snprintf(what, sizeof(what), "finished of state %d", i);
		same(what, t->states[i].count, AMOUNT(s->finished, i));
	}
}

static void compare_longest(const struct sequence *s, const struct totals *t)
{
	const struct record_longest *state = &t->states[s->longest_of.index].longest;
	const struct record_longest *fault = &t->timers[TASKRT_TIMER_FAULT].longest;
	const struct record_longest *lock = &t->timers[TASKRT_TIMER_LOCK].longest;
	const struct record_longest *late = &t->timers[RECORD_EXPIRY].longest;

	same("the latest timer", late->ns, s->latest.ns);
	same("the latest timer's expiry", late->at, s->latest.at);
	same("longest fault", fault->ns, s->fault_longest.ns);
	same("longest lock", lock->ns, s->lock_longest.ns);
	if (s->fault_longest.ns)
		same("longest fault's begin", fault->at, s->fault_longest.at);
	if (s->lock_longest.ns)
		same("longest lock's begin", lock->at, s->lock_longest.at);
	if (s->longest_of.ns) {
		same("longest state", state->ns, s->longest_of.ns);
		same("longest state's begin", state->at, s->longest_at);
	}
}

static void compare_parts(const struct record_time *part, const struct record_time *whole, int n,
			  u32 groups)
{
	for (; n--; part++, whole++) {
		same("a group's time", part->ns, whole->ns);
		same("a group's count", part->count,
		     groups & TASKRT_GROUP_COUNTS ? whole->count : UNWRITTEN);
		same("a group's longest", part->longest.ns,
		     groups & TOTALS_LONGEST ? whole->longest.ns : UNWRITTEN);
		same("a group's longest's begin", part->longest.at,
		     groups & TOTALS_LONGEST ? whole->longest.at : UNWRITTEN);
	}
}

/* Fewer groups say the same, and what belongs to no other is not written. */
static void compare_groups(const struct record *r, u64 asked, const struct totals *whole)
{
	struct totals part;
	u32 groups;
	int i;

	for (groups = 0; groups < TOTALS_ALL; groups++) {
		memset(&part, UNWRITTEN & 0xff, sizeof(part));
		totals_of(&part, r, asked, groups);
		same("a group's cpu", part.cpu_ns, whole->cpu_ns);
		same("a group's queue", part.queue_ns, whole->queue_ns);
		same("a group's tracked", part.tracked_ns, whole->tracked_ns);
		compare_parts(part.states, whole->states, NR_STATES, groups);
		compare_parts(part.timers, whole->timers, NR_TIMERS, groups);
		for (i = 0; i < NR_LOCKS; i++)
			same("a group's lock", part.locks[i].ns, whole->locks[i].ns);
		for (i = 0; i < NR_VALUES; i++)
			same("a group's value", part.values[i],
			     groups & TASKRT_GROUP_COUNTS ? whole->values[i] : UNWRITTEN);
		for (i = 0; i < NR_STATES; i++)
			same("a group's site", part.sites[i],
			     groups & TASKRT_GROUP_SITES ? whole->sites[i] :
							   UNWRITTEN & 0xffffffff);
	}
}

static void run(const struct sequence *s)
{
	const struct event *e = s->events;
	struct record record, copy;
	struct totals totals = { 0 };
	u64 at;

	record_init(&record, s->start, s->guess, s->begun);
	for (; e < s->events + MANY && (e->at || e->kind || e->arg); e++)
		drive(&record, e);
	same("readers would be kept out", (record.sched_seq | record.self_seq) & 1, 0);
	copy = record;
	at = totals_of(&totals, &record, s->asked, TOTALS_ALL);
	same("sample", at, s->sample ? s->sample : s->asked);
	same("conservation", totals.tracked_ns, at - s->begun);
	compare_times(s, &totals);
	compare_finished(s, &totals);
	compare_longest(s, &totals);
	compare_groups(&record, s->asked, &totals);
	same("asking changed it", memcmp(&copy, &record, sizeof(copy)), 0);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		failures = 0;
		run(&sequences[i]);
		tap_ok(!failures, "%s", sequences[i].name);
	}
	return tap_done();
}
