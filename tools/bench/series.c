// SPDX-License-Identifier: GPL-2.0-only
/* All measurements of one event. */
#include <stdio.h>
#include <string.h>

#include "bench/series.h"

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
	/* The first one finds the caches as somebody else has left them. */
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
