// SPDX-License-Identifier: GPL-2.0-only
/* Histograms against the list of all intervals, for readers that read whenever they like. */
#include <errno.h>
#include <stdbool.h>

#include "unit.h"
#include "fake_page.h"

#define SINCE	1000000000ULL
#define OTHERS	1000		/* behind the clock, of a thread that sleeps */

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_histogram *h;
static struct taskrt_histogram_span span;
static struct taskrt_distribution d;

static void open_page(struct taskrt_page *new)
{
	page = new;
	page->mapped_since_ns = SINCE + 1;
	self = fake_self(page);
	self->opener = NULL;
	assert_int_equal(taskrt_histogram_open(&h, self), 0);
}

static int start(void **state)
{
	(void)state;
	fake_now = SINCE + OTHERS;
	open_page(page_new(SINCE));
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_histogram_close(h);
	taskrt_self_close(self);
	free(page);
	return 0;
}

static int look(void)
{
	return taskrt_histogram_read(h, &span, sizeof(span));
}

static const struct taskrt_distribution *of_state(unsigned int state)
{
	assert_int_equal(taskrt_histogram_state(h, state, &d, sizeof(d)), 0);
	return &d;
}

static const struct taskrt_distribution *of_timer(unsigned int timer)
{
	assert_int_equal(taskrt_histogram_timer(h, timer, &d, sizeof(d)), 0);
	return &d;
}

static void simple(void **state)
{
	(void)state;
	/* nobody has looked yet */
	assert_int_equal(of_state(TASKRT_STATE_RUNNING)->longest.ns, 0);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 100);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 140);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 200);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 210);
	fake_now = SINCE + 230 + OTHERS;
	assert_int_equal(look(), 0);
	assert_int_equal(span.from_ns, SINCE + 1);
	assert_int_equal(span.to_ns, SINCE + 230);
	assert_int_equal(span.flags, 0);
	of_state(TASKRT_STATE_SLEEPING_POLL);
	assert_int_equal(d.counts[5], 1);
	assert_int_equal(d.counts[3], 1);
	assert_int_equal(d.longest.ns, 40);
	assert_int_equal(d.longest.at_ns, SINCE + 100);
	assert_int_equal(d.exact, 1);
	assert_int_equal(d.in_progress, 0);
	/* running: a hundred, sixty, and twenty in progress */
	of_state(TASKRT_STATE_RUNNING);
	assert_int_equal(d.counts[6], 1);
	assert_int_equal(d.counts[5], 1);
	assert_int_equal(d.longest.ns, 100);
	assert_int_equal(of_state(TASKRT_STATE_STOPPED)->longest.ns, 0);

	/* since then: nothing ended, and what is in progress is the longest */
	fake_now = SINCE + 900 + OTHERS;
	assert_int_equal(look(), 0);
	assert_int_equal(span.from_ns, SINCE + 230);
	of_state(TASKRT_STATE_SLEEPING_POLL);
	assert_int_equal(d.counts[5] + d.counts[3], 0);
	assert_int_equal(d.longest.ns, 0);
	of_state(TASKRT_STATE_RUNNING);
	assert_int_equal(d.longest.ns, 690);
	assert_int_equal(d.longest.at_ns, SINCE + 210);
	assert_int_equal(d.in_progress, 1);

	/* of what begins now there is nothing yet */
	page_switch(page, TASKRT_STATE_STOPPED, SINCE + 900);
	assert_int_equal(look(), 0);
	assert_int_equal(of_state(TASKRT_STATE_STOPPED)->in_progress, 0);
	assert_int_equal(d.longest.at_ns, 0);
	assert_int_equal(of_state(TASKRT_STATE_RUNNING)->longest.ns, 690);
	assert_int_equal(d.in_progress, 0);
}

/* A read that failed changes nothing. */
static void failed_look(void **state)
{
	(void)state;
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 100);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 140);
	fake_now = SINCE + 150 + OTHERS;
	assert_int_equal(look(), 0);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 200);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 270);
	fake_now = SINCE + 300 + OTHERS;
	page->changes[0]++;
	memset(&span, UNKNOWN, sizeof(span));
	assert_int_equal(look(), -EAGAIN);
	assert_int_equal(span.flags, 0xa5a5a5a5);
	assert_int_equal(of_state(TASKRT_STATE_SLEEPING_POLL)->longest.ns, 40);
	assert_int_equal(d.counts[5], 1);
	page->changes[0]++;
	assert_int_equal(look(), 0);
	assert_int_equal(span.from_ns, SINCE + 150);
	assert_int_equal(of_state(TASKRT_STATE_SLEEPING_POLL)->longest.ns, 70);
	assert_int_equal(d.counts[5], 0);
	assert_int_equal(d.counts[6], 1);
}

static void in_progress(void **state)
{
	(void)state;
	page->in_progress = 1u << TASKRT_TIMER_FAULT | 1u << TASKRT_TIMER_LOCK;
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 10;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 20;
	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + 30);
	fake_now = SINCE + 130 + OTHERS;
	assert_int_equal(look(), 0);
	assert_int_equal(of_timer(TASKRT_TIMER_FAULT)->longest.ns, 120);
	assert_int_equal(d.in_progress, 1);
	assert_int_equal(of_timer(TASKRT_TIMER_LOCK)->longest.ns, 110);
	assert_int_equal(of_state(TASKRT_STATE_BLOCKED_LOCK)->longest.ns, 100);

	page_final(page, TASKRT_PAGE_ENDED, SINCE + 140);
	fake_now = SINCE + 999 + OTHERS;
	assert_int_equal(look(), 0);
	assert_int_equal(span.flags, TASKRT_FINAL);
	assert_int_equal(span.to_ns, SINCE + 140);
	assert_int_equal(of_state(TASKRT_STATE_BLOCKED_LOCK)->longest.ns, 110);
	assert_int_equal(d.in_progress, 0);
	assert_int_equal(of_timer(TASKRT_TIMER_FAULT)->longest.ns, 0);
	assert_int_equal(look(), 0);
	assert_int_equal(span.flags, TASKRT_FINAL);
	assert_int_equal(of_state(TASKRT_STATE_BLOCKED_LOCK)->longest.ns, 0);
}

/* A reader, and all that it has not looked at yet. */
struct reader {
	struct taskrt_histogram *h;
	uint32_t counts[STATES][TASKRT_BUCKETS];
	struct taskrt_longest longest[STATES];
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

	assert_int_equal(taskrt_histogram_read(reader->h, NULL, 0), 0);
	for (state = 0; state < STATES; state++) {
		assert_int_equal(taskrt_histogram_state(reader->h, state, &d, sizeof(d)), 0);
		assert_memory_equal(d.counts, reader->counts[state], sizeof(d.counts));
		exact = exact && d.exact;
		if (state == now_in && d.in_progress)
			continue;
		if (d.exact)
			assert_memory_equal(&d.longest, &reader->longest[state],
					    sizeof(d.longest));
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
	for (r = 0; r < 3; r++)
		assert_int_equal(taskrt_histogram_open(&of[r].h, self), 0);
	for (i = 1; i < 20000; i++) {
		ns = 1 + rand_r(&seed) % (1u << (rand_r(&seed) % 28));
		next = rand_r(&seed) % STATES;
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
	for (r = 0; r < 3; r++)
		taskrt_histogram_close(of[r].h);
}

/* More intervals in descending order than there is room for: the answer says so. */
static void no_room(void **state)
{
	struct taskrt_histogram *early = h;
	uint64_t now = SINCE;
	unsigned int i;

	(void)state;
	assert_int_equal(taskrt_histogram_open(&h, self), 0);
	for (i = 0; i < 2 * TASKRT_PEAKS; i++) {
		page_switch(page, TASKRT_STATE_STOPPED, now + 10);
		now += 10 + 1000 - i;
		page_switch(page, TASKRT_STATE_RUNNING, now);
		fake_now = now + OTHERS;
		if (i == 4)
			look();
	}
	/* the sixth was the longest since; it was dropped, and the answer is close to it */
	assert_int_equal(look(), 0);
	of_state(TASKRT_STATE_STOPPED);
	assert_int_equal(d.exact, 0);
	assert_int_equal(d.longest.ns, 1000 - TASKRT_PEAKS);
	/* and of what came after all that it is exact again */
	assert_int_equal(look(), 0);
	of_state(TASKRT_STATE_STOPPED);
	assert_int_equal(d.exact, 1);
	assert_int_equal(d.longest.ns, 0);
	taskrt_histogram_close(h);
	/* the longest of all is always known */
	h = early;
	assert_int_equal(look(), 0);
	of_state(TASKRT_STATE_STOPPED);
	assert_int_equal(d.longest.ns, 1000);
	assert_int_equal(d.exact, 1);
}

/* The longest of all was before the thread was opened. */
static void before_it_was_opened(void **state)
{
	(void)state;
	page->mapped_since_ns = SINCE + 1000;
	*page_state(page, TASKRT_STATE_STOPPED) = (struct taskrt_intervals){
		.longest = { .ns = 900, .at_ns = SINCE + 50 },
		.nr_peaks = 1, .dropped_ns = SINCE + 1500,
		.peaks = { { .ns = 100, .at_ns = SINCE + 1600 } },
	};
	assert_int_equal(look(), 0);
	of_state(TASKRT_STATE_STOPPED);
	assert_int_equal(d.longest.ns, 100);
	assert_int_equal(d.exact, 0);
}

/* A page with a state and a timer that are unknown here, and with longer elements. */
static void next_page(void **state)
{
	(void)state;
	finish(NULL);
	fake_now = SINCE + 130 + OTHERS;
	page = page_new_of(&page_next, SINCE);
	page->measured.states |= 1u << 22 | 1u << 23;
	page->measured.timers |= 1u << 15;
	page->in_progress = 1u << 15;
	*page_since(page, 15) = SINCE + 10;
	page_switch(page, 22, SINCE + 20);
	page_switch(page, 23, SINCE + 90);
	open_page(page);
	assert_int_equal(look(), 0);
	assert_int_equal(of_state(22)->longest.ns, 70);
	assert_int_equal(d.counts[6], 1);
	assert_int_equal(of_state(23)->longest.ns, 40);
	assert_int_equal(d.in_progress, 1);
	assert_int_equal(of_timer(15)->longest.ns, 120);
	assert_int_equal(taskrt_histogram_state(h, 21, &d, sizeof(d)), -ENODATA);
	/* numbers that are impossible */
	page_state(page, 22)->nr_peaks = ~0u;
	page->state = TASKRT_STATES_ROOM;
	assert_int_equal(look(), 0);
	assert_int_equal(span.flags, TASKRT_FINAL);
}

/* Stolen time is measured from the first that is seen.  With others it is decided before. */
static void measured_later(void **state)
{
	const uint32_t later = 1u << TASKRT_TIMER_STEAL | 1u << TASKRT_TIMER_HARDIRQ;

	(void)state;
	finish(NULL);
	page = page_new(SINCE);
	page->measured.timers &= ~later;
	open_page(page);
	assert_int_equal(look(), 0);
	memset(&d, UNKNOWN, sizeof(d));
	assert_int_equal(taskrt_histogram_timer(h, TASKRT_TIMER_STEAL, &d, sizeof(d)), -ENODATA);
	assert_int_equal(d.exact, 0xa5a5a5a5);
	page_begin(page, 0);
	PAGE_SET(page->measured.timers, page->measured.timers | later);
	page_interval(page_timer(page, TASKRT_TIMER_STEAL), SINCE + 100, 70);
	page_end(page, 0);
	assert_int_equal(look(), 0);
	assert_int_equal(of_timer(TASKRT_TIMER_STEAL)->longest.ns, 70);
	assert_int_equal(d.counts[6], 1);
	assert_int_equal(taskrt_histogram_timer(h, TASKRT_TIMER_HARDIRQ, &d, sizeof(d)), -ENODATA);
}

/* Nothing is measured, or nothing of it is on the page. */
static void nothing(void **state)
{
	(void)state;
	finish(NULL);
	page = page_new(SINCE);
	page->measured.timers = 0;
	page->state_intervals.offset = 0;
	open_page(page);
	assert_int_equal(look(), 0);
	assert_int_equal(span.to_ns, SINCE);
	assert_int_equal(taskrt_histogram_state(h, 0, &d, sizeof(d)), -ENODATA);
	assert_int_equal(taskrt_histogram_timer(h, 0, &d, sizeof(d)), -ENODATA);
	assert_int_equal(taskrt_histogram_timer(h, TASKRT_TIMER_STEAL, &d, sizeof(d)), -ENODATA);
}

static void bad_arguments(void **state)
{
	struct taskrt_histogram *none = h;
	unsigned int n;

	(void)state;
	assert_int_equal(taskrt_histogram_open(&none, NULL), -EINVAL);
	assert_null(none);
	assert_int_equal(taskrt_histogram_open(NULL, self), -EINVAL);
	taskrt_histogram_close(NULL);
	assert_int_equal(taskrt_histogram_read(NULL, &span, sizeof(span)), -EINVAL);
	assert_int_equal(taskrt_histogram_state(NULL, 0, &d, sizeof(d)), -EINVAL);
	assert_int_equal(taskrt_histogram_timer(NULL, 0, &d, sizeof(d)), -EINVAL);
	assert_int_equal(taskrt_histogram_state(h, 0, NULL, sizeof(d)), -EINVAL);
	assert_int_equal(taskrt_histogram_state(h, 0, &d, 0), -EINVAL);
	for (n = STATES; n < 1000; n++) {
		assert_int_equal(taskrt_histogram_state(h, n, &d, sizeof(d)), -ENODATA);
		assert_int_equal(taskrt_histogram_timer(h, n, &d, sizeof(d)), -ENODATA);
	}
	assert_int_equal(taskrt_histogram_state(h, ~0u, &d, sizeof(d)), -ENODATA);
	assert_int_equal(taskrt_histogram_timer(h, TIMERS, &d, sizeof(d)), -ENODATA);
	taskrt_histogram_close(NULL);
}

/* A program of another release: its structures are shorter, or longer. */
static void sizes(void **state)
{
	static unsigned char bytes[2 * sizeof(d)], untouched[sizeof(bytes)], zero[sizeof(bytes)];
	size_t size, known;

	(void)state;
	memset(untouched, UNKNOWN, sizeof(untouched));
	memcpy(bytes, untouched, sizeof(bytes));
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 100);
	fake_now = SINCE + 150 + OTHERS;
	for (size = 0; size < sizeof(span); size++)
		assert_int_equal(taskrt_histogram_read(h, (void *)bytes, size), -EINVAL);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	/* it was no look: what follows is the first one */
	assert_int_equal(taskrt_histogram_read(h, (void *)bytes, 100), 0);
	memcpy(&span, bytes, sizeof(span));
	assert_int_equal(span.from_ns, SINCE + 1);
	assert_memory_equal(bytes + sizeof(span), zero, 100 - sizeof(span));
	assert_memory_equal(bytes + 100, untouched, sizeof(bytes) - 100);

	of_state(TASKRT_STATE_RUNNING);
	assert_int_equal(d.counts[6], 1);
	for (size = 1; size <= sizeof(bytes); size++) {
		memcpy(bytes, untouched, sizeof(bytes));
		known = size < sizeof(d) ? size : sizeof(d);
		assert_int_equal(taskrt_histogram_state(h, 0, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &d, known);
		assert_memory_equal(bytes + known, zero, size - known);
		assert_memory_equal(bytes + size, untouched, sizeof(bytes) - size);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(simple, start, finish),
		cmocka_unit_test_setup_teardown(failed_look, start, finish),
		cmocka_unit_test_setup_teardown(in_progress, start, finish),
		cmocka_unit_test_setup_teardown(readers, start, finish),
		cmocka_unit_test_setup_teardown(no_room, start, finish),
		cmocka_unit_test_setup_teardown(before_it_was_opened, start, finish),
		cmocka_unit_test_setup_teardown(next_page, start, finish),
		cmocka_unit_test_setup_teardown(measured_later, start, finish),
		cmocka_unit_test_setup_teardown(nothing, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test_setup_teardown(sizes, start, finish),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
