// SPDX-License-Identifier: GPL-2.0-only
/* The lines above the threads, and messages in their place. */
#include <errno.h>
#include <stdio.h>

#include "common/units.h"
#include "top/top.h"

const char *top_text_summary(char line[TOP_LINE_MAX], const struct top_round *round,
			     const struct top_order *order, const struct top_want *want)
{
	char filters[ARG_WHY_MAX], shown[ARG_WHY_MAX + 32] = "";
	char at[UNITS_MAX], elapsed[UNITS_MAX], since[128] = "";

	if (*top_want_filters(want, filters))
		snprintf(shown, sizeof(shown), "; %zu%s", order->matching + order->idle, filters);
	if (round->elapsed_ns)
		snprintf(since, sizeof(since), ", %zu new and %zu gone in %s", round->born,
			 round->gone, units_time(elapsed, round->elapsed_ns));
	snprintf(line, TOP_LINE_MAX, "at %s: %zu thread%s%s%s%s", units_instant(at, round->time_ns),
		 round->count, units_plural(round->count, "s"), since, shown,
		 round->incomplete ? " (one may be missing)" : "");
	return line;
}

const char *top_text_means(char line[TOP_LINE_MAX], const struct top_round *round,
			   const struct top_order *order)
{
	int share, used = snprintf(line, TOP_LINE_MAX, "mean:");

	if (!round->elapsed_ns)
		snprintf(line, TOP_LINE_MAX, "mean: not known yet");
	for (share = 0; round->elapsed_ns && share < NR_SHARES; share++) {
		double mean = order->mean[share];
		char number[32] = "-";

		if (mean != TOP_UNKNOWN)
			snprintf(number, sizeof(number), "%.*f",
				 mean < 9.995 ? 2 : mean < 99.95 ? 1 : 0, mean);
		used += snprintf(line + used, (size_t)(TOP_LINE_MAX - used), "%s %s %s",
				 share ? "," : "", number,
				 top_columns[TOP_COLUMN_CPU + share].name);
	}
	return line;
}

const char *top_text_idle(char line[TOP_LINE_MAX], const struct top_order *order)
{
	snprintf(line, TOP_LINE_MAX, "%8s(%zu kernel thread%s that %s only slept)", "", order->idle,
		 units_plural(order->idle, "s"), order->idle == 1 ? "has" : "have");
	return line;
}

const char *top_text_error(char text[ERROR_MAX], struct taskrt *handle, int error,
			   const struct top_want *want)
{
	if (error == -ESRCH && *want->name)
		target_none_text(text, want->name, TARGET_PROCESS, 0);
	else if (!want->tgid)
		error_query_text(text, handle, error, ERROR_MODULE, 0);
	else
		error_query_text(text, handle, error, ERROR_PROCESS, want->tgid);
	return text;
}
