/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of one or more tasks, as text for people. */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <taskrt.h>

#include "common/element.h"
#include "common/units.h"

/* A value that was not measured is shown as such, never as 0.  A value of 0 may be left out. */
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
 * Print the longest interval of a state or a timer: its length, its start, and where it was.
 * start_ns: the start of the command, to show the time since then; 0: show the time of the user's
 * clock, and how long ago it was
 * site: the function of the kernel, or ""
 */
void report_longest(FILE *out, const struct taskrt_stats *stats, const struct element *element,
		    uint64_t start_ns, const char *site);

/* The groups that report_states() and report_waits() show. */
#define REPORT_STATES_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST)

/*
 * Where the time of a thread or a process went: its states, ranked.
 * sites: of its longest waits; NULL: not known
 * not_alive_ns: time to show as before its creation or after its end
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

/* A line with cycles and instructions, if they were counted.  before: printed first */
void report_cycles(FILE *out, const char *before, const struct taskrt_reading *r);

/*
 * One sentence, unless the states were not measured: what most of the time went to, and what kept
 * the threads from running.
 * before: printed first: "verdict: "
 * sites: of its longest waits; NULL: not known
 */
void report_verdict(FILE *out, const char *before, const struct taskrt_reading *reading,
		    const struct taskrt_sites *sites);

/* The groups that report_task() shows. */
#define REPORT_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST | TASKRT_GROUP_COUNTS)

/* All that is known of a task.  sites: of its longest waits; NULL: not known */
void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites);

/* The same for the children that a process has waited for. */
void report_children(FILE *out, const struct taskrt_reading *reading);

#define ENDING_MAX	16	/* bytes that the longest text takes, with its NUL */

/* How a task has ended, as wait(2) reports it: "exit 0", "KILL", "SEGV core", "sig 34". */
const char *ending_text(char text[ENDING_MAX], uint32_t exit_code);

#define CYCLES_MAX	64

/* "3.10 GHz, CPI 0.81" (cycles per instruction); "" if they were not counted. */
const char *cycles_text(char text[CYCLES_MAX], const struct taskrt_reading *reading);

/* In addition to the states: the part of the time in which the thread did not exist. */
#define RANK_NOT_ALIVE	((unsigned int)TASKRT_STATES_ROOM)

struct rank_row {
	unsigned int state;	/* enum taskrt_state or RANK_NOT_ALIVE */
	uint64_t ns;
	unsigned int permille;
};

struct rank {
	struct rank_row rows[TASKRT_STATES_ROOM + 1];
	size_t count;			/* rows whose time is not 0 */
	uint64_t total_ns;		/* 100 % */
};

/*
 * The states of one reading, longest first, each with its share.
 * not_alive_ns is 0, or a part of the whole in which the thread did not exist.
 * States with no time, and states that were not measured, get no row.
 */
void rank_states(struct rank *rank, const struct taskrt_reading *reading, uint64_t not_alive_ns);

/*
 * Find a cgroup of version 2.
 * text: an id, a folder of a mounted cgroup2 file system, or a path below its root as
 * /proc/PID/cgroup shows it, with or without the first slash.
 * Return: 0, or STATUS_USAGE or STATUS_FAILED after a message.
 */
int cgroup_find(const char *text, uint64_t *id);

#define CGROUP_PATH_MAX	4096

/* The path, below its root, of the cgroup of the task, if it has this id.  Return: 0; -1. */
int cgroup_path(pid_t tid, uint64_t id, char path[CGROUP_PATH_MAX]);

#endif
