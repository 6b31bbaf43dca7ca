// SPDX-License-Identifier: GPL-2.0-only
#include "common/units.h"
#include "report/longest.h"

/*
 * "  31.6 ms        2.812901   41.1 ms ago in pipe_read": when it began, seen from the reading,
 * and where it was.
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    const char *site)
{
	char length[UNITS_MAX], at[UNITS_MAX], age[UNITS_MAX];
	const struct taskrt_longest *longest = &element->longest;
	uint64_t now = stats->sample_time_ns;

	if (!element->peaked) {
		fprintf(out, "  %7s", "-");
		return;
	}
	if (!longest->ns)
		return;
	fprintf(out, "  %7s  %14s", units_time(length, longest->ns),
		units_instant(at, longest->at_ns));
	if (taskrt_has(stats, TASKRT_VALID_CLOCK) && now >= longest->at_ns)
		fprintf(out, "  %7s ago", units_time(age, now - longest->at_ns));
	if (*site)
		fprintf(out, " in %s", site);
}
