// SPDX-License-Identifier: GPL-2.0-only
/* Where the time of a window went. */
#include <errno.h>
#include <stdio.h>

#define SINCE	1234000000000ULL

#include "own_page.h"

#define MS	1000000ULL

static struct taskrt_window w;

static int explain(struct taskrt_explanation *e)
{
	return taskrt_window_explain(&w, e, sizeof(*e));
}

static uint64_t sum_of_shares(const struct taskrt_explanation *e)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		sum += e->shares[i].ns;
	return sum;
}

static uint64_t share_ns(const struct taskrt_explanation *e, uint32_t cause)
{
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		if (e->shares[i].cause == cause)
			return e->shares[i].ns;
	return 0;
}

static void explained(void **state)
{
	struct taskrt_explanation e;
	char line[600];
	int length;

	(void)state;
	at(500 * 1000);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_LOCK, 567891, 567891 + 9870 * 1000);
	spend(TASKRT_STATE_BLOCKED_LOCK, 11 * MS, 11 * MS + 1000);
	spend(TASKRT_STATE_PREEMPTED, 12 * MS, 12 * MS + 230 * 1000);
	page->times.locks_ns[TASKRT_LOCK_RWSEM_WRITE] += 9870 * 1000;
	page->times.locks_ns[TASKRT_LOCK_MUTEX] += 1000;
	at(14602 * 1000);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.elapsed_ns, 14102 * 1000);
	assert_int_equal(sum_of_shares(&e), e.elapsed_ns);
	assert_int_equal(e.nr, 4);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_LOCK);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.shares[2].cause, TASKRT_CAUSE_QUEUED);
	assert_int_equal(e.shares[3].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[3].ns, 0);
	assert_int_equal(e.lock, TASKRT_LOCK_RWSEM_WRITE);
	assert_int_equal(e.state, TASKRT_STATE_BLOCKED_LOCK);
	assert_int_equal(e.longest.ns, 9870 * 1000);
	assert_int_equal(e.longest.at_ns, SINCE + 567891);
	length = taskrt_explanation_format(&e, sizeof(e), 10 * MS, line, sizeof(line));
	assert_int_equal(length, strlen(line));
	assert_string_equal(line, "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, "
				  "rwsem_write, longest 9.870 ms from 1234.000567), "
				  "computing 4.001 ms (28.4 %), queued 0.230 ms (1.6 %), "
				  "unexplained 0.000 ms (0.0 %)");
	taskrt_explanation_format(&e, sizeof(e), 20 * MS, line, 40);
	assert_string_equal(line, "in time, 14.102 ms of 20.000: kernel lo");
	taskrt_explanation_format(&e, sizeof(e), 0, line, 20);
	assert_string_equal(line, "14.102 ms: kernel l");
	/* the deadline itself is in time */
	taskrt_explanation_format(&e, sizeof(e), e.elapsed_ns, line, 30);
	assert_string_equal(line, "in time, 14.102 ms of 14.102:");
}

/* Each state, for most of the window, is reported as its cause, with the interval. */
static void every_cause(void **state)
{
	static const uint32_t causes[STATES] = {
		TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_QUEUED, TASKRT_CAUSE_QUEUED,
		TASKRT_CAUSE_LOCK, TASKRT_CAUSE_FAULT, TASKRT_CAUSE_IO, TASKRT_CAUSE_BLOCKED,
		TASKRT_CAUSE_FUTEX, TASKRT_CAUSE_POLL, TASKRT_CAUSE_TIMER, TASKRT_CAUSE_ASLEEP,
		TASKRT_CAUSE_STOPPED, TASKRT_CAUSE_THROTTLED, TASKRT_CAUSE_FILE,
		TASKRT_CAUSE_SOCKET, TASKRT_CAUSE_WAIT, TASKRT_CAUSE_PAUSE, TASKRT_CAUSE_YIELDED,
	};
	struct taskrt_explanation e;
	uint64_t from = MS;
	uint32_t s;

	(void)state;
	for (s = 0; s < STATES; s++, from += 11 * MS) {
		at(from);
		taskrt_window_begin(&w, self);
		spend(s, from + MS, from + 9 * MS);
		at(from + 10 * MS);
		taskrt_window_end(&w);
		assert_int_equal(explain(&e), 0);
		assert_int_equal(e.shares[0].cause, causes[s]);
		assert_int_equal(e.state, s);
		assert_int_equal(e.longest.ns, 8 * MS);
		assert_int_equal(e.longest.at_ns, SINCE + from + MS);
		assert_int_equal(e.shares[e.nr - 1].cause, TASKRT_CAUSE_UNEXPLAINED);
		assert_int_equal(sum_of_shares(&e), 10 * MS);
	}
}

/* Interrupts are carved out of computing, and the rest stays. */
static void interrupted(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_WOKEN, 0, MS);
	page->times.timers_ns[TASKRT_TIMER_HARDIRQ] += 6 * MS;
	page_interval(page_timer(page, TASKRT_TIMER_HARDIRQ), SINCE + 2 * MS, 5 * MS);
	page_interval(page_timer(page, TASKRT_TIMER_HARDIRQ), SINCE + 8 * MS, MS);
	page->times.timers_ns[TASKRT_TIMER_SOFTIRQ] += 2 * MS;
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_HARDIRQ);
	assert_int_equal(e.state, TASKRT_STATE_RUNNING);
	assert_int_equal(e.longest.ns, 5 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 2 * MS);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: interrupts 6.000 ms (60.0 %, longest 5.000 ms from "
				  "1234.002000), softirqs 2.000 ms (20.0 %), computing 1.000 ms "
				  "(10.0 %), queued 1.000 ms (10.0 %), unexplained 0.000 ms (0.0 %)");
	/* and never more than was running */
	w.spent.timers_ns[TASKRT_TIMER_HARDIRQ] = 8 * MS;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].ns, 8 * MS);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_QUEUED);
	assert_int_equal(e.shares[2].cause, TASKRT_CAUSE_SOFTIRQ);
	assert_int_equal(e.shares[2].ns, MS);
}

/* So is stolen time, which is what remains after interrupts at most. */
static void stolen(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_WOKEN, 0, MS);
	page->times.timers_ns[TASKRT_TIMER_STEAL] += 7 * MS;
	page_interval(page_timer(page, TASKRT_TIMER_STEAL), SINCE + 2 * MS, 7 * MS);
	page->times.timers_ns[TASKRT_TIMER_HARDIRQ] += MS;
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_STOLEN);
	assert_int_equal(e.state, TASKRT_STATE_RUNNING);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: stolen 7.000 ms (70.0 %, longest 7.000 ms from "
				  "1234.002000), computing 1.000 ms (10.0 %), queued 1.000 ms "
				  "(10.0 %), interrupts 1.000 ms (10.0 %), unexplained 0.000 ms "
				  "(0.0 %)");
	w.spent.timers_ns[TASKRT_TIMER_HARDIRQ] = 4 * MS;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].ns, 5 * MS);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_HARDIRQ);
}

/* So is the time in which the thread has made memory free. */
static void freeing_memory(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_IO, MS, 3 * MS);
	page->times.timers_ns[TASKRT_TIMER_RECLAIM_CPU] += 5 * MS;
	page_interval(page_timer(page, TASKRT_TIMER_RECLAIM_CPU), SINCE, 5 * MS);
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.state, TASKRT_STATE_RUNNING);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: reclaiming memory 5.000 ms (50.0 %, longest 5.000 ms from "
				  "1234.000000), computing 3.000 ms (30.0 %), I/O 2.000 ms "
				  "(20.0 %), unexplained 0.000 ms (0.0 %)");
}

/*
 * And so is the time of page faults, beside all other parts.  None of them has any of
 * another, so what is left is what the thread itself has computed.
 */
static void handling_faults(void **state)
{
	static const struct { uint32_t timer, cause, ms; } parts[] = {
		{ TASKRT_TIMER_FAULT_CPU, TASKRT_CAUSE_FAULT_CPU, 7 },
		{ TASKRT_TIMER_RECLAIM_CPU, TASKRT_CAUSE_RECLAIM_CPU, 5 },
		{ TASKRT_TIMER_HARDIRQ, TASKRT_CAUSE_HARDIRQ, 2 },
		{ TASKRT_TIMER_SOFTIRQ, TASKRT_CAUSE_SOFTIRQ, 1 },
	};
	struct taskrt_explanation e;
	char line[600];
	unsigned int i;

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_FAULT, MS, 3 * MS);
	for (i = 0; i < 4; i++)
		page->times.timers_ns[parts[i].timer] += parts[i].ms * MS;
	/* whole page faults, including the waits in them */
	page->times.timers_ns[TASKRT_TIMER_FAULT] += 9 * MS;
	at(20 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 20 * MS);
	for (i = 0; i < 4; i++)
		assert_int_equal(share_ns(&e, parts[i].cause), parts[i].ms * MS);
	assert_int_equal(share_ns(&e, TASKRT_CAUSE_FAULT), 2 * MS);
	assert_int_equal(share_ns(&e, TASKRT_CAUSE_COMPUTING), 3 * MS);
	/* It has no longest interval. */
	assert_int_equal(e.state, TASKRT_NONE);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_non_null(strstr(line, "20.000 ms: handling page faults 7.000 ms (35.0 %), "));
}

/* Over netlink the times may be coarse, and what is missing is reported as unexplained. */
static void unexplained(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	at(10 * MS);
	taskrt_window_end(&w);
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 2 * MS;
	w.spent.states_ns[TASKRT_STATE_SLEEPING] = 1;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.nr, 3);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: unexplained 8.000 ms (80.0 %), computing 2.000 ms "
				  "(20.0 %), asleep 0.000 ms (0.0 %)");
	/* and never more than elapsed */
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 12 * MS;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].ns, 10 * MS);
}

static void longest_inside(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	/* what was before, even if longer, is not in the window; what began before is, in part */
	spend(TASKRT_STATE_SLEEPING_POLL, 1 * MS, 90 * MS);
	at(95 * MS);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_SLEEPING_POLL, 97 * MS, 100 * MS);
	at(103 * MS);
	taskrt_window_end(&w);
	explain(&e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.longest.ns, 3 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 100 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 104 * MS);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 105 * MS);
	explain(&e);
	assert_int_equal(e.longest.ns, 3 * MS);

	/* a later one that is longer has taken its place */
	at(120 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 120 * MS);
	explain(&e);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.longest.ns, 0);
	assert_int_equal(sum_of_shares(&e), 8 * MS);
}

/*
 * Of many intervals in descending order the first is forgotten, but not if it is the
 * longest of all.
 */
static void longest_dropped(void **state)
{
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	taskrt_window_begin(&w, self);
	for (i = 0; i < 2 * TASKRT_PEAKS; i++)
		spend(TASKRT_STATE_STOPPED, i * MS + 1, i * MS + 900000 - i);
	at(2 * TASKRT_PEAKS * MS);
	taskrt_window_end(&w);
	explain(&e);
	assert_int_equal(e.state, TASKRT_STATE_STOPPED);
	assert_int_equal(e.longest.ns, 899999);
	assert_int_equal(e.longest.at_ns, SINCE + 1);
	page_state(page, TASKRT_STATE_STOPPED)->longest =
		(struct taskrt_longest){ .ns = 900500, .at_ns = SINCE - 900500 };
	explain(&e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_STOPPED);
	assert_int_equal(e.state, TASKRT_NONE);
}

/* The page has no single intervals, or none of that state. */
static void no_intervals(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	page->state_intervals.nr = TASKRT_STATE_STOPPED;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_SLEEPING, 1 * MS, 9 * MS);
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.state, TASKRT_STATE_SLEEPING);
	page->state_intervals.nr = TASKRT_STATE_SLEEPING;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.longest.ns, 0);
}

#define FIRST_UNKNOWN	KNOWN_STATES

/* A window of which most was spent in a state that only a later module has. */
static void spend_unknown(uint32_t unknown)
{
	at(MS);
	taskrt_window_begin(&w, self);
	spend(unknown, 2 * MS, 9 * MS);
	spend(TASKRT_STATE_SLEEPING, 9 * MS + 1000, 10 * MS);
	at(11 * MS);
	taskrt_window_end(&w);
}

/* The library reads the parents when the page is attached. */
static void set_parent(unsigned int of, uint8_t parent)
{
	page->parent[of] = parent;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
}

static void unknown_state(void **state)
{
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	page->measured.states |= 1u << FIRST_UNKNOWN;
	page->parent[FIRST_UNKNOWN] = TASKRT_STATE_SLEEPING;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	spend_unknown(FIRST_UNKNOWN);
	assert_int_equal(w.elapsed_ns, 10 * MS);
	assert_int_equal(w.spent.states_ns[FIRST_UNKNOWN], 7 * MS);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1000);
	assert_int_equal(e.state, FIRST_UNKNOWN);
	assert_int_equal(e.longest.ns, 7 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 2 * MS);
	assert_int_equal(sum_of_shares(&e), w.elapsed_ns);

	/* its grandparent is known; the longest way that there can be */
	for (i = FIRST_UNKNOWN + 1; i < TASKRT_STATES_ROOM; i++)
		set_parent(i, i - 1);
	w.spent.states_ns[23] = w.spent.states_ns[FIRST_UNKNOWN];
	w.spent.states_ns[FIRST_UNKNOWN] = 0;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1000);

	/* its own parent; each other's; a number out of range */
	set_parent(23, 23);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 7 * MS);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(sum_of_shares(&e), w.elapsed_ns);
	set_parent(23, 22);
	set_parent(22, 23);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	for (i = TASKRT_STATES_ROOM; i < 256; i++) {
		set_parent(23, i);
		assert_int_equal(explain(&e), 0);
		assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
		assert_int_equal(e.shares[0].ns, 7 * MS);
	}
}

/* A lock of a kind that has no name here. */
static void unknown_lock(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_LOCK, 1 * MS, 9 * MS);
	page->times.locks_ns[TASKRT_LOCKS_ROOM - 1] += 8 * MS;
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.lock, TASKRT_LOCKS_ROOM - 1);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: kernel lock 8.000 ms (80.0 %, longest 8.000 ms from "
				  "1234.001000), computing 2.000 ms (20.0 %), "
				  "unexplained 0.000 ms (0.0 %)");
}

/* In 1.0 */
#define MIN	560

/* A program of another release: its structure is shorter, or longer. */
static void sizes(void **state)
{
	static unsigned char bytes[2 * sizeof(struct taskrt_explanation)];
	static unsigned char untouched[sizeof(bytes)], zero[sizeof(bytes)];
	struct taskrt_explanation exact;
	size_t size;

	(void)state;
	memset(untouched, UNKNOWN, sizeof(untouched));
	taskrt_window_begin(&w, self);
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&exact), 0);
	assert_int_equal(exact.lock, TASKRT_NONE);
	memcpy(bytes, untouched, sizeof(bytes));
	for (size = 0; size < MIN; size++)
		assert_int_equal(taskrt_window_explain(&w, (void *)bytes, size), -EINVAL);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	for (; size < sizeof(bytes); size += 8) {
		size_t known = size < sizeof(exact) ? size : sizeof(exact);

		assert_int_equal(taskrt_window_explain(&w, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &exact, known);
		assert_memory_equal(bytes + known, zero, size - known);
		assert_memory_equal(bytes + size, untouched, sizeof(bytes) - size);
	}
}

static void percent_of_long_times(void **state)
{
	struct taskrt_explanation e = {
		.elapsed_ns = 1ULL << 62, .nr = 2, .state = TASKRT_NONE,
		.shares = { { .ns = 3ULL << 60, .cause = TASKRT_CAUSE_ASLEEP },
			    { .ns = 1ULL << 60, .cause = TASKRT_CAUSE_UNEXPLAINED } },
	};
	char line[600];

	(void)state;
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	assert_non_null(strstr(line, "asleep 3458764513820.541 ms (75.0 %)"));
	memset(&e, 0, sizeof(e));
	assert_int_equal(taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line)), 8);
	assert_string_equal(line, "0.000 ms");
	assert_int_equal(taskrt_explanation_format(&e, 559, 0, line, sizeof(line)), -EINVAL);
	assert_string_equal(line, "");
}

/* The length that the header promises, for windows of up to 115 days. */
static void longest_line(void **state)
{
	struct taskrt_explanation e = {
		.nr = TASKRT_CAUSE_FAULT_CPU + 1, .lock = TASKRT_LOCK_RWSEM_WRITE,
		.state = TASKRT_STATE_BLOCKED_LOCK, .woken_ns = 9999999999999999ULL,
		.waker_kind = TASKRT_WAKER_TASK, .waker_tid = 4194304,
		.waker_comm = "fifteen letters", .longest = { 9999999999999999ULL, 9999999999999999ULL },
		.slack_ns = 499999999999999ULL,
	};
	char line[1100];
	uint32_t i;

	(void)state;
	for (i = 0; i < e.nr; i++) {
		e.shares[i] = (struct taskrt_share){ .ns = 499999999999999ULL, .cause = i };
		e.elapsed_ns += e.shares[i].ns;
	}
	assert_in_range(taskrt_explanation_format(&e, sizeof(e), 1, line, sizeof(line)), 700,
			sizeof(line) - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(explained, start, finish),
		cmocka_unit_test_setup_teardown(every_cause, start, finish),
		cmocka_unit_test_setup_teardown(interrupted, start, finish),
		cmocka_unit_test_setup_teardown(stolen, start, finish),
		cmocka_unit_test_setup_teardown(freeing_memory, start, finish),
		cmocka_unit_test_setup_teardown(handling_faults, start, finish),
		cmocka_unit_test_setup_teardown(unexplained, start, finish),
		cmocka_unit_test_setup_teardown(longest_inside, start, finish),
		cmocka_unit_test_setup_teardown(longest_dropped, start, finish),
		cmocka_unit_test_setup_teardown(no_intervals, start, finish),
		cmocka_unit_test_setup_teardown(unknown_state, start, finish),
		cmocka_unit_test_setup_teardown(unknown_lock, start, finish),
		cmocka_unit_test_setup_teardown(sizes, start, finish),
		cmocka_unit_test(percent_of_long_times),
		cmocka_unit_test(longest_line),
	};

	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
