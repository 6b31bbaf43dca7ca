// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "common/names.h"
#include "common/reading.h"
#include "common/units.h"
#include "report/longest.h"
#include "report/missing.h"
#include "report/waits.h"

/* A time and a count; each may be missing. */
struct wait {
	const char *name;
	int timed;
	uint64_t ns;
	int counted;
	uint64_t count;
};

static void print_wait(FILE *out, const struct wait *wait)
{
	char time[UNITS_MAX];

	fprintf(out, "  %-14s  %12s", wait->name,
		wait->timed ? units_time(time, wait->ns) : NOT_MEASURED);
	if (wait->counted)
		fprintf(out, "  %10" PRIu64, wait->count);
	else
		fprintf(out, "  %10s", "-");
}

static int is_zero(const struct wait *wait)
{
	return wait->timed && !wait->ns && wait->counted && !wait->count;
}

/* Leave out a kind that is 0, but print one that was not measured. */
static void print_kind(FILE *out, const struct wait *wait)
{
	if (is_zero(wait))
		return;
	print_wait(out, wait);
	fprintf(out, "\n");
}

static void print_timer_longest(FILE *out, const struct taskrt_reading *r, unsigned int timer)
{
	report_longest(out, &r->stats, reading_has_timer(r, TASKRT_GROUP_LONGEST, timer),
		       &r->longests.timers[timer], "");
	fprintf(out, "\n");
}

static void print_faults(FILE *out, const struct taskrt_reading *r)
{
	const __u64 *values = r->counts.values;
	const struct wait minor = {
		"  minor",
		reading_has_value(r, TASKRT_VALUE_MINOR_FAULT_NS),
		values[TASKRT_VALUE_MINOR_FAULT_NS],
		reading_has_value(r, TASKRT_VALUE_MINOR_FAULTS),
		values[TASKRT_VALUE_MINOR_FAULTS],
	};
	const struct wait major = {
		"  major",
		reading_has_value(r, TASKRT_VALUE_MAJOR_FAULT_NS),
		values[TASKRT_VALUE_MAJOR_FAULT_NS],
		reading_has_value(r, TASKRT_VALUE_MAJOR_FAULTS),
		values[TASKRT_VALUE_MAJOR_FAULTS],
	};
	const struct wait all = {
		"page faults",
		taskrt_has(&r->stats, TASKRT_VALID_PAGE_FAULT_TIME), r->stats.page_fault_time_ns,
		minor.counted && major.counted, minor.count + major.count,
	};

	print_wait(out, &all);
	print_timer_longest(out, r, TASKRT_TIMER_FAULT);
	print_kind(out, &minor);
	print_kind(out, &major);
}

static void print_locks(FILE *out, const struct taskrt_reading *r)
{
	struct wait all = {
		"kernel locks",
		taskrt_has(&r->stats, TASKRT_VALID_LOCK_TIME), r->stats.lock_contention_time_ns,
		0, 0,
	};
	uint32_t locks = r->stats.measured.locks;
	unsigned int lock;

	for (lock = 0; lock < TASKRT_LOCKS_ROOM; lock++) {
		if (!reading_has_lock(r, TASKRT_GROUP_COUNTS, lock))
			continue;
		all.counted = 1;
		all.count += r->counts.locks[lock];
	}
	print_wait(out, &all);
	print_timer_longest(out, r, TASKRT_TIMER_LOCK);
	for (lock = 0; locks && lock < TASKRT_LOCKS_ROOM; lock++) {
		char name[40];
		const struct wait kind = {
			name,
			reading_has_lock(r, TASKRT_GROUP_TIMES, lock),
			r->times.locks_ns[lock],
			reading_has_lock(r, TASKRT_GROUP_COUNTS, lock),
			r->counts.locks[lock],
		};

		if (!names_shown(TASKRT_NAME_LOCK, locks, lock))
			continue;
		snprintf(name, sizeof(name), "  %s", names_of(TASKRT_NAME_LOCK, lock));
		print_kind(out, &kind);
	}
}

/* Print the other timers. */
static void print_timers(FILE *out, const struct taskrt_reading *r)
{
	unsigned int timer;

	for (timer = 0; timer < TASKRT_TIMERS_ROOM; timer++) {
		struct wait wait = {
			NULL,
			reading_has_timer(r, TASKRT_GROUP_TIMES, timer),
			r->times.timers_ns[timer],
			reading_has_timer(r, TASKRT_GROUP_COUNTS, timer),
			r->counts.timers[timer],
		};

		if (timer == TASKRT_TIMER_FAULT || timer == TASKRT_TIMER_LOCK ||
		    !taskrt_measures(r->stats.measured.timers, timer) || is_zero(&wait))
			continue;
		wait.name = names_of(TASKRT_NAME_TIMER, timer);
		print_wait(out, &wait);
		print_timer_longest(out, r, timer);
	}
}

void report_waits(FILE *out, const struct taskrt_reading *reading)
{
	fprintf(out, "  Whole waits, whatever happened inside them; "
		"these may overlap each other and the states.\n");
	fprintf(out, "  %-14s  %12s  %10s  %7s  %14s\n", "CAUSE", "TIME", "COUNT", "LONGEST",
		"BEGAN AT");
	print_faults(out, reading);
	print_locks(out, reading);
	print_timers(out, reading);
}
