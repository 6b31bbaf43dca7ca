// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread or process, as a person reads it.  What was not measured says so
 * and is never 0; what is 0 is left out where its absence says as much.
 */
#include <inttypes.h>
#include <string.h>

#include "field.h"
#include "rank.h"
#include "report.h"
#include "text.h"
#include "units.h"

#define NOT_MEASURED	"not measured"
#define COMM_MAX	64

static const char *time_or_not(char *text, const struct taskrt_stats *stats,
			       uint64_t valid, uint64_t ns)
{
	return taskrt_has(stats, valid) ? units_time(text, ns) : NOT_MEASURED;
}

/* "  31.6 ms        2.812901   41.1 ms ago": when it began, seen from the snapshot. */
static void print_longest(FILE *out, const struct taskrt_stats *stats, uint64_t valid,
			  const struct taskrt_longest *longest)
{
	char length[UNITS_MAX], at[UNITS_MAX], age[UNITS_MAX];
	uint64_t now = stats->sample_time_ns;

	if (!taskrt_has(stats, valid)) {
		fprintf(out, "  %7s", "-");
		return;
	}
	if (!longest->ns)
		return;
	fprintf(out, "  %7s  %14s", units_time(length, longest->ns),
		units_instant(at, longest->at_ns));
	if (taskrt_has(stats, TASKRT_VALID_CLOCK) && now >= longest->at_ns)
		fprintf(out, "  %7s ago", units_time(age, now - longest->at_ns));
}

static void print_state(FILE *out, const struct taskrt_stats *stats, const struct rank_row *row)
{
	const struct taskrt_longest *longest;
	char time[UNITS_MAX], share[UNITS_MAX];

	fprintf(out, "  %-14s  %7s  %5s %%",
		row->state == RANK_NOT_ALIVE ? "(not alive)" : field_state_name(row->state),
		units_time(time, row->ns), units_share(share, row->permille));
	if (row->state == RANK_NOT_ALIVE) {
		fprintf(out, "  before it began, and after it ended\n");
		return;
	}
	longest = &stats->longest_state[row->state];
	/* Padded where something follows. */
	fprintf(out, "  %-*s", longest->ns || !taskrt_has(stats, TASKRT_VALID_LONGEST_STATE) ?
		25 : 0, field_state_gloss(row->state));
	print_longest(out, stats, TASKRT_VALID_LONGEST_STATE, longest);
	fprintf(out, "\n");
}

/* The states that the ranking cannot show, in one line for each reason. */
static void print_absent(FILE *out, const struct taskrt_stats *stats, int measured,
			 const char *words)
{
	const char *separator = "";
	unsigned int state;
	int column = 0;

	for (state = 0; state < TASKRT_NR_STATES; state++) {
		const char *name = field_state_name(state);

		if (rank_measured(stats, state) != measured ||
		    (measured && stats->states_ns[state]))
			continue;
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

void report_states(FILE *out, const struct taskrt_stats *stats, uint64_t not_alive_ns)
{
	char total[UNITS_MAX];
	struct rank rank;
	size_t i;

	if (!taskrt_has(stats, TASKRT_VALID_STATES)) {
		fprintf(out, "  the states were %s\n", NOT_MEASURED);
		return;
	}
	rank_states(&rank, stats, not_alive_ns);
	fprintf(out, "  %-14s  %7s  %7s  %-25s  %7s  %14s\n", "STATE", "TIME", "SHARE", "",
		"LONGEST", "BEGAN AT");
	for (i = 0; i < rank.count; i++)
		print_state(out, stats, &rank.rows[i]);
	fprintf(out, "  %-14s  %7s  %7s\n", "total", units_time(total, rank.total_ns),
		rank.count ? "100.0 %" : "-");
	print_absent(out, stats, 1, "never");
	print_absent(out, stats, 0, NOT_MEASURED);
}

struct wait {
	const char *name;
	uint64_t valid_time;
	uint64_t ns;
	uint64_t valid_count;
	uint64_t count;
};

static void print_wait(FILE *out, const struct taskrt_stats *stats, const struct wait *wait)
{
	char time[UNITS_MAX];

	fprintf(out, "  %-14s  %12s", wait->name,
		time_or_not(time, stats, wait->valid_time, wait->ns));
	if (taskrt_has(stats, wait->valid_count))
		fprintf(out, "  %10" PRIu64, wait->count);
	else
		fprintf(out, "  %10s", "-");
}

/* A kind without time and without count is left out; one not measured is not. */
static void print_kind(FILE *out, const struct taskrt_stats *stats, const struct wait *wait)
{
	if (taskrt_has(stats, wait->valid_time) && !wait->ns &&
	    taskrt_has(stats, wait->valid_count) && !wait->count)
		return;
	print_wait(out, stats, wait);
	fprintf(out, "\n");
}

static void print_faults(FILE *out, const struct taskrt_stats *s)
{
	struct wait all = { "page faults", TASKRT_VALID_PAGE_FAULT_TIME, s->page_fault_time_ns,
			    TASKRT_VALID_FAULTS, s->minor_faults + s->major_faults };
	struct wait minor = { "  minor", TASKRT_VALID_FAULT_TIMES, s->minor_fault_time_ns,
			      TASKRT_VALID_FAULTS, s->minor_faults };
	struct wait major = { "  major", TASKRT_VALID_FAULT_TIMES, s->major_fault_time_ns,
			      TASKRT_VALID_FAULTS, s->major_faults };

	print_wait(out, s, &all);
	print_longest(out, s, TASKRT_VALID_LONGEST_FAULT, &s->longest_fault);
	fprintf(out, "\n");
	print_kind(out, s, &minor);
	print_kind(out, s, &major);
}

static void print_locks(FILE *out, const struct taskrt_stats *s)
{
	struct wait all = { "kernel locks", TASKRT_VALID_LOCK_TIME, s->lock_contention_time_ns,
			    TASKRT_VALID_LOCKS, 0 };
	unsigned int lock;

	for (lock = 0; lock < TASKRT_NR_LOCKS; lock++)
		all.count += s->lock_count[lock];
	print_wait(out, s, &all);
	print_longest(out, s, TASKRT_VALID_LONGEST_LOCK, &s->longest_lock);
	fprintf(out, "\n");
	if (!taskrt_has(s, TASKRT_VALID_LOCKS))
		return;
	for (lock = 0; lock < TASKRT_NR_LOCKS; lock++) {
		char name[32];
		struct wait kind = { name, TASKRT_VALID_LOCKS, s->lock_time_ns[lock],
				     TASKRT_VALID_LOCKS, s->lock_count[lock] };

		snprintf(name, sizeof(name), "  %s", taskrt_lock_name(lock));
		print_kind(out, s, &kind);
	}
}

void report_waits(FILE *out, const struct taskrt_stats *stats)
{
	fprintf(out, "  Whole waits, whatever happened inside them; "
		"these may overlap each other and the states.\n");
	fprintf(out, "  %-14s  %12s  %10s  %7s  %14s\n", "CAUSE", "TIME", "COUNT", "LONGEST",
		"BEGAN AT");
	print_faults(out, stats);
	print_locks(out, stats);
}

static void print_count(FILE *out, const char *before, const struct taskrt_stats *stats,
			uint64_t valid, uint64_t count, const char *after)
{
	if (taskrt_has(stats, valid))
		fprintf(out, "%s%" PRIu64 "%s", before, count, after);
	else
		fprintf(out, "%s%s%s", before, NOT_MEASURED, after);
}

static void print_totals(FILE *out, const struct taskrt_stats *s)
{
	char cpu[UNITS_MAX], queue[UNITS_MAX];

	fprintf(out, "  Since creation: cpu time %s, queue time %s,\n",
		time_or_not(cpu, s, TASKRT_VALID_CPU_TIME, s->cpu_time_ns),
		time_or_not(queue, s, TASKRT_VALID_QUEUE_TIME, s->queue_time_ns));
	print_count(out, "    switches: ", s, TASKRT_VALID_SWITCHES, s->voluntary_switches,
		    " voluntary, ");
	print_count(out, "", s, TASKRT_VALID_SWITCHES, s->involuntary_switches, " involuntary;");
	print_count(out, " wake-ups since tracked: ", s, TASKRT_VALID_WAKEUPS, s->wakeups, "\n");
}

static void print_flags(FILE *out, const struct taskrt_stats *stats)
{
	if (stats->flags & TASKRT_FLAG_KTHREAD)
		fprintf(out, ", a kernel thread");
	if (stats->flags & TASKRT_FLAG_EXITED)
		fprintf(out, ", ended, exit code 0x%x", stats->exit_code);
	if (stats->flags & TASKRT_FLAG_COARSE)
		fprintf(out, ", times rounded down");
	if (stats->flags & TASKRT_FLAG_INCOMPLETE)
		fprintf(out, ", threads of it are missing");
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
		fprintf(out, ", now %s", field_state_name(s->state));
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
	if (s->flags & TASKRT_FLAG_LATE && s->sample_time_ns > s->start_time_ns)
		fprintf(out, ", not since creation, which was %s ago",
			units_time(age, s->sample_time_ns - s->start_time_ns));
	else
		fprintf(out, ", since creation");
	fprintf(out, "\n\n");
}

static void print_all(FILE *out, const struct taskrt_stats *stats)
{
	report_states(out, stats, 0);
	fprintf(out, "\n");
	report_waits(out, stats);
	fprintf(out, "\n");
	print_totals(out, stats);
}

void report_task(FILE *out, const struct taskrt_stats *stats)
{
	print_identity(out, stats);
	print_tracked(out, stats);
	print_all(out, stats);
}

void report_children(FILE *out, const struct taskrt_stats *stats)
{
	char tracked[UNITS_MAX];

	fprintf(out, "children that process %u has waited for, and theirs: ", stats->tgid);
	if (taskrt_has(stats, TASKRT_VALID_THREADS) && !stats->threads_gone) {
		fprintf(out, "none\n");
		return;
	}
	print_count(out, "threads: ", stats, TASKRT_VALID_THREADS, stats->threads_gone, " gone\n");
	fprintf(out, "  tracked for %s of thread time%s\n\n",
		time_or_not(tracked, stats, TASKRT_VALID_CLOCK, stats->tracked_time_ns),
		stats->flags & TASKRT_FLAG_INCOMPLETE ? ", threads of them are missing" : "");
	print_all(out, stats);
}
