// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting is switched off and on in turn, and all events are measured each time.
 *
 * A pair is one measurement with accounting off and one with it on, a moment apart.  Every
 * second pair is the other way round (off on, on off, off on ...), so that a machine that
 * becomes slower or faster meanwhile adds as much as it takes away.  It also halves how often
 * accounting has to be switched.
 */
#include <poll.h>
#include <string.h>

#include "bench/alternation.h"
#include "bench/parameter.h"
#include "common/command.h"
#include "common/error.h"

#define PAIRS_WANTED	30
#define SLICE_LEAST	CLOCK_MS
#define SLICE_MOST	(50 * CLOCK_MS)	/* longer ones say no more, but more of them do */
#define SETTLE_MS	50	/* after a switch: grace periods, and code that is patched */

/* Rounded up, so that so many slices take all of the time. */
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
	return error_fail("somebody else has switched accounting meanwhile");
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
