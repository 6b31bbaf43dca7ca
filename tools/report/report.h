/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a task or of several, as a person reads it. */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

#include <stdio.h>
#include <taskrt.h>

#include "common/element.h"
#include "common/units.h"

/*
 * What was not measured says so and is never 0; what is 0 is left out where its absence says as
 * much.
 */
#define NOT_MEASURED	"not measured"

/* text: room for UNITS_MAX */
static inline const char *time_or_not(char *text, const struct taskrt_stats *stats,
				      uint64_t valid, uint64_t ns)
{
	return taskrt_has(stats, valid) ? units_time(text, ns) : NOT_MEASURED;
}

/* The column below report_longest_head() is as wide as this and two blanks. */
#define LONGEST_WIDTH	14

/* start_ns: see report_longest() */
const char *report_longest_head(uint64_t start_ns);

/*
 * Print how long the longest interval of a state or a timer was, when it began, and where it was.
 * start_ns: when the command began, from which on the time is shown; 0: show it as the user's
 *	clock did, and how long ago that was
 * site: the function of the kernel, or ""
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    uint64_t start_ns, const char *site);

/* What report_states() and report_waits() show. */
#define REPORT_STATES_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST)

/*
 * Where the time of a thread or a process went: its states, ranked.
 * sites: of its longest waits; NULL: not known
 * not_alive_ns: time before it began and after it ended that is to be shown
 * start_ns: see report_longest()
 */
void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns, uint64_t start_ns);

/*
 * Page faults, waits for locks and the other timers from start to end, whatever state the
 * thread was in.  start_ns: see report_longest()
 */
void report_waits(FILE *out, const struct taskrt_reading *reading, uint64_t start_ns);

/* What a thread or a process has used since its creation, as the kernel counts it. */
void report_since_creation(FILE *out, const struct taskrt_reading *r);

/* A line with what the processor has counted, if it has; before: what stands before it. */
void report_cycles(FILE *out, const char *before, const struct taskrt_reading *r);

/*
 * In one sentence, unless the states were not measured: what most of the time went to, and what
 * kept the threads from running.
 * before: what stands before it on the line: "verdict: "
 * sites: of its longest waits; NULL: not known
 */
void report_verdict(FILE *out, const char *before, const struct taskrt_reading *reading,
		    const struct taskrt_sites *sites);

/* What report_task() shows. */
#define REPORT_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST | TASKRT_GROUP_COUNTS)

/* All that is known of one.  sites: of its longest waits; NULL: not known */
void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites);

/* The same for the children that a process has waited for. */
void report_children(FILE *out, const struct taskrt_reading *reading);

#define ENDING_MAX	16	/* bytes that the longest text takes, with its NUL */

/* How a task has ended; exit_code: as wait(2) reports it.  "exit 0", "KILL", "SEGV core", "sig 34". */
const char *ending_text(char text[ENDING_MAX], uint32_t exit_code);

#define CYCLES_MAX	64

/* "3.10 GHz, CPI 0.81" (cycles per instruction); "" if they were not counted. */
const char *cycles_text(char text[CYCLES_MAX], const struct taskrt_reading *reading);

#endif
