// SPDX-License-Identifier: GPL-2.0-only
/* Histories: against all intervals there were, by readers that look when they like. */
#include <errno.h>
#include <stdbool.h>

#include "unit.h"
#include "fake_page.h"

#define SINCE	1000000000ULL
#define OTHERS	1000		/* behind the clock, of a thread that sleeps */

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_history h;

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	page->mapped_since_ns = SINCE + 1;
	self->opener = NULL;
	fake_now = SINCE + OTHERS;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

static void simple(void **state)
{
	static struct taskrt_look look;
	const struct taskrt_timer_history *poll = &h.timers[TASKRT_STATE_SLEEPING_POLL];

	(void)state;
	memset(&look, 0, sizeof(look));
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 100);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 140);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 200);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 210);
	fake_now = SINCE + 230 + OTHERS;
	assert_int_equal(taskrt_history(self, &look, &h), 0);
	assert_int_equal(h.from_ns, SINCE + 1);
	assert_int_equal(h.to_ns, SINCE + 230);
	assert_int_equal(poll->counts[5], 1);
	assert_int_equal(poll->counts[3], 1);
	assert_int_equal(poll->longest.ns, 40);
	assert_int_equal(poll->longest.at_ns, SINCE + 100);
	assert_int_equal(poll->exact, 1);
	assert_int_equal(poll->in_progress, 0);
	/* running: a hundred, sixty, and twenty in progress */
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].counts[6], 1);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].counts[5], 1);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].longest.ns, 100);
	assert_int_equal(h.timers[TASKRT_STATE_STOPPED].longest.ns, 0);

	/* since then: nothing ended, and what is in progress is the longest */
	fake_now = SINCE + 900 + OTHERS;
	assert_int_equal(taskrt_history(self, &look, &h), 0);
	assert_int_equal(h.from_ns, SINCE + 230);
	assert_int_equal(poll->counts[5] + poll->counts[3], 0);
	assert_int_equal(poll->longest.ns, 0);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].longest.ns, 690);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].longest.at_ns, SINCE + 210);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].in_progress, 1);
}

static void in_progress(void **state)
{
	static struct taskrt_look look;

	(void)state;
	memset(&look, 0, sizeof(look));
	page->in_progress = TASKRT_IN_FAULT | TASKRT_IN_LOCK;
	page->fault_since_ns = SINCE + 10;
	page->lock_since_ns = SINCE + 20;
	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + 30);
	fake_now = SINCE + 130 + OTHERS;
	assert_int_equal(taskrt_history(self, &look, &h), 0);
	assert_int_equal(h.timers[TASKRT_TIMER_FAULT].longest.ns, 120);
	assert_int_equal(h.timers[TASKRT_TIMER_FAULT].in_progress, 1);
	assert_int_equal(h.timers[TASKRT_TIMER_LOCK].longest.ns, 110);
	assert_int_equal(h.timers[TASKRT_STATE_BLOCKED_LOCK].longest.ns, 100);

	page->status = TASKRT_PAGE_ENDED;
	fake_now = SINCE + 999 + OTHERS;
	assert_int_equal(taskrt_history(self, &look, &h), TASKRT_SELF_STOPPED);
	assert_int_equal(h.to_ns, SINCE + 30);
	assert_int_equal(h.timers[TASKRT_STATE_BLOCKED_LOCK].longest.ns, 0);
}

/* A reader, and all that it has not looked at yet. */
struct reader {
	struct taskrt_look look;
	uint32_t counts[TASKRT_NR_STATES][TASKRT_NR_BUCKETS];
	struct taskrt_longest longest[TASKRT_NR_STATES];
};

static void remember(struct reader *reader, uint32_t state, uint64_t at, uint64_t ns)
{
	reader->counts[state][ns ? 63 - __builtin_clzll(ns) : 0]++;
	/* of several as long the last one, as the page keeps them */
	if (ns >= reader->longest[state].ns)
		reader->longest[state] = (struct taskrt_longest){ .ns = ns, .at_ns = at };
}

/* Return: was each answer exact? */
static bool compare(struct reader *reader, uint32_t now_in)
{
	bool exact = true;
	uint32_t state;

	assert_int_equal(taskrt_history(self, &reader->look, &h), 0);
	for (state = 0; state < TASKRT_NR_STATES; state++) {
		const struct taskrt_timer_history *timer = &h.timers[state];

		assert_memory_equal(timer->counts, reader->counts[state], sizeof(timer->counts));
		exact = exact && timer->exact;
		if (state == now_in && timer->in_progress)
			continue;
		if (timer->exact)
			assert_memory_equal(&timer->longest, &reader->longest[state],
					    sizeof(timer->longest));
	}
	memset(reader->counts, 0, sizeof(reader->counts));
	memset(reader->longest, 0, sizeof(reader->longest));
	return exact;
}

static void readers(void **state)
{
	static struct reader of[3];
	static const unsigned int every[] = { 1, 7, 500 };
	unsigned int seed = 7, i, r, exact = 0, looks = 0;
	uint64_t now = SINCE, ns;
	uint32_t in = TASKRT_STATE_RUNNING, next;

	(void)state;
	memset(of, 0, sizeof(of));
	for (i = 1; i < 20000; i++) {
		ns = 1 + rand_r(&seed) % (1u << (rand_r(&seed) % 28));
		next = rand_r(&seed) % TASKRT_NR_STATES;
		for (r = 0; r < 3; r++)
			remember(&of[r], in, now, ns);
		now += ns;
		page_switch(page, next, now);
		in = next;
		fake_now = now + OTHERS + rand_r(&seed) % 100;
		for (r = 0; r < 3; r++)
			if (i % every[r] == 0) {
				looks++;
				exact += compare(&of[r], in);
			}
	}
	/* room is short for the one that looks seldom only */
	assert_true(exact > looks * 9 / 10);
}

/* More in descending order than there is room for: it is said, not hidden. */
static void no_room(void **state)
{
	static struct taskrt_look look, late;
	const struct taskrt_timer_history *stopped = &h.timers[TASKRT_STATE_STOPPED];
	uint64_t now = SINCE;
	unsigned int i;

	(void)state;
	memset(&look, 0, sizeof(look));
	memset(&late, 0, sizeof(late));
	for (i = 0; i < 2 * TASKRT_NR_PEAKS; i++) {
		page_switch(page, TASKRT_STATE_STOPPED, now + 10);
		now += 10 + 1000 - i;
		page_switch(page, TASKRT_STATE_RUNNING, now);
		fake_now = now + OTHERS;
		if (i == 4)
			taskrt_history(self, &late, &h);
	}
	/* the longest of all is known besides */
	assert_int_equal(taskrt_history(self, &look, &h), 0);
	assert_int_equal(stopped->longest.ns, 1000);
	assert_int_equal(stopped->exact, 1);
	/* the sixth was the longest since; it was dropped, and what is left is nearby */
	assert_int_equal(taskrt_history(self, &late, &h), 0);
	assert_int_equal(stopped->exact, 0);
	assert_int_equal(stopped->longest.ns, 1000 - TASKRT_NR_PEAKS);
	/* and of what came after all that it is exact again */
	assert_int_equal(taskrt_history(self, &late, &h), 0);
	assert_int_equal(stopped->exact, 1);
	assert_int_equal(stopped->longest.ns, 0);
}

/* The longest of all was before the thread was opened. */
static void before_it_was_opened(void **state)
{
	static struct taskrt_look look;
	const struct taskrt_timer_history *stopped = &h.timers[TASKRT_STATE_STOPPED];

	(void)state;
	memset(&look, 0, sizeof(look));
	page->mapped_since_ns = SINCE + 1000;
	page->longest[TASKRT_STATE_STOPPED] =
		(struct taskrt_longest){ .ns = 900, .at_ns = SINCE + 50 };
	page->intervals[TASKRT_STATE_STOPPED] = (struct taskrt_intervals){
		.nr_peaks = 1, .dropped_ns = SINCE + 1500,
		.peaks = { { .ns = 100, .at_ns = SINCE + 1600 } },
	};
	assert_int_equal(taskrt_history(self, &look, &h), 0);
	assert_int_equal(stopped->longest.ns, 100);
	assert_int_equal(stopped->exact, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(simple, start, finish),
		cmocka_unit_test_setup_teardown(in_progress, start, finish),
		cmocka_unit_test_setup_teardown(readers, start, finish),
		cmocka_unit_test_setup_teardown(no_room, start, finish),
		cmocka_unit_test_setup_teardown(before_it_was_opened, start, finish),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
