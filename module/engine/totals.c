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

static __always_inline void totals_of_ns(struct record_time *to, const struct record_time *from,
					 int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		to[i].ns = shared_load(&from[i].ns);
}

static __always_inline void totals_of_count(struct record_time *to,
					    const struct record_time *from, int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		to[i].count = shared_load(&from[i].count);
}

static __always_inline void totals_of_longest(struct record_time *to,
					      const struct record_time *from, int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		to[i].longest = (struct record_longest){
			.ns = shared_load(&from[i].longest.ns),
			.at = shared_load(&from[i].longest.at),
		};
}

static void totals_of_sites(struct totals *t, const struct record *r)
{
	int i;

	copy_unrolled for (i = 0; i < NR_STATES; i++)
		t->sites[i] = record_site(r, i);
}

static void totals_of_times(struct totals *t, const struct record *r)
{
	u64 tracked = 0;
	int i;

	totals_of_ns(t->states, r->states, NR_STATES);
	copy_unrolled for (i = 0; i < NR_STATES; i++)
		tracked += t->states[i].ns;
	t->tracked_ns = tracked;
	totals_of_ns(t->timers, r->timers, RECORD_FAULT_CPU);
	t->timers[RECORD_FAULT_CPU].ns = record_fault_cpu_ns(r);
	copy_unrolled for (i = 0; i < NR_LOCKS; i++)
		t->locks[i].ns = shared_load(&r->locks[i].ns);
}

/* What the engine counts. */
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

	totals_of_count(t->states, r->states, NR_STATES);
	totals_of_count(t->timers, r->timers, RECORD_FAULT_CPU);
	t->timers[RECORD_FAULT_CPU].count = t->timers[TASKRT_TIMER_FAULT].count;
	copy_unrolled for (i = 0; i < NR_LOCKS; i++)
		t->locks[i].count = shared_load(&r->locks[i].count);
	copy_unrolled for (i = 0; i < NR_VALUES; i++)
		t->values[i] = 0;
	totals_add_counted(t, r);
}

/* Of an interval that has not finished.  Return: it is the longest one. */
static bool totals_extend_time(struct record_time *t, u64 ns, u64 at, u32 groups)
{
	const struct record_longest present = { ns, at };

	t->ns += ns;
	return groups & TOTALS_LONGEST && totals_merge_longest(&t->longest, &present);
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
		totals_extend_time(&t->timers[i], ns, since, groups);
		/* If that is of another wait, it is a kind all the same. */
		if (i == TASKRT_TIMER_LOCK)
			t->locks[shared_load(&r->lock_kind)].ns += ns;
	}
}

static void totals_extend_state(struct totals *t, u64 since, u64 now, u32 groups)
{
	if (t->state >= NR_STATES)
		return;
	if (totals_extend_time(&t->states[t->state], now - since, since, groups) &&
	    groups & TASKRT_GROUP_SITES)
		t->sites[t->state] = 0;
	t->tracked_ns += now - since;
}

/* The interval in progress, as record_throttled() will count it. */
static void totals_extend(struct totals *t, const struct totals_wait *wait, u64 since, u64 now,
			  u32 groups)
{
	const u64 ns = wait->throttled_ns < now - since ? wait->throttled_ns : now - since;

	if (wait->known && record_queued(t->state)) {
		totals_extend_time(&t->states[TASKRT_STATE_THROTTLED], ns, since, groups);
		t->tracked_ns += ns;
		since += ns;
		t->state = record_unthrottled(t->state);
	}
	totals_extend_state(t, since, now, groups);
	if (wait->throttled && record_queued(t->state))
		t->state = TASKRT_STATE_THROTTLED;
}

static u64 totals_queue_ns(const struct record_time *states)
{
	return states[TASKRT_STATE_PREEMPTED].ns + states[TASKRT_STATE_WOKEN].ns +
	       states[TASKRT_STATE_THROTTLED].ns + states[TASKRT_STATE_YIELDED].ns;
}

u64 totals_of_wait(struct totals *t, const struct record *r, const struct totals_wait *wait,
		   u64 now, u32 groups)
{
	const u64 since = shared_load(&r->since);

	t->state = record_state(r);
	/* An exited thread's clock stands where it was closed. */
	if ((s64)(now - since) < 0 || t->state == TASKRT_STATE_EXITED)
		now = since;

	totals_of_times(t, r);
	if (groups & TASKRT_GROUP_COUNTS)
		totals_of_counts(t, r);
	if (groups & TOTALS_LONGEST) {
		totals_of_longest(t->states, r->states, NR_STATES);
		totals_of_longest(t->timers, r->timers, RECORD_FAULT_CPU);
		t->timers[RECORD_FAULT_CPU].longest = (struct record_longest){ 0 };
	}
	if (groups & TASKRT_GROUP_SITES)
		totals_of_sites(t, r);
	totals_extend(t, wait, since, now, groups);
	totals_extend_timers(t, r, now, groups);
	t->cpu_ns = t->states[TASKRT_STATE_RUNNING].ns;
	t->queue_ns = totals_queue_ns(t->states);
	return now;
}

/*
 * Most tasks that end have never been in most states.
 * @longer: set to a mask of those whose longest interval is now that of @t
 * Return: the time of all.
 */
static u64 totals_add_intervals(struct record_time *sum, const struct record_time *t, int n,
				u32 *longer)
{
	u64 ns = 0;
	int i;

	*longer = 0;
	for (i = 0; i < n; i++, sum++, t++) {
		if (!(t->ns | t->count))
			continue;
		ns += t->ns;
		sum->ns += t->ns;
		sum->count += t->count;
		if (totals_merge_longest(&sum->longest, &t->longest))
			*longer |= 1U << i;
	}
	return ns;
}

static __always_inline void totals_add_ns(struct record_time *sum, const struct record_time *t,
					  int n)
{
	int i;

	copy_unrolled for (i = 0; i < n; i++)
		sum[i].ns += t[i].ns;
}

static void totals_add_sums(struct record_sum *sum, const struct record_sum *t, int n)
{
	for (; n--; sum++, t++) {
		sum->ns += t->ns;
		sum->count += t->count;
	}
}

void totals_add_stalls(struct totals *sum, const struct record_sum *stalls)
{
	totals_add_sums(sum->stalls, stalls, NR_STALLS);
}

void totals_add_times(struct totals *sum, const struct totals *t)
{
	int i;

	sum->cpu_ns += t->cpu_ns;
	sum->queue_ns += t->queue_ns;
	sum->tracked_ns += t->tracked_ns;
	totals_add_ns(sum->states, t->states, NR_STATES);
	totals_add_ns(sum->timers, t->timers, NR_TIMERS);
	copy_unrolled for (i = 0; i < NR_LOCKS; i++)
		sum->locks[i].ns += t->locks[i].ns;
	sum->stalls_unknown |= t->stalls_unknown;
	if (!t->stalls_unknown)
		totals_add_stalls(sum, t->stalls);
}

void totals_add(struct totals *sum, const struct totals *t)
{
	u32 longer, unused;
	int i;

	sum->cpu_ns += t->cpu_ns;
	sum->queue_ns += t->queue_ns;
	sum->tracked_ns += t->tracked_ns;
	totals_add_intervals(sum->states, t->states, NR_STATES, &longer);
	for (; longer; longer &= longer - 1)
		sum->sites[__builtin_ctz(longer)] = t->sites[__builtin_ctz(longer)];
	totals_add_intervals(sum->timers, t->timers, NR_TIMERS, &unused);
	totals_add_sums(sum->locks, t->locks, NR_LOCKS);
	for (i = 0; i < NR_VALUES; i++)
		sum->values[i] += t->values[i];
	sum->stalls_unknown |= t->stalls_unknown;
	if (!t->stalls_unknown)
		totals_add_stalls(sum, t->stalls);
}

void totals_add_record(struct totals *sum, const struct record *r)
{
	u32 longer, unused;

	sum->cpu_ns += r->states[TASKRT_STATE_RUNNING].ns;
	sum->queue_ns += totals_queue_ns(r->states);
	sum->tracked_ns += totals_add_intervals(sum->states, r->states, NR_STATES, &longer);
	for (; longer; longer &= longer - 1)
		sum->sites[__builtin_ctz(longer)] = record_site(r, __builtin_ctz(longer));
	totals_add_intervals(sum->timers, r->timers, RECORD_FAULT_CPU, &unused);
	sum->timers[RECORD_FAULT_CPU].ns += record_fault_cpu_ns(r);
	sum->timers[RECORD_FAULT_CPU].count += r->timers[TASKRT_TIMER_FAULT].count;
	if (r->timers[TASKRT_TIMER_LOCK].count)
		totals_add_sums(sum->locks, r->locks, NR_LOCKS);
	totals_add_counted(sum, r);
	/* Of a task whose end was not seen, the timers may still run. */
	totals_extend_timers(sum, r, r->since, TOTALS_ALL);
}
