// SPDX-License-Identifier: GPL-2.0-only
#include "totals.h"

static u64 elapsed(u64 since, u64 now)
{
	s64 ns = now - since;

	return ns > 0 ? ns : 0;
}

static void longest_merge(struct record_longest *a, const struct record_longest *b)
{
	if (b->ns > a->ns)
		*a = *b;
}

static void longest_extend(struct record_longest *l, u64 ns, u64 at)
{
	const struct record_longest present = { ns, at };

	longest_merge(l, &present);
}

static void states_of(struct totals *t, const struct record *r, u64 now)
{
	u8 state = record_state(r);
	int i;

	memcpy(t->states, r->states, sizeof(t->states));
	if (state < NR_STATES) {
		t->states[state].ns += now - r->since;
		longest_extend(&t->states[state].longest, now - r->since, r->since);
	}
	t->tracked_ns = 0;
	for (i = 0; i < NR_STATES; i++)
		t->tracked_ns += t->states[i].ns;
	t->cpu_ns = t->states[STATE_RUNNING].ns;
	t->queue_ns = t->states[STATE_PREEMPTED].ns + t->states[STATE_WOKEN].ns;
	t->wakeups = r->wakeups;
}

static void fault_of(struct totals *t, const struct record *r, u64 now)
{
	u64 present = r->fault_depth ? elapsed(r->fault_since, now) : 0;

	t->fault_split_ns[0] = r->fault_ns[0];
	t->fault_split_ns[1] = r->fault_ns[1];
	t->fault_ns = r->fault_ns[0] + r->fault_ns[1] + present;
	t->fault_longest = r->fault_longest;
	longest_extend(&t->fault_longest, present, r->fault_since);
}

static void lock_of(struct totals *t, const struct record *r, u64 now)
{
	u64 present = r->lock_addr ? elapsed(r->lock_since, now) : 0;
	int i;

	memcpy(t->lock_ns, r->lock_ns, sizeof(t->lock_ns));
	memcpy(t->lock_count, r->lock_count, sizeof(t->lock_count));
	t->lock_ns[r->lock_kind] += present;
	t->lock_contention_ns = 0;
	for (i = 0; i < NR_LOCKS; i++)
		t->lock_contention_ns += t->lock_ns[i];
	t->lock_longest = r->lock_longest;
	longest_extend(&t->lock_longest, present, r->lock_since);
}

u64 totals_of(struct totals *t, const struct record *r, u64 now)
{
	/* An exited thread's clock stands where it was closed. */
	if ((s64)(now - r->since) < 0 || record_state(r) == STATE_EXITED)
		now = r->since;

	states_of(t, r, now);
	fault_of(t, r, now);
	lock_of(t, r, now);
	return now;
}

void totals_add(struct totals *sum, const struct totals *t)
{
	int i;

	sum->cpu_ns += t->cpu_ns;
	sum->queue_ns += t->queue_ns;
	sum->fault_ns += t->fault_ns;
	sum->lock_contention_ns += t->lock_contention_ns;
	sum->tracked_ns += t->tracked_ns;
	sum->wakeups += t->wakeups;
	sum->fault_split_ns[0] += t->fault_split_ns[0];
	sum->fault_split_ns[1] += t->fault_split_ns[1];
	for (i = 0; i < NR_LOCKS; i++) {
		sum->lock_ns[i] += t->lock_ns[i];
		sum->lock_count[i] += t->lock_count[i];
	}
	for (i = 0; i < NR_STATES; i++) {
		sum->states[i].ns += t->states[i].ns;
		longest_merge(&sum->states[i].longest, &t->states[i].longest);
	}
	longest_merge(&sum->fault_longest, &t->fault_longest);
	longest_merge(&sum->lock_longest, &t->lock_longest);
	sum->nvcsw += t->nvcsw;
	sum->nivcsw += t->nivcsw;
	sum->min_flt += t->min_flt;
	sum->maj_flt += t->maj_flt;
}
