// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread or process, as a person reads it.  What was not measured says so
 * and is never 0; what is 0 is left out where its absence says as much.
 */
#include <inttypes.h>
#include <string.h>

#include "common/ending.h"
#include "common/field.h"
#include "common/names.h"
#include "common/rank.h"
#include "common/reading.h"
#include "common/report.h"
#include "common/text.h"
#include "common/units.h"

#define NOT_MEASURED	"not measured"
#define COMM_MAX	64

static const char *time_or_not(char *text, const struct taskrt_stats *stats,
			       uint64_t valid, uint64_t ns)
{
	return taskrt_has(stats, valid) ? units_time(text, ns) : NOT_MEASURED;
}

/*
 * "  31.6 ms        2.812901   41.1 ms ago in pipe_read": when it began, seen from the reading,
 * and where it was.
 */
static void print_longest(FILE *out, const struct taskrt_stats *stats, int known,
			  const struct taskrt_longest *longest, const char *site)
{
	char length[UNITS_MAX], at[UNITS_MAX], age[UNITS_MAX];
	uint64_t now = stats->sample_time_ns;

	if (!known) {
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

static void print_state(FILE *out, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, const struct rank_row *row)
{
	char time[UNITS_MAX], share[UNITS_MAX], text[FIELD_GLOSS_MAX], site[TASKRT_SITE_ROOM];
	const struct taskrt_longest *longest;
	const char *gloss;
	int known, follows;

	fprintf(out, "  %-14s  %7s  %5s %%",
		row->state == RANK_NOT_ALIVE ? "(not alive)" : names_state(row->state),
		units_time(time, row->ns), units_share(share, row->permille));
	if (row->state == RANK_NOT_ALIVE) {
		fprintf(out, "  before it began, and after it ended\n");
		return;
	}
	known = reading_has_state(reading, TASKRT_GROUP_LONGEST, row->state);
	longest = &reading->longests.states[row->state];
	gloss = field_state_gloss(text, row->state);
	follows = longest->ns || !known;
	/* Pad only if something follows. */
	if (*gloss || follows)
		fprintf(out, "  %-*s", follows ? 25 : 0, gloss);
	print_longest(out, &reading->stats, known, longest,
		      sites ? text_safe(site, sizeof(site), sites->states[row->state],
					TASKRT_SITE_ROOM) : "");
	fprintf(out, "\n");
}

/* Print the states without a row, one line for each reason. */
static void print_absent(FILE *out, const struct taskrt_reading *reading, int measured,
			 const char *words)
{
	const char *separator = "";
	unsigned int state;
	int column = 0;

	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		const char *name;

		if (!names_shown(TASKRT_NAME_STATE, reading->stats.measured.states, state) ||
		    reading_has_state(reading, TASKRT_GROUP_TIMES, state) != measured ||
		    (measured && reading->times.states_ns[state]))
			continue;
		name = names_state(state);
		if (!column)
			column = fprintf(out, "  %s: ", words);
		if (column + strlen(separator) + strlen(name) > 98) {
			fprintf(out, ",\n");
			column = fprintf(out, "    ");
			separator = "";
		}
		column += fprintf(out, "%s%s", separator, name);
		separator = ", ";
	}
	if (column)
		fprintf(out, "\n");
}

void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns)
{
	char total[UNITS_MAX];
	struct rank rank;
	size_t i;

	if (!reading_has_states(reading)) {
		fprintf(out, "  the states were %s\n", NOT_MEASURED);
		return;
	}
	rank_states(&rank, reading, not_alive_ns);
	fprintf(out, "  %-14s  %7s  %7s  %-25s  %7s  %14s\n", "STATE", "TIME", "SHARE", "",
		"LONGEST", "BEGAN AT");
	for (i = 0; i < rank.count; i++)
		print_state(out, reading, sites, &rank.rows[i]);
	fprintf(out, "  %-14s  %7s  %7s\n", "total", units_time(total, rank.total_ns),
		rank.count ? "100.0 %" : "-");
	print_absent(out, reading, 1, "never");
	print_absent(out, reading, 0, NOT_MEASURED);
}

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
	print_longest(out, &r->stats, reading_has_timer(r, TASKRT_GROUP_LONGEST, timer),
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

static void print_count(FILE *out, const char *before, int known, uint64_t count, const char *after)
{
	if (known)
		fprintf(out, "%s%" PRIu64 "%s", before, count, after);
	else
		fprintf(out, "%s%s%s", before, NOT_MEASURED, after);
}

static void print_value(FILE *out, const char *before, const struct taskrt_reading *r,
			unsigned int value, const char *after)
{
	print_count(out, before, reading_has_value(r, value), r->counts.values[value], after);
}

/* What the processor has counted while it ran. */
static void print_cycles(FILE *out, const struct taskrt_reading *r)
{
	const uint64_t cycles = r->counts.values[TASKRT_VALUE_CYCLES];
	const uint64_t instructions = r->counts.values[TASKRT_VALUE_INSTRUCTIONS];
	const uint64_t ns = r->counts.values[TASKRT_VALUE_CYCLES_NS];

	if ((r->stats.measured.values & READING_CYCLES) != READING_CYCLES ||
	    !reading_has_value(r, TASKRT_VALUE_CYCLES))
		return;
	fprintf(out, "    while counted: %" PRIu64 " cycles, %" PRIu64 " instructions", cycles,
		instructions);
	if (ns)
		fprintf(out, "; %.2f GHz", (double)cycles / (double)ns);
	if (instructions)
		fprintf(out, ", CPI %.2f", (double)cycles / (double)instructions);
	fprintf(out, "\n");
}

/* Print the values that this command does not know, one line each. */
static void print_other_values(FILE *out, const struct taskrt_reading *r)
{
	const uint64_t shown = names_usual.values | READING_CYCLES;
	unsigned int value;

	for (value = 0; value < TASKRT_VALUES_ROOM; value++)
		if (reading_has_value(r, value) && !taskrt_measures(shown, value))
			fprintf(out, "    %s: %" PRIu64 "\n", names_of(TASKRT_NAME_VALUE, value),
				(uint64_t)r->counts.values[value]);
}

static void print_mode(FILE *out, const char *mode, uint64_t ns, uint64_t all_ns, const char *after)
{
	char time[UNITS_MAX], share[UNITS_MAX];
	double permille = all_ns ? 1000.0 * (double)ns / (double)all_ns : 0;

	fprintf(out, "%s time %s (%s %%)%s", mode, units_time(time, ns),
		units_share(share, (unsigned int)(permille + 0.5)), after);
}

/* The CPU time in user and in kernel mode, as the kernel divides it. */
static void print_modes(FILE *out, const struct taskrt_reading *r)
{
	const uint64_t user = r->counts.values[TASKRT_VALUE_USER_NS];
	const uint64_t system = r->counts.values[TASKRT_VALUE_SYSTEM_NS];

	fprintf(out, "    ");
	if (!reading_has_value(r, TASKRT_VALUE_USER_NS) ||
	    !reading_has_value(r, TASKRT_VALUE_SYSTEM_NS)) {
		fprintf(out, "user and system time " NOT_MEASURED ",\n");
		return;
	}
	print_mode(out, "user", user, user + system, ", ");
	print_mode(out, "system", system, user + system, ",\n");
}

static void print_switches(FILE *out, const struct taskrt_reading *r)
{
	if (!reading_has_value(r, TASKRT_VALUE_VOLUNTARY_SWITCHES) &&
	    !reading_has_value(r, TASKRT_VALUE_INVOLUNTARY_SWITCHES)) {
		fprintf(out, "    switches " NOT_MEASURED ";");
		return;
	}
	print_value(out, "    switches: ", r, TASKRT_VALUE_VOLUNTARY_SWITCHES, " voluntary, ");
	print_value(out, "", r, TASKRT_VALUE_INVOLUNTARY_SWITCHES, " involuntary;");
}

static void print_totals(FILE *out, const struct taskrt_reading *r)
{
	const struct taskrt_stats *s = &r->stats;
	char cpu[UNITS_MAX], queue[UNITS_MAX];

	fprintf(out, "  Since creation: cpu time %s, queue time %s,\n",
		time_or_not(cpu, s, TASKRT_VALID_CPU_TIME, s->cpu_time_ns),
		time_or_not(queue, s, TASKRT_VALID_QUEUE_TIME, s->queue_time_ns));
	print_modes(out, r);
	print_switches(out, r);
	print_value(out, " wake-ups since tracked: ", r, TASKRT_VALUE_WAKEUPS, "\n");
	print_cycles(out, r);
	print_other_values(out, r);
}

static void print_flags(FILE *out, const struct taskrt_stats *stats)
{
	char ending[ENDING_MAX];

	if (stats->flags & TASKRT_FLAG_KTHREAD)
		fprintf(out, ", a kernel thread");
	if (stats->flags & TASKRT_FLAG_EXITED)
		fprintf(out, ", ended: %s", ending_text(ending, stats->exit_code));
	if (stats->flags & TASKRT_FLAG_COARSE)
		fprintf(out, ", times rounded down");
	if (stats->flags & TASKRT_FLAG_INCOMPLETE)
		fprintf(out, ", %s of it are missing",
			stats->entity == TASKRT_ENTITY_THREAD ? "waits" : "threads or waits");
	fprintf(out, "\n");
}

static void print_identity(FILE *out, const struct taskrt_stats *s)
{
	char comm[COMM_MAX];

	if (!taskrt_has(s, TASKRT_VALID_IDENTITY)) {
		fprintf(out, "identity %s\n", NOT_MEASURED);
		return;
	}
	text_safe(comm, sizeof(comm), s->comm, sizeof(s->comm));
	if (s->tid)
		fprintf(out, "thread %u (%s) of process %u", s->tid, comm, s->tgid);
	else
		fprintf(out, "process %u (%s)", s->tgid, comm);
	if (s->tid && taskrt_has(s, TASKRT_VALID_STATE))
		fprintf(out, ", now %s", names_state(s->state));
	if (!s->tid && taskrt_has(s, TASKRT_VALID_THREADS))
		fprintf(out, ", threads: %llu live, %llu gone", s->threads, s->threads_gone);
	fprintf(out, "\n  parent %u, uid %u, gid %u", s->ppid, s->uid, s->gid);
	print_flags(out, s);
}

static void print_tracked(FILE *out, const struct taskrt_stats *s)
{
	char tracked[UNITS_MAX], age[UNITS_MAX];

	if (!taskrt_has(s, TASKRT_VALID_CLOCK)) {
		fprintf(out, "  tracked time %s\n", NOT_MEASURED);
		return;
	}
	fprintf(out, "  tracked for %s%s", units_time(tracked, s->tracked_time_ns),
		s->tid ? "" : " of thread time");
	if (s->flags & TASKRT_FLAG_PREEXISTING && s->sample_time_ns > s->start_time_ns)
		fprintf(out, ", not since creation, which was %s ago",
			units_time(age, s->sample_time_ns - s->start_time_ns));
	else
		fprintf(out, ", since creation");
	fprintf(out, "\n\n");
}

static void print_all(FILE *out, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites)
{
	report_states(out, reading, sites, 0);
	fprintf(out, "\n");
	report_waits(out, reading);
	fprintf(out, "\n");
	print_totals(out, reading);
}

void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites)
{
	print_identity(out, &reading->stats);
	print_tracked(out, &reading->stats);
	print_all(out, reading, sites);
}

void report_children(FILE *out, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *stats = &reading->stats;
	const char *pending = stats->flags & TASKRT_FLAG_PENDING ?
			      ", and some are not added yet: ask again" : "";
	char tracked[UNITS_MAX];

	fprintf(out, "children that process %u has waited for, and their descendants: ",
		stats->tgid);
	/* Those from before tracking began are not counted, but have used some time. */
	if (taskrt_has(stats, TASKRT_VALID_THREADS) && !stats->threads_gone &&
	    !stats->cpu_time_ns) {
		fprintf(out, "none%s\n", pending);
		return;
	}
	if (taskrt_has(stats, TASKRT_VALID_THREADS))
		fprintf(out, "%llu thread%s, all ended\n", stats->threads_gone,
			units_plural(stats->threads_gone, "s"));
	else
		fprintf(out, "threads " NOT_MEASURED "\n");
	fprintf(out, "  tracked for %s of thread time%s%s\n\n",
		time_or_not(tracked, stats, TASKRT_VALID_CLOCK, stats->tracked_time_ns),
		stats->flags & TASKRT_FLAG_INCOMPLETE ? ", threads of them are missing" : "",
		pending);
	print_all(out, reading, NULL);
}
