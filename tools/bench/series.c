// SPDX-License-Identifier: GPL-2.0-only
/* All measurements of events: how they are made, their median and its confidence interval. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/parameter.h"
#include "bench/series.h"
#include "common/command.h"
#include "common/error.h"

/*
 * The median of some values, and its confidence interval, which holds for any distribution: each
 * value is above the true median with a probability of one half.
 */
#define OUTSIDE		0.025	/* on each side */

static int compare(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/*
 * The number of ways in which @i of @count values are below the true median, relative to the number
 * of ways for count / 2.  @ways: the same for i + 1.
 */
static double ways_below(double ways, size_t i, size_t count)
{
	return ways * (double)(i + 1) / (double)(count - i);
}

/* The probability, times a constant, that at most count / 2 are below. */
static double half_of_all(size_t count)
{
	double ways = 1, sum = 1;
	size_t i;

	for (i = count / 2; i-- > 0; ) {
		ways = ways_below(ways, i, count);
		sum += ways;
	}
	return sum;
}

/*
 * The largest number of values that can be left out at each end, such that the true median is
 * outside of the remaining ones with a probability of at most OUTSIDE on each side.
 * Return: 0: even the first and the last value are too close together.
 */
static size_t values_outside(size_t count)
{
	double tail = half_of_all(count), ways = 1;
	double all = count % 2 ? 2 * tail : 2 * tail - 1;
	size_t i = count / 2;

	/* tail: at most i values are below. */
	while (tail > OUTSIDE * all) {
		tail -= ways;
		if (!i--)
			return 0;
		ways = ways_below(ways, i, count);
	}
	return i + 1;
}

void spread_find(struct spread *spread, double *values, size_t count)
{
	size_t outside;

	memset(spread, 0, sizeof(*spread));
	spread->count = count;
	if (!count)
		return;
	qsort(values, count, sizeof(values[0]), compare);
	spread->median = (values[(count - 1) / 2] + values[count / 2]) / 2;
	outside = values_outside(count);
	if (!outside)
		return;
	spread->bounded = 1;
	spread->low = values[outside - 1];
	spread->high = values[count - outside];
}

int spread_has_zero(const struct spread *spread)
{
	return !spread->bounded || (spread->low <= 0 && spread->high >= 0);
}

static void fail(struct series *series, const struct sample *sample, int error)
{
	snprintf(series->why, sizeof(series->why), "%s",
		 sample->note ? sample->note : strerror(-error));
}

void series_measure(struct series *series, const struct sample_site *site, uint64_t ns)
{
	struct sample sample = { 0 };
	int error;

	if (*series->why)
		return;
	/* The first measurement warms the caches, and does not count. */
	error = series->event->measure(site, ns / 4, &sample);
	sample = (struct sample){ .note = sample.note };
	if (!error)
		error = series->event->measure(site, ns, &sample);
	if (error) {
		fail(series, &sample, error);
		return;
	}
	series->now[site->on] = sample.ns;
	series->check_sum += sample.checked ? sample.check : 0;
	series->checks += sample.checked ? 1 : 0;
	series->note = sample.note;
}

void series_keep(struct series *series)
{
	if (*series->why || series->count == SERIES_MAX)
		return;
	series->ns[0][series->count] = series->now[0];
	series->ns[1][series->count] = series->now[1];
	series->count++;
}

void series_spread(const struct series *series, int on, struct spread *spread)
{
	double values[SERIES_MAX];

	memcpy(values, series->ns[on], series->count * sizeof(values[0]));
	spread_find(spread, values, series->count);
}

void series_added(const struct series *series, struct spread *added)
{
	double values[SERIES_MAX];
	size_t i;

	for (i = 0; i < series->count; i++)
		values[i] = series->ns[1][i] - series->ns[0][i];
	spread_find(added, values, series->count);
}

double series_check(const struct series *series)
{
	return series->checks ? series->check_sum / (double)series->checks : 0;
}

int series_is_as_expected(const struct series *series)
{
	double check = series_check(series);

	return !series->checks ||
	       (check >= series->event->least && check <= series->event->most);
}

/*
 * Accounting is switched off and on in turn, and all events are measured each time.
 *
 * A pair is one measurement with accounting off and one with it on, a moment apart.  Every second
 * pair is the other way round (off on, on off, off on ...), so that a steady change of the
 * machine's speed cancels out.  It also halves how often accounting has to be switched.
 */

#define PAIRS_WANTED	30
#define SLICE_LEAST	CLOCK_MS
#define SLICE_MOST	(50 * CLOCK_MS)	/* more measurements are worth more than longer ones */
#define SETTLE_MS	50	/* after a switch: grace periods, and code that is patched */

/* Rounded up, so that the slices fill the time. */
static uint64_t divide(uint64_t ns, uint64_t slices)
{
	/* A quarter for the measurement that does not count. */
	return (ns / slices + 1) * 4 / 5 + 1;
}

uint64_t alternation_slice_ns(const struct alternation *a)
{
	uint64_t slices = 0, wanted, least;
	size_t i;

	for (i = 0; i < a->nr_series; i++)
		slices += a->series[i].event->is_call ? 1 : 2;
	wanted = divide(a->seconds_ns, PAIRS_WANTED * slices);
	if (wanted > SLICE_MOST)
		wanted = SLICE_MOST;
	least = divide(a->seconds_ns, SERIES_MAX * slices);
	if (least < SLICE_LEAST)
		least = SLICE_LEAST;
	return wanted < least ? least : wanted;
}

static int is_stopped(struct alternation *a, int wait_ms)
{
	struct pollfd stop = { .fd = a->stop_fd, .events = POLLIN };

	if (!a->stopped)
		a->stopped = poll(&stop, 1, wait_ms) > 0;
	return a->stopped;
}

static int switch_to(struct alternation *a, int on)
{
	int error, status;

	if (a->site.on == on)
		return STATUS_OK;
	if (!on) {
		status = observers_check_now(a->site.handle);
		if (status)
			return status;
	}
	error = parameter_set(a->parameter, on);
	if (error)
		return error_fail("accounting cannot be switched %s: %s", on ? "on" : "off",
				  strerror(-error));
	a->site.on = on;
	is_stopped(a, SETTLE_MS);
	return STATUS_OK;
}

static int still_is(const struct alternation *a)
{
	if (a->parameter < 0 || parameter_get(a->parameter) == a->site.on)
		return STATUS_OK;
	return error_fail("another program has switched accounting");
}

static int measure_all(struct alternation *a, int on)
{
	int status = switch_to(a, on);
	size_t i;

	for (i = 0; i < a->nr_series && !status && !is_stopped(a, 0); i++)
		if (on || !a->series[i].event->is_call)
			series_measure(&a->series[i], &a->site, a->slice_ns);
	return status ? status : still_is(a);
}

static int measure_pair(struct alternation *a)
{
	int first = a->parameter < 0 || a->pairs % 2, status = measure_all(a, first);
	size_t i;

	if (!status && a->parameter >= 0 && !a->stopped)
		status = measure_all(a, !first);
	if (status || a->stopped)
		return status;
	for (i = 0; i < a->nr_series; i++)
		series_keep(&a->series[i]);
	a->pairs++;
	return STATUS_OK;
}

int alternation_can_measure(const struct alternation *a)
{
	size_t i;

	for (i = 0; i < a->nr_series; i++)
		if (!*a->series[i].why)
			return 1;
	return 0;
}

int alternation_run(struct alternation *a)
{
	uint64_t began_ns = clock_now_ns();
	int status = STATUS_OK;

	a->slice_ns = alternation_slice_ns(a);
	a->site.on = 1;
	do {
		status = measure_pair(a);
		a->elapsed_ns = clock_now_ns() - began_ns;
	} while (!status && !a->stopped && a->elapsed_ns < a->seconds_ns &&
		 a->pairs < SERIES_MAX && alternation_can_measure(a));
	return status;
}
