// SPDX-License-Identifier: GPL-2.0-only
#include "engine/record_sched.h"
#include "engine/totals.h"

static __always_inline bool totals_merge_longest(struct record_longest *a,
						 const struct record_longest *b)
{
	const bool longer = b->ns > a->ns;

	if (longer)
		*a = *b;
	return longer;
}

static void totals_of_times(struct totals *t, const struct record *r)
{
	int i;

	copy_unrolled for (i = 0; i < NR_STATES; i++)
		t->states_ns[i] = shared_load(&r->states[i].ns);
	copy_unrolled for (i = 0; i < NR_RECORD_TIMERS; i++)
		t->timers_ns[record_timer_number(i)] = shared_load(&r->timers[i].ns);
	t->timers_ns[TASKRT_TIMER_FAULT_CPU] = record_fault_cpu_ns(r);
	copy_unrolled for (i = 0; i < NR_LOCKS; i++)
		t->locks_ns[i] = shared_load(&r->locks[i].ns);
}

static void totals_add_counted(struct totals *t, const struct record *r)
{
	t->values[TASKRT_VALUE_WAKEUPS] += record_wakeups(r);
	t->values[TASKRT_VALUE_MINOR_FAULT_NS] += record_minor_fault_ns(r);
	t->values[TASKRT_VALUE_MAJOR_FAULT_NS] += shared_load(&r->major_fault_ns);
	t->values[TASKRT_VALUE_CYCLES] += shared_load(&r->counted[COUNTED_CYCLES]);
	t->values[TASKRT_VALUE_INSTRUCTIONS] += shared_load(&r->counted[COUNTED_INSTRUCTIONS]);
	t->values[TASKRT_VALUE_CYCLES_NS] += shared_load(&r->counted[COUNTED_NS]);
}

static void totals_of_counts(struct totals *t, const struct record *r)
{
	int i;

	copy_unrolled for (i = 0; i < NR_STATES; i++)
		t->states[i] = shared_load(&r->states[i].count);
	copy_unrolled for (i = 0; i < NR_RECORD_TIMERS; i++)
		t->timers[record_timer_number(i)] = shared_load(&r->timers[i].count);
	t->timers[TASKRT_TIMER_FAULT_CPU] = t->timers[TASKRT_TIMER_FAULT];
	copy_unrolled for (i = 0; i < NR_LOCKS; i++)
		t->locks[i] = shared_load(&r->locks[i].count);
	copy_unrolled for (i = 0; i < NR_VALUES; i++)
		t->values[i] = 0;
	totals_add_counted(t, r);
}

static __always_inline void totals_of_longest(struct record_longest *to,
					      const struct record_time *from, int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		to[i] = (struct record_longest){
			.ns = shared_load(&from[i].longest.ns),
			.at = shared_load(&from[i].longest.at),
		};
}

static void totals_of_wchans(struct totals *t, const struct record *r)
{
	int i;

	copy_unrolled for (i = 0; i < NR_STATES; i++)
		t->wchans[i] = record_wchan(r, i);
}

/* Include an interval in progress.  Return: true if it is the longest one. */
static bool totals_extend_longest(struct record_longest *longest, u64 ns, u64 at, u32 groups)
{
	const struct record_longest present = { ns, at };

	return groups & TOTALS_LONGEST && totals_merge_longest(longest, &present);
}

static void totals_extend_timers(struct totals *t, const struct record *r, u64 now, u32 groups)
{
	const u32 in_progress = record_in_progress(r);
	u64 since, ns;
	int i;

	for (i = 0; i < NR_OWN_TIMERS; i++) {
		if (!(in_progress & (1U << i)))
			continue;
		since = shared_load(&r->timers_since[i]);
		ns = record_elapsed(since, now);
		t->timers_ns[i] += ns;
		totals_extend_longest(&t->longest_timers[i], ns, since, groups);
		/* A racing read may give the kind of another wait, but never an invalid index. */
		if (i == TASKRT_TIMER_LOCK)
			t->locks_ns[shared_load(&r->lock_kind)] += ns;
	}
}

static bool totals_extend_state(struct totals *t, u8 state, u64 since, u64 now, u32 groups)
{
	t->states_ns[state] += now - since;
	return totals_extend_longest(&t->longest_states[state], now - since, since, groups);
}

/* Add the interval in progress, as record_throttled() will count it. */
static void totals_extend(struct totals *t, const struct totals_wait *wait, u64 since, u64 now,
			  u32 groups)
{
	const u64 ns = wait->throttled_ns < now - since ? wait->throttled_ns : now - since;

	if (wait->known && record_queued(t->state)) {
		totals_extend_state(t, TASKRT_STATE_THROTTLED, since, since + ns, groups);
		since += ns;
		t->state = record_unthrottled(t->state);
	}
	if (t->state < NR_STATES && totals_extend_state(t, t->state, since, now, groups) &&
	    groups & TASKRT_GROUP_SITES)
		t->wchans[t->state] = 0;
	if (wait->throttled && record_queued(t->state))
		t->state = TASKRT_STATE_THROTTLED;
}

u64 totals_of_wait(struct totals *t, const struct record *r, const struct totals_wait *wait,
		   u64 now, u32 groups)
{
	const u64 since = shared_load(&r->since);

	t->state = record_state(r);
	/* The clock of a closed record stands still. */
	if ((s64)(now - since) < 0 || t->state == TASKRT_STATE_EXITED)
		now = since;

	totals_of_times(t, r);
	memset(&t->timers_ns[FIRST_DELAY], 0, NR_DELAYS * sizeof(u64));
	memset(&t->timers[FIRST_DELAY], 0, NR_DELAYS * sizeof(u64));
	if (groups & TASKRT_GROUP_COUNTS)
		totals_of_counts(t, r);
	if (groups & TOTALS_LONGEST) {
		totals_of_longest(t->longest_states, r->states, NR_STATES);
		totals_of_longest(t->longest_timers, r->timers, NR_RECORD_TIMERS);
	}
	if (groups & TASKRT_GROUP_SITES)
		totals_of_wchans(t, r);
	totals_extend(t, wait, since, now, groups);
	totals_extend_timers(t, r, now, groups);
	t->cpu_ns = t->states_ns[TASKRT_STATE_RUNNING];
	t->queue_ns = t->states_ns[TASKRT_STATE_PREEMPTED] + t->states_ns[TASKRT_STATE_WOKEN] +
		      t->states_ns[TASKRT_STATE_THROTTLED] + t->states_ns[TASKRT_STATE_YIELDED];
	t->tracked_ns = now - shared_load(&r->tracked_since);
	return now;
}

static __always_inline void totals_add_sums(u64 *sum, const u64 *t, int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		sum[i] += t[i];
}

void totals_add_times(struct totals *sum, const struct totals *t)
{
	totals_add_sums(sum->sums, t->sums, NR_TIMES);
	sum->delays_unknown |= t->delays_unknown;
}

void totals_add(struct totals *sum, const struct totals *t)
{
	int i;

	totals_add_times(sum, t);
	totals_add_sums(sum->sums + NR_TIMES, t->sums + NR_TIMES, NR_COUNTS);
	copy_unrolled for (i = 0; i < NR_LONGEST; i++)
		if (totals_merge_longest(&sum->longest[i], &t->longest[i]) && i < NR_STATES)
			sum->wchans[i] = t->wchans[i];
}

static void totals_add_states(struct totals *sum, const struct record *r)
{
	const struct record_time *t = r->states;
	int i;

	for (i = 0; i < NR_STATES; i++, t++) {
		/* Most threads have never been in most states. */
		if (!(t->ns | t->count))
			continue;
		sum->states_ns[i] += t->ns;
		sum->states[i] += t->count;
		if (record_queued(i))
			sum->queue_ns += t->ns;
		if (totals_merge_longest(&sum->longest_states[i], &t->longest))
			sum->wchans[i] = record_wchan(r, i);
	}
}

static void totals_add_timers(struct totals *sum, const struct record *r)
{
	const struct record_time *t = r->timers;
	int i;

	for (i = 0; i < NR_RECORD_TIMERS; i++, t++) {
		if (!(t->ns | t->count))
			continue;
		sum->timers_ns[record_timer_number(i)] += t->ns;
		sum->timers[record_timer_number(i)] += t->count;
		totals_merge_longest(&sum->longest_timers[i], &t->longest);
	}
	sum->timers_ns[TASKRT_TIMER_FAULT_CPU] += record_fault_cpu_ns(r);
	sum->timers[TASKRT_TIMER_FAULT_CPU] += r->timers[TASKRT_TIMER_FAULT].count;
}

static void totals_add_locks(struct totals *sum, const struct record *r)
{
	int i;

	for (i = 0; i < NR_LOCKS; i++) {
		sum->locks_ns[i] += r->locks[i].ns;
		sum->locks[i] += r->locks[i].count;
	}
}

void totals_add_record(struct totals *sum, const struct record *r)
{
	sum->cpu_ns += r->states[TASKRT_STATE_RUNNING].ns;
	sum->tracked_ns += r->since - r->tracked_since;
	totals_add_states(sum, r);
	totals_add_timers(sum, r);
	if (r->timers[TASKRT_TIMER_LOCK].count)
		totals_add_locks(sum, r);
	totals_add_counted(sum, r);
	/* Timers may still run if the end of the task was not seen. */
	totals_extend_timers(sum, r, r->since, TOTALS_ALL);
}
