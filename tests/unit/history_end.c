// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histories of a thread that ends while another one reads them.  What says that
 * the thread has ended, and the thread's last interval, come in the same answer.
 */
#include "unit.h"
#include "fake_page.h"
#include "page.h"

#define SINCE	1000000000ULL
#define OTHERS	1000		/* behind the clock, of a thread that sleeps */

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_look look;
static struct taskrt_history h;

/* The thread ends when the reader has looked at the counts, or just before it does. */
static enum { NEVER, BEFORE, AFTER } end_of_thread;

static void end(void)
{
	end_of_thread = NEVER;
	page_begin(page, 0);
	page_enter(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 500);
	PAGE_SET(page->status, TASKRT_PAGE_ENDED);
	page_end(page, 0);
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
#define taskrt_history(self, look, since)	history(self, look, since)
#include "../../userlib/history.c"

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	self->opener = NULL;
	memset(&look, 0, sizeof(look));
	fake_now = SINCE + 600 + OTHERS;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

static void expect_last(void)
{
	assert_int_equal(history(self, &look, &h), TASKRT_SELF_STOPPED);
	assert_int_equal(h.to_ns, SINCE + 500);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].counts[8], 1);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].longest.ns, 500);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].in_progress, 0);
}

/* All that was read is of a thread that lived: the end is for the next look. */
static void after_the_counts(void **state)
{
	(void)state;
	end_of_thread = AFTER;
	assert_int_equal(history(self, &look, &h), 0);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].counts[8], 0);
	assert_int_equal(h.timers[TASKRT_STATE_RUNNING].in_progress, 1);
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

	return cmocka_run_group_tests_name("history_end", tests, NULL, NULL);
}
