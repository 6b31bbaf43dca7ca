// SPDX-License-Identifier: GPL-2.0-only
/* Page faults, waits for locks and the other timers from start to end. */
#include <inttypes.h>

#include "common/element.h"
#include "common/units.h"
#include "report/report.h"

#define NAME_WIDTH	28

/* A time and a count; each may be missing. */
static void print_wait(FILE *out, const struct element *wait)
{
	char time[UNITS_MAX];

	fprintf(out, "  %-*s  %12s", NAME_WIDTH, wait->name,
		wait->timed ? units_time(time, wait->ns) : NOT_MEASURED);
	if (wait->counted)
		fprintf(out, "  %10" PRIu64, wait->count);
	else
		fprintf(out, "  %10s", "-");
}

static int is_zero(const struct element *wait)
{
	return wait->timed && !wait->ns && wait->counted && !wait->count;
}

/* A part of the row above.  Leave out a kind that is 0, but print one that was not measured. */
static void print_part(FILE *out, struct element part)
{
	char name[40];

	if (is_zero(&part))
		return;
	snprintf(name, sizeof(name), "  %s", part.name);
	part.name = name;
	print_wait(out, &part);
	fprintf(out, "\n");
}

static void print_whole(FILE *out, const struct taskrt_reading *r, const struct element *wait,
			uint64_t start_ns)
{
	print_wait(out, wait);
	report_longest(out, &r->stats, wait, start_ns, "");
	fprintf(out, "\n");
}

static struct element part_of_faults(const struct taskrt_reading *r, const char *name,
				     unsigned int count, unsigned int ns)
{
	const struct element counted = element_of(r, TASKRT_NAME_VALUE, count);
	const struct element timed = element_of(r, TASKRT_NAME_VALUE, ns);

	return (struct element){
		.name = name, .timed = timed.counted, .ns = timed.count,
		.counted = counted.counted, .count = counted.count,
	};
}

static void print_faults(FILE *out, const struct taskrt_reading *r, uint64_t start_ns)
{
	const struct element minor = part_of_faults(r, "minor", TASKRT_VALUE_MINOR_FAULTS,
						    TASKRT_VALUE_MINOR_FAULT_NS);
	const struct element major = part_of_faults(r, "major", TASKRT_VALUE_MAJOR_FAULTS,
						    TASKRT_VALUE_MAJOR_FAULT_NS);
	struct element all = element_of(r, TASKRT_NAME_TIMER, TASKRT_TIMER_FAULT);

	all.name = "page faults, with their work";
	all.timed = taskrt_has(&r->stats, TASKRT_VALID_PAGE_FAULT_TIME);
	all.ns = r->stats.page_fault_time_ns;
	all.counted = minor.counted && major.counted;
	all.count = minor.count + major.count;
	print_whole(out, r, &all, start_ns);
	print_part(out, minor);
	print_part(out, major);
}

static void print_locks(FILE *out, const struct taskrt_reading *r, uint64_t start_ns)
{
	struct element all = element_of(r, TASKRT_NAME_TIMER, TASKRT_TIMER_LOCK), kind;

	all.name = "kernel locks";
	all.timed = taskrt_has(&r->stats, TASKRT_VALID_LOCK_TIME);
	all.ns = r->stats.lock_contention_time_ns;
	all.counted = 0;
	all.count = 0;
	for_each_element(&kind, r, TASKRT_NAME_LOCK) {
		all.counted |= kind.counted;
		all.count += kind.count;
	}
	print_whole(out, r, &all, start_ns);
	if (!r->stats.measured.locks)
		return;
	for_each_element(&kind, r, TASKRT_NAME_LOCK)
		print_part(out, kind);
}

/* Print the other timers. */
static void print_timers(FILE *out, const struct taskrt_reading *r, uint64_t start_ns)
{
	struct element timer;

	for_each_element(&timer, r, TASKRT_NAME_TIMER)
		if (timer.number != TASKRT_TIMER_FAULT && timer.number != TASKRT_TIMER_LOCK &&
		    timer.measured && !is_zero(&timer))
			print_whole(out, r, &timer, start_ns);
}

void report_waits(FILE *out, const struct taskrt_reading *reading, uint64_t start_ns)
{
	fprintf(out, "  From start to end, whatever happened in between; "
		"these may overlap each other and the states.\n");
	fprintf(out, "  %-*s  %12s  %10s  %7s  %*s\n", NAME_WIDTH, "CAUSE", "TIME", "COUNT",
		"LONGEST", LONGEST_WIDTH, report_longest_head(start_ns));
	print_faults(out, reading, start_ns);
	print_locks(out, reading, start_ns);
	print_timers(out, reading, start_ns);
}
