// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows that start when the work was due, before the thread came to it; also if the thread
 * was queued for longer than 32 bits of nanoseconds, 4.3 s.
 */
#include <errno.h>

#define SINCE	1234000000000ULL

#include "own_page.h"
#include "self/deadline.h"
#define TASKRT_EXPERIMENTAL
#include "taskrt_experimental.h"

#define MS	1000000ULL

static struct taskrt_window w;

static int start_window(void **state)
{
	memset(&w, 0xff, sizeof(w));
	return start(state);
}

/* The thread is woken into a state, as the module writes it; expiry 0: by no timer. */
static void wake_as(uint32_t queued, uint32_t waited, uint64_t from, uint64_t woken,
		    uint64_t expiry)
{
	unsigned int i;

	page_switch(page, waited, SINCE + from);
	page_begin(page, 0);
	page_enter(page, queued, SINCE + woken);
	page->expiry_ns = expiry ? SINCE + expiry : 0;
	page->wait_ns = SINCE + from;
	page->woken_ns = SINCE + woken;
	page->queued_ns = UINT64_MAX;
	page->waited = waited;
	page->waker_kind = expiry ? TASKRT_WAKER_TIMER : TASKRT_WAKER_UNKNOWN;
	page->queued_as = queued;
	for (i = 0; i < STATES; i++)
		*page_held(page, i) = 0;
	page->held = 0;
	if (expiry) {
		page->times.timers_ns[TASKRT_TIMER_EXPIRY] += woken - expiry;
		page_interval(page_timer(page, TASKRT_TIMER_EXPIRY), SINCE + expiry, woken - expiry);
	}
	page_end(page, 0);
}

static void wake(uint32_t waited, uint64_t from, uint64_t woken, uint64_t expiry)
{
	wake_as(TASKRT_STATE_WOKEN, waited, from, woken, expiry);
}

static void go_on(uint64_t started)
{
	page_begin(page, 0);
	page->queued_ns = SINCE + started - page->woken_ns;
	page_enter(page, TASKRT_STATE_RUNNING, SINCE + started);
	page_end(page, 0);
}

/* After that, the thread is in another state for some time. */
static void hold(uint32_t state, uint64_t from, uint64_t until)
{
	spend(state, from, until);
	*page_held(page, state) += until - from;
	page->held = 1;
}

/* Asleep from 1 to 15 ms, while the timer was set for 10; on a CPU from 17 ms on. */
static void be_late(uint64_t expiry)
{
	wake(TASKRT_STATE_SLEEPING_POLL, MS, 15 * MS, expiry);
	go_on(17 * MS);
}

/* From 18 to 25 ms at work.  due: since the beginning; 0: the timer's. */
static void work(uint64_t due)
{
	self->last_ns = 0;
	self->due_woken_ns = 0;
	at(18 * MS);
	assert_int_equal(taskrt_window_begin_due(&w, self, due ? SINCE + due : 0), 0);
	at(25 * MS);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.end_ns, SINCE + 25 * MS);
	assert_int_equal(w.elapsed_ns, w.end_ns - w.begin_ns);
}

static void begins(uint64_t due)
{
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED | TASKRT_WINDOW_DUE);
	assert_int_equal(w.begin_ns, SINCE + due);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
}

static void spent(uint64_t asleep, uint64_t late, uint64_t queued, uint64_t running)
{
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_SLEEPING_POLL], asleep);
	assert_int_equal(w.spent.timers_ns[TASKRT_TIMER_EXPIRY], late);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_WOKEN], queued);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], running);
}

static void late_timer(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	be_late(10 * MS);
	work(0);
	begins(10 * MS);
	spent(5 * MS, 5 * MS, 2 * MS, 8 * MS);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	taskrt_explanation_format(&e, sizeof(e), 10 * MS, line, sizeof(line));
	assert_string_equal(line, "late by 5.000 ms of 10.000: computing 8.000 ms (53.3 %, longest "
				  "8.000 ms from 1234.017000), late timer 5.000 ms (33.3 %), queued "
				  "2.000 ms (13.3 %), unexplained 0.000 ms (0.0 %)");
	assert_int_equal(e.state, TASKRT_STATE_RUNNING);
}

/* The timer is the first cause, and of its intervals the longest is known. */
static void later_timer(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	wake(TASKRT_STATE_SLEEPING_FUTEX, MS, 17 * MS, 2 * MS);
	go_on(17 * MS);
	work(0);
	begins(2 * MS);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_EXPIRY);
	assert_int_equal(e.shares[0].ns, 15 * MS);
	assert_int_equal(e.state, TASKRT_STATE_SLEEPING_FUTEX);
	assert_int_equal(e.longest.ns, 15 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 2 * MS);
	/* it is no cause of a wait for a lock, and never longer than the waits */
	w.spent.states_ns[TASKRT_STATE_BLOCKED_LOCK] = w.spent.states_ns[TASKRT_STATE_SLEEPING_FUTEX] - MS;
	w.spent.states_ns[TASKRT_STATE_SLEEPING_FUTEX] = MS;
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_LOCK);
	assert_int_equal(e.shares[0].ns, 14 * MS);
	assert_int_equal(e.shares[2].cause, TASKRT_CAUSE_EXPIRY);
	assert_int_equal(e.shares[2].ns, MS);
}

static void given(void **state)
{
	(void)state;
	be_late(10 * MS);
	work(12 * MS);
	begins(12 * MS);
	spent(3 * MS, 3 * MS, 2 * MS, 8 * MS);
	work(5 * MS);
	begins(5 * MS);
	spent(10 * MS, 5 * MS, 2 * MS, 8 * MS);
	work(16 * MS);
	begins(16 * MS);
	spent(0, 0, MS, 8 * MS);
	/* not before the wait */
	work(MS / 2);
	begins(MS);
	spent(14 * MS, 5 * MS, 2 * MS, 8 * MS);
}

/* The thread was woken in time, and its CPU time was used up. */
static void throttled(void **state)
{
	(void)state;
	wake_as(TASKRT_STATE_THROTTLED, TASKRT_STATE_SLEEPING_POLL, MS, 15 * MS, 10 * MS);
	go_on(17 * MS);
	work(0);
	begins(10 * MS);
	spent(5 * MS, 5 * MS, 0, 8 * MS);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_THROTTLED], 2 * MS);
	work(16 * MS);
	begins(16 * MS);
	spent(0, 0, 0, 8 * MS);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_THROTTLED], MS);
}

/* Whoever wakes the thread is late. */
static void event(void **state)
{
	(void)state;
	be_late(0);
	work(10 * MS);
	begins(10 * MS);
	spent(5 * MS, 0, 2 * MS, 8 * MS);
}

static void tells(uint64_t due, const char *end)
{
	struct taskrt_explanation e;
	char line[600];
	const char *at;

	work(due);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	at = strchr(line, ';');
	if (end)
		assert_string_equal(at, end);
	else
		assert_null(at);
	/* A program that was built with 1.0 gets the line without that. */
	taskrt_explanation_format(&e, 560, 0, line, sizeof(line));
	assert_null(strchr(line, ';'));
}

static void waker(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	be_late(0);
	*page_waker(page) = (struct taskrt_waker){ .tid = 812, .comm = "jackd" };
	tells(10 * MS, NULL);
	page->waker_kind = TASKRT_WAKER_TASK;
	tells(10 * MS, "; woken 5.000 ms late by jackd (812)");
	taskrt_window_explain(&w, &e, sizeof(e));
	assert_int_equal(e.woken_ns, SINCE + 15 * MS);
	assert_int_equal(e.waker_kind, TASKRT_WAKER_TASK);
	assert_int_equal(e.waker_tid, 812);
	assert_string_equal(e.waker_comm, "jackd");
	memcpy(page_waker(page)->comm, "a\n\33\177\377 name, full", 16);
	tells(10 * MS, "; woken 5.000 ms late by a???? name, full (812)");
	page->waker_kind = TASKRT_WAKER_INTERRUPT;
	tells(14 * MS, "; woken 1.000 ms late");
	taskrt_window_explain(&w, &e, sizeof(e));
	assert_int_equal(e.waker_tid, 0);
	assert_string_equal(e.waker_comm, "");
	page->waker_kind = TASKRT_WAKER_OTHER;
	tells(14 * MS, "; woken 1.000 ms late by another task");
	/* a kind that is not known yet */
	page->waker_kind = 99;
	tells(14 * MS, NULL);
	page->waker_kind = TASKRT_WAKER_TIMER;
	tells(14 * MS, NULL);
	/* it was woken in time */
	page->waker_kind = TASKRT_WAKER_TASK;
	tells(15 * MS, NULL);
	tells(16 * MS, NULL);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.woken_ns, 0);
	/* and the window did not begin when it was due */
	tells(30 * MS, NULL);
}

static void is_permitted(uint64_t due, uint64_t slack_ns, const char *words)
{
	struct taskrt_explanation e;
	char line[600];

	work(due);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.slack_ns, slack_ns);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	if (words)
		assert_non_null(strstr(line, words));
	else
		assert_null(strstr(line, "slack"));
	/* One that was built before has no room for it. */
	taskrt_explanation_format(&e, 592, 0, line, sizeof(line));
	assert_null(strstr(line, "slack"));
}

/* What the timer slack permits is said, unless it is next to nothing. */
static void slack(void **state)
{
	(void)state;
	/* Asleep from 1 to 15 ms, with a timer that was set for 14 at the latest. */
	wake(TASKRT_STATE_SLEEPING_TIMER, MS, 15 * MS, 14 * MS);
	go_on(17 * MS);
	page_waker(page)->slack_us = 25000;
	is_permitted(4 * MS, 25 * MS, "timer 10.000 ms (47.6 %, timer slack up to 25.000 ms, "
				      "longest 11.000 ms from 1234.004000)");
	page_waker(page)->slack_us = 50;
	is_permitted(4 * MS, 50000, NULL);
	page_waker(page)->slack_us = 0;
	is_permitted(4 * MS, 0, NULL);
	/* The timer did not wake it; it did not sleep for a time; or not in the window. */
	page_waker(page)->slack_us = 25000;
	page->waker_kind = TASKRT_WAKER_TASK;
	is_permitted(4 * MS, 0, NULL);
	page->waker_kind = TASKRT_WAKER_TIMER;
	page->waited = TASKRT_STATE_SLEEPING_POLL;
	is_permitted(4 * MS, 0, NULL);
	page->waited = TASKRT_STATE_SLEEPING_TIMER;
	is_permitted(30 * MS, 0, NULL);
}

/* A plain window from 18 to 30 ms: how its line ends. */
static void tells_plain(const char *end)
{
	struct taskrt_explanation e;
	char line[600];
	const char *found;

	at(30 * MS);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	found = strchr(line, ';');
	if (end)
		assert_string_equal(found, end);
	else
		assert_null(found);
}

static void wait_for(uint32_t kind, uint64_t from, uint64_t until)
{
	wake(TASKRT_STATE_SLEEPING_FUTEX, from, until, 0);
	page->waker_kind = kind;
	go_on(until + MS / 4);
}

/* The waker of the longest wait of a window that has begun at once. */
static void plain_waker(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	*page_waker(page) = (struct taskrt_waker){ .tid = 812, .comm = "jackd" };
	at(18 * MS);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	tells_plain(NULL);
	wait_for(TASKRT_WAKER_TASK, 19 * MS, 20 * MS);
	tells_plain(NULL);	/* computing is the largest cause */
	wait_for(TASKRT_WAKER_TASK, 21 * MS, 28 * MS);
	tells_plain("; woken by jackd (812)");
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.woken_ns, SINCE + 28 * MS);
	assert_int_equal(e.waker_kind, TASKRT_WAKER_TASK);
	assert_int_equal(e.waker_tid, 812);
	assert_string_equal(e.waker_comm, "jackd");
	page->waker_kind = TASKRT_WAKER_OTHER;
	tells_plain("; woken by another task");
	page->waker_kind = TASKRT_WAKER_INTERRUPT;
	tells_plain(NULL);
	page->waker_kind = TASKRT_WAKER_TIMER;
	tells_plain(NULL);
	page->waker_kind = TASKRT_WAKER_TASK;
	/* A wait in another state is another one, and so is one that was not the longest. */
	page->waited = TASKRT_STATE_SLEEPING_POLL;
	tells_plain(NULL);
	page->waited = TASKRT_STATE_SLEEPING_FUTEX;
	tells_plain("; woken by jackd (812)");
	wait_for(TASKRT_WAKER_TASK, 29 * MS, 29 * MS + MS / 2);
	tells_plain(NULL);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.woken_ns, 0);
}

static void begins_now(uint64_t due)
{
	work(due);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED);
	assert_int_equal(w.begin_ns, SINCE + 18 * MS);
	spent(0, 0, 0, 7 * MS);
}

static void not_due(void **state)
{
	(void)state;
	begins_now(0);		/* was never woken */
	begins_now(10 * MS);
	be_late(0);
	begins_now(0);		/* by no timer */
	begins_now(17 * MS);	/* was at work */
	begins_now(30 * MS);	/* not yet */
	page->expiry_ns = SINCE + 10 * MS;
	self->measured.timers &= ~(1u << TASKRT_TIMER_EXPIRY);
	begins_now(0);
}

/* The next cycle has not waited, so the timer was not for it. */
static void once(void **state)
{
	(void)state;
	be_late(10 * MS);
	work(0);
	begins(10 * MS);
	at(26 * MS);
	assert_int_equal(taskrt_window_begin_due(&w, self, 0), 0);
	assert_int_equal(w.flags, 0);
	assert_int_equal(w.begin_ns, SINCE + 26 * MS);
}

/* A timer that was set for a time before the wait is late from the wait on. */
static void overdue(void **state)
{
	(void)state;
	be_late(10 * MS);
	page->expiry_ns = SINCE + MS / 2;
	page->times.timers_ns[TASKRT_TIMER_EXPIRY] = 14 * MS;
	work(0);
	begins(MS);
	spent(14 * MS, 14 * MS, 2 * MS, 8 * MS);
}

static void final(void **state)
{
	(void)state;
	be_late(10 * MS);
	page_final(page, TASKRT_PAGE_STOPPED, SINCE + 18 * MS);
	at(19 * MS);
	assert_int_equal(taskrt_window_begin_due(&w, self, 0), 0);
	assert_int_equal(w.flags, TASKRT_FINAL);
	assert_int_equal(w.begin_ns, SINCE + 18 * MS);
}

/* The page does not say yet how long the thread was in the queue. */
static void not_known(void **state)
{
	(void)state;
	be_late(10 * MS);
	page->queued_ns = UINT64_MAX;
	begins_now(0);
}

/* From when the thread has got a CPU until 7 ms later. */
static void work_after(uint64_t started, uint64_t due)
{
	self->last_ns = 0;
	self->due_woken_ns = 0;
	at(started + MS);
	assert_int_equal(taskrt_window_begin_due(&w, self, SINCE + due), 0);
	at(started + 7 * MS);
	assert_int_equal(taskrt_window_end(&w), 0);
}

/* In the queue for longer than 32 bits hold. */
static void queued_for_long(void **state)
{
	static const uint64_t lengths[] = { UINT32_MAX, 5000 * MS };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		const uint64_t queued = lengths[i], started = 15 * MS + queued;

		start_with(page_new(SINCE));
		wake(TASKRT_STATE_SLEEPING_POLL, MS, 15 * MS, 10 * MS);
		go_on(started);
		work_after(started, 10 * MS);
		begins(10 * MS);
		spent(5 * MS, 5 * MS, queued, 7 * MS);
		/* it was due just before the thread got its CPU */
		work_after(started, started - 1000);
		begins(started - 1000);
		spent(0, 0, 1000, 7 * MS);
		/* and just after that */
		work_after(started, started);
		assert_int_equal(w.flags, TASKRT_WINDOW_ENDED);
	}
}

/* Between the wake-up and the window, something else happened as well. */
static void held_up(void **state)
{
	static const uint32_t states[] = {
		TASKRT_STATE_PREEMPTED, TASKRT_STATE_THROTTLED, TASKRT_STATE_BLOCKED_LOCK,
	};
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	be_late(10 * MS);
	for (i = 0; i < 3; i++)
		hold(states[i], (17100 + i * 300) * 1000, (17200 + i * 300) * 1000);
	work(0);
	begins(10 * MS);
	spent(5 * MS, 5 * MS, 2 * MS, 7700 * 1000);
	for (i = 0; i < 3; i++)
		assert_int_equal(w.spent.states_ns[states[i]], 100 * 1000);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.longest.ns, 7200 * 1000);
	/* at a time when the thread was in the queue already */
	work(16 * MS);
	begins(16 * MS);
	spent(0, 0, MS, 7700 * 1000);
}

/* What the thread was woken into is not what it was in later. */
static void held_up_after_throttled(void **state)
{
	(void)state;
	wake_as(TASKRT_STATE_THROTTLED, TASKRT_STATE_SLEEPING_POLL, MS, 15 * MS, 10 * MS);
	go_on(16 * MS);
	hold(TASKRT_STATE_WOKEN, 16 * MS, 17900 * 1000);
	work(15500 * 1000);
	begins(15500 * 1000);
	spent(0, 0, 1900 * 1000, 7100 * 1000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_THROTTLED], 500 * 1000);
}

/* The thread is switched out and in so often while a window begins. */
static unsigned int switches;

static int switching_clock(clockid_t clock, struct timespec *now)
{
	if (switches) {
		switches--;
		page->changes[0] += 2;
	}
	return fake_clock(clock, now);
}

/* What the window begins with and the wake-up are of one instant, or not used. */
static void in_between(void **state)
{
	(void)state;
	be_late(10 * MS);
	self->clock = switching_clock;
	switches = 1;
	work(0);
	begins(10 * MS);
	spent(5 * MS, 5 * MS, 2 * MS, 8 * MS);
	assert_int_equal(switches, 0);
	switches = -1;
	work(0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED);
	spent(0, 0, 0, w.elapsed_ns);
	switches = 0;
	/* the thread is not at work: the page is that of another instant */
	page_switch(page, TASKRT_STATE_PREEMPTED, SINCE + 17500 * 1000);
	at(18 * MS);
	assert_int_equal(taskrt_window_begin_due(&w, self, 0), 0);
	assert_int_equal(w.flags, 0);
}

/* An older module does not say what has held the thread up. */
static void not_said(void **state)
{
	(void)state;
	be_late(10 * MS);
	page->held_states.nr = 0;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	self->clock = fake_clock;
	begins_now(0);
}

static void failures(void **state)
{
	(void)state;
	assert_int_equal(taskrt_window_begin_due(&w, NULL, 0), -EINVAL);
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	page->changes[0] = 1;
	assert_int_equal(taskrt_window_begin_due(&w, self, 0), -EAGAIN);
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	assert_int_equal(taskrt_deadline_begin_due(NULL, 0), -EINVAL);
}

/* The work takes 7 ms, and ends 15 ms after it was due. */
static void deadline(void **state)
{
	struct taskrt_page *other = page_new(SINCE);
	struct taskrt_self *mine = fake_self(other);
	struct taskrt_deadline *d = taskrt_deadline_new(mine, 14 * MS);
	char line[600];

	(void)state;
	start_with(other);
	be_late(10 * MS);
	at(18 * MS);
	assert_int_equal(taskrt_deadline_begin_due(d, 0), 0);
	at(25 * MS);
	assert_int_equal(taskrt_deadline_end(d), 1);
	assert_int_equal(taskrt_deadline_next(d, line, sizeof(line), 0), 1);
	assert_memory_equal(line, "late by 1.000 ms of 14.000: ", 28);
	assert_non_null(strstr(line, "late timer 5.000 ms (33.3 %)"));
	taskrt_deadline_close(d);
}

static int cycle(struct taskrt_deadline *d, uint64_t due, uint64_t from, uint64_t until)
{
	at(from);
	assert_int_equal(taskrt_deadline_begin_due(d, due), 0);
	at(until);
	return taskrt_deadline_end(d);
}

/* A wait in one cycle is not the wait for the next. */
static void next_cycle(void **state)
{
	struct taskrt_page *other = page_new(SINCE);
	struct taskrt_deadline *d = taskrt_deadline_new(fake_self(other), 5 * MS);

	(void)state;
	start_with(other);
	at(0);
	assert_int_equal(taskrt_deadline_begin(d), 0);
	be_late(10 * MS);
	at(18 * MS);
	assert_int_equal(taskrt_deadline_end(d), 1);
	assert_int_equal(cycle(d, 0, 19 * MS, 20 * MS), 0);
	assert_int_equal(cycle(d, SINCE + 10 * MS, 21 * MS, 22 * MS), 0);
	wake(TASKRT_STATE_SLEEPING_POLL, 23 * MS, 24 * MS, 24 * MS);
	go_on(30 * MS);
	assert_int_equal(cycle(d, 0, 31 * MS, 32 * MS), 1);
	taskrt_deadline_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(late_timer, start_window, finish),
		cmocka_unit_test_setup_teardown(later_timer, start_window, finish),
		cmocka_unit_test_setup_teardown(given, start_window, finish),
		cmocka_unit_test_setup_teardown(throttled, start_window, finish),
		cmocka_unit_test_setup_teardown(event, start_window, finish),
		cmocka_unit_test_setup_teardown(waker, start_window, finish),
		cmocka_unit_test_setup_teardown(slack, start_window, finish),
		cmocka_unit_test_setup_teardown(plain_waker, start_window, finish),
		cmocka_unit_test_setup_teardown(not_due, start_window, finish),
		cmocka_unit_test_setup_teardown(once, start_window, finish),
		cmocka_unit_test_setup_teardown(overdue, start_window, finish),
		cmocka_unit_test_setup_teardown(final, start_window, finish),
		cmocka_unit_test_setup_teardown(not_known, start_window, finish),
		cmocka_unit_test_setup_teardown(queued_for_long, start_window, finish),
		cmocka_unit_test_setup_teardown(held_up, start_window, finish),
		cmocka_unit_test_setup_teardown(held_up_after_throttled, start_window, finish),
		cmocka_unit_test_setup_teardown(in_between, start_window, finish),
		cmocka_unit_test_setup_teardown(not_said, start_window, finish),
		cmocka_unit_test_setup_teardown(failures, start_window, finish),
		cmocka_unit_test_setup_teardown(deadline, start_window, finish),
		cmocka_unit_test_setup_teardown(next_cycle, start_window, finish),
	};

	return cmocka_run_group_tests_name("due", tests, NULL, NULL);
}
