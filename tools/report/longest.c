// SPDX-License-Identifier: GPL-2.0-only
/* The longest interval of a state or a timer. */
#include "common/clock.h"
#include "common/units.h"
#include "report/report.h"

const char *report_longest_head(uint64_t start_ns)
{
	return start_ns ? "BEGAN AFTER" : "BEGAN AT";
}

/* "      0.052409 s": since the start of the command. */
static void print_offset(FILE *out, uint64_t at_ns, uint64_t start_ns)
{
	char offset[UNITS_MAX];

	fprintf(out, "  %*s s", LONGEST_WIDTH - 2,
		units_instant(offset, at_ns > start_ns ? at_ns - start_ns : 0));
}

/*
 * The user's clock at the time of the reading.  It is read when the first line of a reading is
 * printed, and then the same for all lines.
 */
static uint64_t wall_of(const struct taskrt_stats *stats)
{
	static uint64_t sample_ns, wall_ns;

	if (sample_ns != stats->sample_time_ns) {
		sample_ns = stats->sample_time_ns;
		wall_ns = clock_read_ns(CLOCK_REALTIME);
	}
	return wall_ns;
}

/* "  14:03:07.123  41.1 ms ago" */
static void print_wall(FILE *out, const struct taskrt_stats *stats, uint64_t at_ns)
{
	char at[UNITS_MAX], ago[UNITS_MAX];
	uint64_t age = stats->sample_time_ns - at_ns;

	if (!taskrt_has(stats, TASKRT_VALID_CLOCK) || stats->sample_time_ns < at_ns)
		return;
	fprintf(out, "  %*s  %7s ago", LONGEST_WIDTH,
		units_wall(at, wall_of(stats) - age, age), units_time(ago, age));
}

void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    uint64_t start_ns, const char *site)
{
	const struct taskrt_longest *longest = &element->longest;
	char length[UNITS_MAX];

	if (!element->peaked) {
		fprintf(out, "  %7s", "-");
		return;
	}
	if (!longest->ns)
		return;
	fprintf(out, "  %7s", units_time(length, longest->ns));
	if (start_ns)
		print_offset(out, longest->at_ns, start_ns);
	else
		print_wall(out, stats, longest->at_ns);
	if (*site)
		fprintf(out, " in %s", site);
}
