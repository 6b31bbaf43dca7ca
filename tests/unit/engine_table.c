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
		same(what, t->states_ns[i], AMOUNT(s->states, i));
		sum += t->states_ns[i];
	}
	for (i = 0; i < NR_LOCKS; i++) {
		snprintf(what, sizeof(what), "lock kind %d", i);
		same(what, t->locks_ns[i], AMOUNT(s->lock_ns, i));
		same(what, t->locks[i], AMOUNT(s->lock_count, i));
		contention += t->locks_ns[i];
		waits += t->locks[i];
	}
	same("tracked", t->tracked_ns, sum);
	same("contention", t->timers_ns[TASKRT_TIMER_LOCK], contention);
	same("finished waits", t->timers[TASKRT_TIMER_LOCK], waits);
	same("cpu", t->cpu_ns, AMOUNT(s->states, TASKRT_STATE_RUNNING));
	same("queue", t->queue_ns, AMOUNT(s->states, TASKRT_STATE_PREEMPTED) +
				   AMOUNT(s->states, TASKRT_STATE_WOKEN) +
				   AMOUNT(s->states, TASKRT_STATE_THROTTLED) +
				   AMOUNT(s->states, TASKRT_STATE_YIELDED));
	same("fault", t->timers_ns[TASKRT_TIMER_FAULT], s->fault_ns);
	same("finished faults", t->timers[TASKRT_TIMER_FAULT], s->faults);
	same("fault, computing", t->timers_ns[TASKRT_TIMER_FAULT_CPU], s->fault_cpu_ns);
	same("finished faults, computing", t->timers[TASKRT_TIMER_FAULT_CPU], s->faults);
	same("minor", t->values[TASKRT_VALUE_MINOR_FAULT_NS], s->minor_ns);
	same("major", t->values[TASKRT_VALUE_MAJOR_FAULT_NS], s->major_ns);
	same("wake-ups", t->values[TASKRT_VALUE_WAKEUPS], s->wakeups);
	same("late timers", t->timers_ns[TASKRT_TIMER_EXPIRY], s->late_ns);
	same("wake-ups by timers", t->timers[TASKRT_TIMER_EXPIRY], s->expiries);
}

/* Where the sequence says anything of them. */
static void compare_finished(const struct sequence *s, const struct totals *t)
{
	char what[32];
	int i;

	for (i = 0; i < NR_STATES && s->finished[0].ns; i++) {
		snprintf(what, sizeof(what), "finished of state %d", i);
		same(what, t->states[i], AMOUNT(s->finished, i));
	}
}

static void compare_longest(const struct sequence *s, const struct totals *t)
{
	const struct record_longest *state = &t->longest_states[s->longest_of.index];
	const struct record_longest *fault = &t->longest_timers[TASKRT_TIMER_FAULT];
	const struct record_longest *lock = &t->longest_timers[TASKRT_TIMER_LOCK];
	const struct record_longest *late = &t->longest_timers[RECORD_EXPIRY];

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

static void compare_counts(const u64 *part, const u64 *whole, int n, u32 groups)
{
	while (n--)
		same("a group's count", part[n],
		     groups & TASKRT_GROUP_COUNTS ? whole[n] : UNWRITTEN);
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
		for (i = 0; i < NR_TIMES; i++)
			same("a group's time", part.sums[i], whole->sums[i]);
		compare_counts(part.states, whole->states, NR_STATES, groups);
		compare_counts(part.timers, whole->timers, FIRST_DELAY, groups);
		compare_counts(part.locks, whole->locks, NR_LOCKS, groups);
		compare_counts(part.values, whole->values, NR_VALUES, groups);
		for (i = 0; i < NR_LONGEST; i++) {
			same("a group's longest", part.longest[i].ns,
			     groups & TOTALS_LONGEST ? whole->longest[i].ns : UNWRITTEN);
			same("a group's longest's begin", part.longest[i].at,
			     groups & TOTALS_LONGEST ? whole->longest[i].at : UNWRITTEN);
		}
		for (i = 0; i < NR_STATES; i++)
			same("a group's wchan", part.wchans[i],
			     groups & TASKRT_GROUP_SITES ? whole->wchans[i] :
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
