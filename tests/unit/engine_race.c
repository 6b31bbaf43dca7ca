// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread's life as the kernel writes it: by the thread itself and, under the runqueue
 * lock, by a waker on another CPU, with readers beside them.  The program is made for a
 * race detector; and every answer must add up.
 * usage: engine_race [ROUNDS]
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "events.h"
#include "tap.h"

#define READERS		2
#define LEAST_READS	100
#define LIMIT_SECONDS	60
#define LOCK_WAIT	5	/* each wait for a lock takes just this */
#define WAITS_PER_ROUND	2
#define PREEMPTIONS	50	/* in each round, so that readers meet many */

/* Sequentially consistent: the kernel's clock read is ordered by its lfence. */
static u64 clock_word = 1000;

static u64 clock_now(void)
{
	return __atomic_add_fetch(&clock_word, 1, __ATOMIC_SEQ_CST);
}

static struct record record;
static pthread_mutex_t runqueue = PTHREAD_MUTEX_INITIALIZER;
static bool over;
static u64 rounds = 10000;
static u64 reads, errors;

static bool at_end(void)
{
	return __atomic_load_n(&over, __ATOMIC_ACQUIRE);
}

/* As hook_sched does it: mark the record first, then read the clock. */
static void switch_out(u8 to)
{
	pthread_mutex_lock(&runqueue);
	record_sched_begin(&record);
	if (to != TASKRT_STATE_PREEMPTED)
		to = record_wait_state(&record, to);
	record_switch_out(&record, record.state, to, clock_now());
	record_sched_end(&record);
	pthread_mutex_unlock(&runqueue);
}

static bool switch_in_if_woken(void)
{
	bool woken;

	pthread_mutex_lock(&runqueue);
	woken = !record_waits(&record);
	if (woken) {
		record_sched_begin(&record);
		record_switch_in(&record, record.state, clock_now());
		record_sched_end(&record);
	}
	pthread_mutex_unlock(&runqueue);
	return woken;
}

/* Both clock values within one section, so that the length is known. */
static void wait_for_lock(u64 lock)
{
	u64 now;

	record_self_begin(&record);
	now = clock_now();
	record_lock_begin(&record, lock, TASKRT_LOCK_MUTEX, now);
	record_lock_end(&record, now + LOCK_WAIT);
	record_self_end(&record);
}

static void fault(bool major)
{
	record_self_begin(&record);
	record_fault_begin(&record, record_fault_seq(&record), clock_now());
	record_self_end(&record);
	switch_out(TASKRT_STATE_BLOCKED_IO);
	while (!switch_in_if_woken())
		sched_yield();
	record_self_begin(&record);
	record_fault_end(&record, major, record_fault_seq(&record), clock_now());
	record_self_end(&record);
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * A busy host may keep each of the threads from its CPU for long: fewer rounds are as
 * good, but not without readers.
 */
static bool goes_on(u64 round, time_t since)
{
	if (__atomic_load_n(&reads, __ATOMIC_RELAXED) <= LEAST_READS)
		return true;
	return round < rounds && seconds() < since + LIMIT_SECONDS;
}

static void *task(void *unused)
{
	const time_t since = seconds();
	u64 i;

	(void)unused;
	for (i = 0; goes_on(i, since); i++) {
		wait_for_lock(0x1000);
		for (int n = 0; n < PREEMPTIONS; n++) {
			switch_out(TASKRT_STATE_PREEMPTED);
			switch_in_if_woken();
		}
		fault(i & 1);
		wait_for_lock(0x2000);
		switch_out(TASKRT_STATE_SLEEPING_FUTEX);
		while (!switch_in_if_woken())
			sched_yield();
	}
	rounds = i;
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	return NULL;
}

static void *waker(void *unused)
{
	(void)unused;
	while (!at_end()) {
		pthread_mutex_lock(&runqueue);
		if (record_waits(&record)) {
			record_sched_begin(&record);
			record_wake(&record, record.state, TASKRT_STATE_WOKEN, clock_now());
			record_sched_end(&record);
		}
		pthread_mutex_unlock(&runqueue);
		sched_yield();
	}
	return NULL;
}

static void wrong(const char *what, u64 a, u64 b)
{
	if (__atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED) < 10)
		printf("# %s: %llu, %llu\n", what, (unsigned long long)a,
		       (unsigned long long)b);
}

static void check(const struct totals *t, u64 at, u64 asked, const struct totals *last)
{
	const u64 fault_ns = t->timers_ns[TASKRT_TIMER_FAULT];
	const u64 cpu_ns = t->timers_ns[TASKRT_TIMER_FAULT_CPU];
	u64 sum = 0;
	int i;

	for (i = 0; i < NR_STATES; i++) {
		sum += t->states_ns[i];
		if (t->states_ns[i] < last->states_ns[i])
			wrong("a state lost time", t->states_ns[i], last->states_ns[i]);
		if (t->states[i] < last->states[i])
			wrong("a state lost an interval", t->states[i], last->states[i]);
		if (t->longest_states[i].ns > t->states_ns[i])
			wrong("longer than all", t->longest_states[i].ns, t->states_ns[i]);
	}
	if (at != asked)
		wrong("the record was ahead of the reader", at, asked);
	if (sum != at - record.tracked_since)
		wrong("conservation", sum, at - record.tracked_since);
	if (t->locks_ns[TASKRT_LOCK_MUTEX] != t->locks[TASKRT_LOCK_MUTEX] * LOCK_WAIT)
		wrong("a torn lock", t->locks_ns[TASKRT_LOCK_MUTEX], t->locks[TASKRT_LOCK_MUTEX]);
	if (fault_ns < last->timers_ns[TASKRT_TIMER_FAULT])
		wrong("faults lost time", fault_ns, last->timers_ns[TASKRT_TIMER_FAULT]);
	/* it sleeps in a fault, so that blocked time is fault time, and no computing is either */
	if (t->states_ns[TASKRT_STATE_BLOCKED_FAULT] + cpu_ns > fault_ns)
		wrong("two groups of two times", t->states_ns[TASKRT_STATE_BLOCKED_FAULT] + cpu_ns,
		      fault_ns);
	if (cpu_ns < last->timers_ns[TASKRT_TIMER_FAULT_CPU])
		wrong("computing in faults lost time", cpu_ns, last->timers_ns[TASKRT_TIMER_FAULT_CPU]);
}

static void *reader(void *unused)
{
	struct totals last = { 0 }, t;
	u64 seq, now, at;

	(void)unused;
	while (!at_end()) {
		do {
			seq = record_read_begin(&record);
			now = clock_now();
			at = totals_of(&t, &record, now, TOTALS_ALL);
		} while (record_read_retry(&record, seq));
		check(&t, at, now, &last);
		last = t;
		/* let the writers have the CPU now and then */
		if (__atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED) % 64 == 0)
			sched_yield();
	}
	return NULL;
}

/*
 * What a race shows only now and then, step by step: a reader that began
 * before a section or between two must try again after it.
 */
static bool sections_are_seen(void (*begin)(struct record *r), void (*end)(struct record *r))
{
	struct record r;
	bool seen = true;
	u64 before;

	record_init(&r, TASKRT_STATE_RUNNING, 0, 0);
	before = record_read_begin(&r);
	seen &= !record_read_retry(&r, before);
	begin(&r);
	seen &= record_read_retry(&r, before);
	end(&r);
	seen &= record_read_retry(&r, before);
	before = record_read_begin(&r);
	return seen && !record_read_retry(&r, before);
}

static void sched_begin(struct record *r) { record_sched_begin(r); }
static void sched_end(struct record *r) { record_sched_end(r); }
static void self_begin(struct record *r) { record_self_begin(r); }
static void self_end(struct record *r) { record_self_end(r); }

int main(int argc, char **argv)
{
	const bool seen = sections_are_seen(sched_begin, sched_end) &&
			  sections_are_seen(self_begin, self_end);
	pthread_t threads[READERS + 2];
	struct totals t;
	bool complete;
	int i;

	if (argc > 1)
		rounds = strtoull(argv[1], NULL, 0);
	record_init(&record, TASKRT_STATE_RUNNING, 0, clock_now());
	for (i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	pthread_create(&threads[READERS], NULL, waker, NULL);
	pthread_create(&threads[READERS + 1], NULL, task, NULL);
	for (i = 0; i < READERS + 2; i++)
		pthread_join(threads[i], NULL);

	totals_of(&t, &record, clock_now(), TOTALS_ALL);
	complete = t.values[TASKRT_VALUE_WAKEUPS] == 2 * rounds &&
		   t.states[TASKRT_STATE_PREEMPTED] == PREEMPTIONS * rounds &&
		   t.states[TASKRT_STATE_RUNNING] == (PREEMPTIONS + 2) * rounds &&
		   t.timers[TASKRT_TIMER_FAULT] == rounds &&
		   t.locks[TASKRT_LOCK_MUTEX] == WAITS_PER_ROUND * rounds;
	tap_ok(!errors, "%llu consistent reads beside writers", (unsigned long long)reads);
	tap_ok(reads > LEAST_READS, "readers got through at all");
	tap_ok(complete, "nothing that was written is lost");
	tap_ok(seen, "a reader beside a section tries again");
	return tap_done();
}
