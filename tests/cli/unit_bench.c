// SPDX-License-Identifier: GPL-2.0-only
/* What bench makes of its measurements. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/series.h"

/* The whole numbers from 1 to count, in an order that is none. */
static void find(struct spread *spread, size_t count)
{
	static double values[SERIES_MAX];
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = (double)((i % 2 ? i : count - (count % 2 ? 1 : 2) - i) + 1);
	spread_find(spread, values, count);
	for (i = 0; i < count; i++)
		assert_true(values[i] == (double)(i + 1));
}

static void medians(void **state)
{
	struct spread spread;

	(void)state;
	find(&spread, 0);
	assert_int_equal(spread.count, 0);
	assert_false(spread.bounded);
	find(&spread, 1);
	assert_true(spread.median == 1);
	find(&spread, 2);
	assert_true(spread.median == 1.5);
	find(&spread, 7);
	assert_true(spread.median == 4);
	find(&spread, 8);
	assert_true(spread.median == 4.5);
}

/* The ranks of the binomial distribution, as tables have them. */
static void limits(void **state)
{
	static const struct { size_t count; double low; } ranks[] = {
		{ 6, 1 }, { 8, 1 }, { 9, 2 }, { 10, 2 }, { 20, 6 }, { 30, 10 }, { 50, 18 },
		{ 71, 27 }, { 100, 40 }, { 1000, 469 }, { 4096, 1985 },
	};
	struct spread spread;
	size_t i;

	(void)state;
	for (i = 1; i <= 5; i++) {
		find(&spread, i);
		assert_false(spread.bounded);
		assert_true(spread_has_zero(&spread));
	}
	for (i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		find(&spread, ranks[i].count);
		assert_true(spread.bounded);
		assert_true(spread.low == ranks[i].low);
		assert_true(spread.high == (double)ranks[i].count + 1 - ranks[i].low);
		assert_true(spread.low <= spread.median && spread.median <= spread.high);
		assert_false(spread_has_zero(&spread));
	}
}

/* What the machine does to both measurements of a pair is not added. */
static void pairs(void **state)
{
	struct series *series = calloc(1, sizeof(*series));
	struct spread added, off;
	size_t i;

	(void)state;
	assert_non_null(series);
	for (i = 0; i < 20; i++) {
		series->now[0] = 1000 + 100 * (double)(i % 7);
		series->now[1] = series->now[0] + (i % 2 ? 60 : 62);
		series_keep(series);
	}
	series_added(series, &added);
	assert_int_equal(added.count, 20);
	assert_true(added.median == 61);
	assert_true(added.low == 60 && added.high == 62);
	series_spread(series, 0, &off);
	assert_true(off.high - off.low >= 100);
	/* The measurements stay in their order. */
	assert_true(series->ns[0][8] == 1100);
	free(series);
}

static void noise(void **state)
{
	struct series *series = calloc(1, sizeof(*series));
	struct spread added;
	size_t i;

	(void)state;
	assert_non_null(series);
	for (i = 0; i < 21; i++) {
		series->now[0] = 1000;
		series->now[1] = 1001 + (i % 2 ? 500 : -500) * (double)i;
		series_keep(series);
	}
	series_added(series, &added);
	assert_true(added.bounded && added.low < 0 && added.high > 0);
	assert_true(spread_has_zero(&added));
	free(series);
}

static int works, calls;

static int measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	calls++;
	sample->ns = (double)ns;
	sample->checked = site->on;
	sample->check = 2.01;
	sample->note = works ? NULL : "it takes two";
	return works ? 0 : -ENODEV;
}

static void measuring(void **state)
{
	const struct event event = { .name = "x", .least = 1.98, .most = 2.02, .measure = measure };
	struct series *series = calloc(1, sizeof(*series));
	struct sample_site site = { .on = 0 };

	(void)state;
	assert_non_null(series);
	series->event = &event;
	works = 1;
	series_measure(series, &site, 4000);
	assert_int_equal(calls, 2);
	assert_int_equal(series->checks, 0);
	assert_true(series_is_as_expected(series));
	site.on = 1;
	series_measure(series, &site, 8000);
	assert_true(series->now[0] == 4000 && series->now[1] == 8000);
	assert_int_equal(series->checks, 1);
	assert_true(series_is_as_expected(series));
	series->check_sum = 2.03;
	assert_false(series_is_as_expected(series));
	works = 0;
	series_measure(series, &site, 1000);
	assert_string_equal(series->why, "it takes two");
	assert_int_equal(calls, 5);
	series_measure(series, &site, 1000);
	series_keep(series);
	assert_int_equal(calls, 5);
	assert_int_equal(series->count, 0);
	free(series);
}

/* The series of an alternation, of which the last are calls, and how long a slice of them is. */
static uint64_t slice_ns(uint64_t seconds, size_t events, size_t calls)
{
	static const struct event event = { .is_call = 0 }, call = { .is_call = 1 };
	struct series *series = calloc(events + calls, sizeof(*series));
	const struct alternation alternation = {
		.series = series,
		.nr_series = events + calls,
		.seconds_ns = seconds * CLOCK_SECOND,
	};
	uint64_t ns;
	size_t i;

	assert_non_null(series);
	for (i = 0; i < events + calls; i++)
		series[i].event = i < events ? &event : &call;
	ns = alternation_slice_ns(&alternation);
	free(series);
	return ns;
}

/* Whatever is measured and for how long, a series has room for all pairs of that time. */
static void slices(void **state)
{
	static const uint64_t seconds[] = { 1, 60, 256, 257, 512, 599, 600 };
	size_t i, events, calls;
	uint64_t ns;

	(void)state;
	assert_true(slice_ns(600, 0, 1) > 100 * CLOCK_MS);
	assert_true(slice_ns(60, 3, 4) == 50 * CLOCK_MS);
	assert_true(slice_ns(60, 0, 1) == 50 * CLOCK_MS);
	/* Thirty pairs, each slice with a quarter more. */
	assert_in_range(slice_ns(1, 1, 0), 13333333, 13333335);
	assert_in_range(slice_ns(1, 3, 4), 2666666, 2666668);
	for (i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++)
		for (events = 0; events <= 3; events++)
			for (calls = events ? 0 : 1; calls <= 4; calls++) {
				ns = slice_ns(seconds[i], events, calls);
				assert_true((ns + ns / 4) * (2 * events + calls) * SERIES_MAX >=
					    seconds[i] * CLOCK_SECOND);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians),
		cmocka_unit_test(limits),
		cmocka_unit_test(pairs),
		cmocka_unit_test(noise),
		cmocka_unit_test(measuring),
		cmocka_unit_test(slices),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
