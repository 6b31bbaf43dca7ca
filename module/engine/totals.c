// SPDX-License-Identifier: GPL-2.0-only
#include "engine/totals.h"

static void longest_merge(struct record_longest *a, const struct record_longest *b)
{
	if (b->ns > a->ns)
		*a = *b;
}

/* With an interval that has not finished. */
static void time_extend(struct record_time *t, u64 ns, u64 at)
{
	const struct record_longest present = { ns, at };

	t->ns += ns;
	longest_merge(&t->longest, &present);
}

static void states_of(struct totals *t, const struct record *r, u64 now)
{
	u8 state = record_state(r);
	int i;

	memcpy(t->states, r->states, sizeof(t->states));
	if (state < NR_STATES)
		time_extend(&t->states[state], now - r->since, r->since);
	t->tracked_ns = 0;
	for (i = 0; i < NR_STATES; i++)
		t->tracked_ns += t->states[i].ns;
	t->cpu_ns = t->states[TASKRT_STATE_RUNNING].ns;
	t->queue_ns = t->states[TASKRT_STATE_PREEMPTED].ns + t->states[TASKRT_STATE_WOKEN].ns;
}

static void timers_of(struct totals *t, const struct record *r, u64 now)
{
	const u32 in_progress = record_in_progress(r);
	int i;

	memcpy(t->timers, r->timers, sizeof(t->timers));
	memcpy(t->locks, r->locks, sizeof(t->locks));
	for (i = 0; i < NR_TIMERS; i++)
		if (in_progress & (1U << i))
			time_extend(&t->timers[i], record_elapsed(r->timers_since[i], now),
				    r->timers_since[i]);
	if (r->lock_addr)
		t->locks[r->lock_kind].ns +=
			record_elapsed(r->timers_since[TASKRT_TIMER_LOCK], now);
}

static void values_of(struct totals *t, const struct record *r)
{
	memcpy(t->values, r->values, sizeof(t->values));
	t->values[TASKRT_VALUE_WAKEUPS] = record_wakeups(r);
	t->values[TASKRT_VALUE_MINOR_FAULT_NS] = record_minor_fault_ns(r);
}

u64 totals_of(struct totals *t, const struct record *r, u64 now)
{
	/* An exited thread's clock stands where it was closed. */
	if ((s64)(now - r->since) < 0 || record_state(r) == TASKRT_STATE_EXITED)
		now = r->since;

	states_of(t, r, now);
	timers_of(t, r, now);
	values_of(t, r);
	return now;
}

static void times_add(struct record_time *sum, const struct record_time *t, int n)
{
	for (; n--; sum++, t++) {
		sum->ns += t->ns;
		sum->count += t->count;
		longest_merge(&sum->longest, &t->longest);
	}
}

void totals_add(struct totals *sum, const struct totals *t)
{
	int i;

	sum->cpu_ns += t->cpu_ns;
	sum->queue_ns += t->queue_ns;
	sum->tracked_ns += t->tracked_ns;
	times_add(sum->states, t->states, NR_STATES);
	times_add(sum->timers, t->timers, NR_TIMERS);
	for (i = 0; i < NR_LOCKS; i++) {
		sum->locks[i].ns += t->locks[i].ns;
		sum->locks[i].count += t->locks[i].count;
	}
	for (i = 0; i < NR_VALUES; i++)
		sum->values[i] += t->values[i];
}
