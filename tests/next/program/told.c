// SPDX-License-Identifier: GPL-2.0-only
#include "check.h"
#include "scenario.h"
#include "told.h"

uint64_t told_sum(const __u64 *states_ns)
{
	uint64_t sum = 0;

	for (int i = 0; i < TASKRT_STATES_ROOM; i++)
		sum += states_ns[i];
	return sum;
}

uint64_t told_share(const struct taskrt_explanation *e, uint32_t cause)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < e->nr && i < TASKRT_CAUSES_ROOM; i++)
		if (e->shares[i].cause == cause)
			sum += e->shares[i].ns;
	return sum;
}

/* The first old bits, and bit new if it is the next version, but none in between. */
static uint64_t bits(unsigned int old, unsigned int new, bool next)
{
	return ((1ULL << old) - 1) | (next ? 1ULL << new : 0);
}

/* What is not measured reads 0. */
static void clear_is_zero(uint64_t measured, const __u64 *words, unsigned int n,
			  unsigned int words_each)
{
	for (unsigned int i = 0; i < n; i++)
		if (!taskrt_measures(measured, i))
			EQUAL(words[i * words_each], 0);
}

/* The time since END, in which what is in progress goes on. */
static uint64_t later_ns;

static uint64_t state_ns(unsigned int state, bool next)
{
	switch (state) {
	case TASKRT_STATE_RUNNING:
		return stay_ns(state) + RAN_NS;
	case TASKRT_STATE_BLOCKED_LOCK:
		return stay_ns(state) + WAITED_NS + later_ns;
	case OLD_STATE:
		return stay_ns(state) + (next ? 0 : NEW_STATE_NS);
	case NEW_STATE:
		return next ? NEW_STATE_NS : 0;
	default:
		return state < OLD_STATES ? stay_ns(state) : 0;
	}
}

static uint64_t one_lock_ns(unsigned int lock, bool next)
{
	switch (lock) {
	case OLD_LOCK:
		return lock_ns(lock) + WAITED_NS + later_ns + (next ? 0 : lock_ns(OLD_LOCKS));
	case NEW_LOCK:
		return next ? lock_ns(OLD_LOCKS) : 0;
	default:
		return lock < OLD_LOCKS ? lock_ns(lock) : 0;
	}
}

static uint64_t timer_ns(unsigned int timer, bool next)
{
	uint64_t sum = 0;

	switch (timer) {
	case TASKRT_TIMER_FAULT:
		return MINOR_NS + MAJOR_NS + FAULTING_NS + later_ns;
	case TASKRT_TIMER_LOCK:
		for (int i = 0; i < TASKRT_LOCKS_ROOM; i++)
			sum += one_lock_ns(i, next);
		return sum;
	case NEW_TIMER:
		return next ? SWAPOUT_NS : 0;
	default:
		return 0;
	}
}

void told_times(const struct taskrt_times *times, bool next, uint64_t later)
{
	later_ns = later;
	for (int i = 0; i < TASKRT_STATES_ROOM; i++)
		EQUAL(times->states_ns[i], state_ns(i, next));
	for (int i = 0; i < TASKRT_TIMERS_ROOM; i++)
		EQUAL(times->timers_ns[i], timer_ns(i, next));
	for (int i = 0; i < TASKRT_LOCKS_ROOM; i++)
		EQUAL(times->locks_ns[i], one_lock_ns(i, next));
	later_ns = 0;
}

/* Finished intervals: each state once, and RUNNING once more; the wait for a lock is not over. */
static void counts_check(const struct taskrt_counts *counts, const struct told_of *of)
{
	const __u64 *values = counts->values;

	for (int i = 0; i < OLD_STATES; i++)
		EQUAL(counts->states[i], 1 + (i == TASKRT_STATE_RUNNING) +
			(i == OLD_STATE && !of->next) +
			(i == TASKRT_STATE_BLOCKED_LOCK && of->ended));
	EQUAL(counts->states[NEW_STATE], of->next);
	EQUAL(counts->timers[TASKRT_TIMER_FAULT], 2 + of->ended);
	EQUAL(counts->timers[TASKRT_TIMER_LOCK], OLD_LOCKS + 1 + of->ended);
	EQUAL(counts->timers[NEW_TIMER], of->next);
	EQUAL(counts->locks[0], 1);
	EQUAL(counts->locks[OLD_LOCK], 1 + !of->next + of->ended);
	EQUAL(counts->locks[NEW_LOCK], of->next);
	EQUAL(values[TASKRT_VALUE_VOLUNTARY_SWITCHES], VOLUNTARY);
	EQUAL(values[TASKRT_VALUE_INVOLUNTARY_SWITCHES], INVOLUNTARY);
	EQUAL(values[TASKRT_VALUE_WAKEUPS], 1);
	EQUAL(values[TASKRT_VALUE_MINOR_FAULTS], MINOR_FAULTS);
	EQUAL(values[TASKRT_VALUE_MAJOR_FAULTS], MAJOR_FAULTS);
	EQUAL(values[TASKRT_VALUE_MINOR_FAULT_NS], MINOR_NS + (of->ended ? FAULTING_NS : 0));
	EQUAL(values[TASKRT_VALUE_MAJOR_FAULT_NS], MAJOR_NS);
	EQUAL(values[TASKRT_VALUE_USER_NS], of->page ? 0 : USER_NS);
	EQUAL(values[TASKRT_VALUE_SYSTEM_NS], of->page ? 0 : SYSTEM_NS);
	for (int i = OLD_VALUES; i < NEW_VALUE; i++)
		EQUAL(values[i], 0);
}

static void longests_check(const struct taskrt_longests *longests, const struct told_of *of)
{
	const struct taskrt_longest *old = &longests->states[OLD_STATE];

	EQUAL(longests->states[0].ns, stay_ns(0));
	EQUAL(longests->states[0].at_ns, BORN);
	EQUAL(old->ns, of->next ? stay_ns(OLD_STATE) : NEW_STATE_NS);
	EQUAL(old->at_ns, of->next ? stays_until(OLD_STATE) : TURN + RAN_NS);
	EQUAL(longests->states[NEW_STATE].ns, of->next ? NEW_STATE_NS : 0);
	EQUAL(longests->states[NEW_STATE].at_ns, of->next ? TURN + RAN_NS : 0);
	EQUAL(longests->timers[TASKRT_TIMER_FAULT].ns, MAJOR_NS);
	EQUAL(longests->timers[TASKRT_TIMER_LOCK].ns, WAITED_NS);
	EQUAL(longests->timers[NEW_TIMER].ns, of->next ? SWAPOUT_NS : 0);
}

static void measured_check(const struct taskrt_reading *r, const struct told_of *of)
{
	const struct taskrt_measured *measured = &r->stats.measured;
	const struct taskrt_longest *longest = r->longests.states;

	EQUAL(measured->states, bits(MEASURED_STATES, NEW_STATE, of->next));
	EQUAL(measured->timers, bits(OLD_TIMERS, NEW_TIMER, of->next));
	EQUAL(measured->locks, bits(MEASURED_LOCKS, NEW_LOCK, of->next));
	EQUAL(measured->values & ((1ULL << NEW_VALUE) - 1),
	      bits(of->page ? PAGE_VALUES : OLD_VALUES, NEW_VALUE, false));
	clear_is_zero(measured->states, r->times.states_ns, TASKRT_STATES_ROOM, 1);
	clear_is_zero(measured->timers, r->times.timers_ns, TASKRT_TIMERS_ROOM, 1);
	clear_is_zero(measured->locks, r->times.locks_ns, TASKRT_LOCKS_ROOM, 1);
	clear_is_zero(measured->states, r->counts.states, TASKRT_STATES_ROOM, 1);
	clear_is_zero(measured->timers, r->counts.timers, TASKRT_TIMERS_ROOM, 1);
	clear_is_zero(measured->locks, r->counts.locks, TASKRT_LOCKS_ROOM, 1);
	clear_is_zero(measured->values, r->counts.values, TASKRT_VALUES_ROOM, 1);
	clear_is_zero(measured->states, &longest->ns, TASKRT_STATES_ROOM, 2);
	clear_is_zero(measured->timers, &r->longests.timers->ns, TASKRT_TIMERS_ROOM, 2);
}

static void identity_check(const struct taskrt_stats *s, const struct told_of *of)
{
	const bool process = of->entity != TASKRT_ENTITY_THREAD;

	CHECK(taskrt_has(s, TASKRT_VALID_IDENTITY | TASKRT_VALID_CLOCK));
	EQUAL(s->entity, of->entity);
	EQUAL(s->tid, process ? 0 : TID);
	EQUAL(s->tgid, TGID);
	EQUAL(s->ppid, PPID);
	EQUAL(s->uid, UID);
	EQUAL(s->gid, GID);
	EQUAL(s->start_time_ns, CREATED);
	EQUAL(s->tracked_since_ns, BORN);
	EQUAL(s->sample_time_ns, END);
	EQUAL(s->tracked_time_ns, END - BORN);
	CHECK(!strcmp(s->comm, COMM));
	EQUAL(s->exit_code, of->ended && !of->page ? EXIT_CODE : 0);
	EQUAL(!!(s->flags & TASKRT_FLAG_EXITED), of->ended);
	if (!process) {
		CHECK(taskrt_has(s, TASKRT_VALID_STATE));
		EQUAL(s->state, of->ended ? TASKRT_STATE_EXITED : TASKRT_STATE_BLOCKED_LOCK);
	}
}

static void stats_check(const struct taskrt_stats *s, const struct told_of *of)
{
	if (of->page ? of->next_reader : of->next && of->next_reader)
		EQUAL(s->version, 4);
	else if (!of->next || of->page)
		EQUAL(s->version, 3);
	EQUAL(s->size, s->version == 4 ? 320 : 256);
	CHECK(taskrt_has(s, TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME |
			    TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME));
	EQUAL(s->cpu_time_ns, state_ns(TASKRT_STATE_RUNNING, of->next));
	EQUAL(s->queue_time_ns, state_ns(TASKRT_STATE_PREEMPTED, of->next) +
				state_ns(TASKRT_STATE_WOKEN, of->next));
	EQUAL(s->page_fault_time_ns, timer_ns(TASKRT_TIMER_FAULT, of->next));
	EQUAL(s->lock_contention_time_ns, timer_ns(TASKRT_TIMER_LOCK, of->next));
	identity_check(s, of);
}

/* What only this program knows, if it is the next one. */
static void new_check(const struct taskrt_reading *r, const struct told_of *of)
{
#ifdef TASKRT_GROUP_SLICES
	const bool known = of->next && of->next_reader && !of->page;
	const struct taskrt_stats *s = &r->stats;

	/* The old library may hand on what it does not know, or say that it is not there. */
	EQUAL(s->affinity, taskrt_has(s, TASKRT_VALID_AFFINITY) ? NEW_AFFINITY : 0);
	EQUAL(s->weight, taskrt_has(s, TASKRT_VALID_WEIGHT) ? NEW_WEIGHT : 0);
	if (known)
		CHECK(taskrt_has(s, TASKRT_VALID_AFFINITY | TASKRT_VALID_WEIGHT));
	if (!of->next || of->page)
		EQUAL(s->valid & (TASKRT_VALID_AFFINITY | TASKRT_VALID_WEIGHT), 0);
	EQUAL(!!(r->groups & TASKRT_GROUP_SLICES), known && of->groups & TASKRT_GROUP_SLICES);
	EQUAL(r->slices.nr, r->groups & TASKRT_GROUP_SLICES ? NEW_SLICES : 0);
	if (of->groups & TASKRT_GROUP_COUNTS && !of->page)
		EQUAL(r->counts.values[NEW_VALUE],
		      taskrt_measures(s->measured.values, NEW_VALUE) ? NEW_VALUE_IS : 0);
#else
	(void)r;
	(void)of;
#endif
}

void told_check(const struct taskrt_reading *r, const struct told_of *of)
{
	const uint32_t old = of->groups & 7;

	EQUAL(r->groups & 7, old);
	EQUAL(r->flags, of->ended ? TASKRT_FINAL : 0);
	stats_check(&r->stats, of);
	if (old & TASKRT_GROUP_TIMES) {
		EQUAL(told_sum(r->times.states_ns), r->stats.tracked_time_ns);
		told_times(&r->times, of->next, 0);
	} else {
		CHECK(all_bytes(&r->times, 0, sizeof(r->times), 0));
	}
	if (old & TASKRT_GROUP_COUNTS)
		counts_check(&r->counts, of);
	else
		CHECK(all_bytes(&r->counts, 0, sizeof(r->counts), 0));
	if (old & TASKRT_GROUP_LONGEST)
		longests_check(&r->longests, of);
	else
		CHECK(all_bytes(&r->longests, 0, sizeof(r->longests), 0));
	measured_check(r, of);
	new_check(r, of);
}
