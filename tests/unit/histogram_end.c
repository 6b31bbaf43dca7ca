// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms of a thread that ends while another one reads them.  The answer that says
 * that the thread has ended also has the thread's last interval.
 */
#include "unit.h"
#include "fake_page.h"
#include "self/page.h"

#define SINCE	1000000000ULL
#define OTHERS	1000		/* behind the clock, of a thread that sleeps */

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_histogram *h;

/* The thread ends when the reader has looked at the counts, or just before it does. */
static enum { NEVER, BEFORE, AFTER } end_of_thread;

static void end(void)
{
	end_of_thread = NEVER;
	page_final(page, TASKRT_PAGE_ENDED, SINCE + 500);
}

static bool unchanged(const struct taskrt_page *of, uint64_t counts)
{
	bool same;

	if (end_of_thread == BEFORE)
		end();
	same = taskrt_page_unchanged(of, counts);
	if (end_of_thread == AFTER)
		end();
	return same;
}

/* The library's own reader, with that look at the counts. */
#define taskrt_page_unchanged		unchanged
#define taskrt_histogram_open		histogram_open
#define taskrt_histogram_close		histogram_close
#define taskrt_histogram_read		histogram_read
#define taskrt_histogram_state		histogram_state
#define taskrt_histogram_timer		histogram_timer
#include "../../userlib/self/histogram.c"

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	self->opener = NULL;
	fake_now = SINCE + 600 + OTHERS;
	return histogram_open(&h, self);
}

static int finish(void **state)
{
	(void)state;
	histogram_close(h);
	taskrt_self_close(self);
	free(page);
	return 0;
}

static const struct taskrt_distribution *running(void)
{
	static struct taskrt_distribution d;

	assert_int_equal(histogram_state(h, TASKRT_STATE_RUNNING, &d, sizeof(d)), 0);
	return &d;
}

static void expect_last(void)
{
	struct taskrt_histogram_span span;

	assert_int_equal(histogram_read(h, &span, sizeof(span)), 0);
	assert_int_equal(span.flags, TASKRT_FINAL);
	assert_int_equal(span.to_ns, SINCE + 500);
	assert_int_equal(running()->counts[8], 1);
	assert_int_equal(running()->longest.ns, 500);
	assert_int_equal(running()->in_progress, 0);
}

/* All that was read is of a thread that lived: the end is for the next look. */
static void after_the_counts(void **state)
{
	struct taskrt_histogram_span span;

	(void)state;
	end_of_thread = AFTER;
	assert_int_equal(histogram_read(h, &span, sizeof(span)), 0);
	assert_int_equal(span.flags, 0);
	assert_int_equal(running()->counts[8], 0);
	assert_int_equal(running()->in_progress, 1);
	expect_last();
}

/* What was read is not of one instant: it is read again. */
static void before_the_counts(void **state)
{
	(void)state;
	end_of_thread = BEFORE;
	expect_last();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(after_the_counts, start, finish),
		cmocka_unit_test_setup_teardown(before_the_counts, start, finish),
	};

	return cmocka_run_group_tests_name("histogram_end", tests, NULL, NULL);
}
