// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of taskrt in instructions.  The program runs in a guest with
 * one CPU whose clock counts instructions (-icount).  Cache misses and the latency of
 * reading a clock are therefore not included.  Each event is measured without the
 * module, with accounting switched off, and with accounting on, three times in turn.
 * The added cost is the difference of two of these.  Unless the name of an event says
 * otherwise, readings and records contain all groups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "crowd.h"
#include "event.h"
#include "exit.h"
#include "module.h"
#include "own.h"
#include "table.h"
#include "tap.h"

#define FEW	220	/* number of threads, in all events but the last */

enum config { ABSENT, OFF, ON };

/* The limits ("bar") and the goals ("ambition") are for Linux 6.12. */
static struct {
	struct table_row row;
	double (*event)(void);
	enum config config;
	enum config base;	/* whose cost is subtracted; ON: nothing is subtracted */
} lines[] = {
	{ { "switch + wake-up", "instructions", 190, 100, { 0 } }, event_switch, ON, ABSENT },
	{ { "minor fault", "instructions", 600, 165, { 0 } }, event_fault, ON, ABSENT },
	{ { "contended mutex", "instructions", 250, 110, { 0 } }, event_mutex, ON, ABSENT },
	{ { "contended rwsem, reader", "instructions", 170, 75, { 0 } },
	  event_rwsem_read, ON, ABSENT },
	{ { "contended rwsem, writer", "instructions", 170, 75, { 0 } },
	  event_rwsem_write, ON, ABSENT },
	{ { "uncontended mutex", "instructions", 0, 0, { 0 } }, event_free_mutex, ON, ABSENT },
	{ { "fork + exit + wait (vfork)", "instructions", 1500, 700, { 0 } }, event_fork, ON, ABSENT },
	{ { "thread exit, with a listener", "instructions", 2500, 1000, { 0 } },
	  exit_thread_told, ON, ON },
	{ { "process exit, with a listener", "instructions", 2500, 1000, { 0 } },
	  exit_process_told, ON, ON },
	{ { "thread exit, with a listener, times only", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, exit_thread_told_times, ON, ON },
	{ { "process exit, with a listener, times only", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, exit_process_told_times, ON, ON },
	{ { "process exit, with a listener, thread only", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  exit_process_thread_told, ON, ON },
	{ { "for comparison: thread exit, taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, exit_thread_taskstats, ABSENT, ABSENT },
	{ { "for comparison: process exit, taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, exit_process_taskstats, ABSENT, ABSENT },
	{ { "switched off: switch + wake-up", "instructions", 5, 0, { 0 } },
	  event_switch, OFF, ABSENT },
	{ { "switched off: minor fault", "instructions", 5, 0, { 0 } },
	  event_fault, OFF, ABSENT },
	{ { "switched off: contended mutex", "instructions", 5, 0, { 0 } },
	  event_mutex, OFF, ABSENT },
	{ { "self-read, with the clock", "instructions", 135, 115, { 0 } }, own_read, ON, ON },
	{ { "self-read of all statistics", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_get, ON, ON },
	{ { "self-read of statistics and times", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, own_get_times, ON, ON },
	{ { "a window, begin and end", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_window, ON, ON },
	{ { "for comparison: CLOCK_MONOTONIC", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, own_clock, ON, ON },
	{ { "switch + wake-up, added by armed others", "instructions", 5, 1, { 0 } },
	  own_switch_beside, ON, ON },
	{ { "switch + wake-up, of mapped threads", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_switch_mapped, ON, ABSENT },
	{ { "switch + wake-up, of armed threads", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_switch_armed, ON, ABSENT },
	{ { "an alert, for the thread that raises it", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, own_alert, ON, ON },
	{ { "GET of the own thread", "instructions", 8000, 7050, { 0 } }, event_get_self, ON, ON },
	{ { "GET of the own thread, times only", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_get_self_times, ON, ON },
	{ { "GET of the own thread, no group", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_get_self_bare, ON, ON },
	{ { "GET of another thread", "instructions", 8000, 7050, { 0 } }, event_get_other, ON, ON },
	{ { "GET of the own thread, version 1", "instructions", 8000, 7050, { 0 } },
	  event_get_version_1, ON, ON },
	{ { "dump, for each thread", "instructions", 1000, 900, { 0 } }, event_dump, ON, ON },
	{ { "dump, for each thread, times only", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_dump_times, ON, ON },
	{ { "memory for each thread", "bytes", 512, 256, { 0 } }, event_record_size, ON, ON },
	{ { "taskrt_get() of the own thread", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_library_self, ON, ON },
	{ { "taskrt_get() of the own thread, times only", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_library_self_times, ON, ON },
	{ { "for comparison: GET of taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_taskstats, ON, ON },
	{ { "for comparison: getrusage(RUSAGE_THREAD)", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_getrusage, ON, ON },
	{ { "for comparison: CLOCK_THREAD_CPUTIME_ID", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_cpu_clock, ON, ON },
};

#define LINES	(sizeof(lines) / sizeof(*lines))

static void settle(void)
{
	/* The clock of the guest skips idle time, so that sleeping takes no real time. */
	clock_sleep(2 * SEC);
}

static void configure(enum config config)
{
	event_disconnect();
	if (config == ABSENT && module_loaded(MODULE_TASKRT) && module_remove(MODULE_TASKRT))
		tap_bail("cannot remove the module");
	if (config != ABSENT && !module_loaded(MODULE_TASKRT))
		module_again("");
	if (config != ABSENT && module_set("enabled", config == ON ? "1" : "0"))
		tap_bail("cannot set the parameter enabled");
	if (config == ON)
		event_connect();
	settle();
}

/* Only the rows whose names contain TASKRT_BENCH_ONLY are measured. */
static int wanted(unsigned int i)
{
	const char *only = getenv("TASKRT_BENCH_ONLY");

	return !only || strstr(lines[i].row.name, only) != NULL;
}

/* Measures all events of one round in one configuration. */
static void read_all(enum config config, unsigned int round)
{
	unsigned int i;

	configure(config);
	for (i = 0; i < LINES; i++) {
		double *value = &lines[i].row.values[round];

		if (!wanted(i) || (lines[i].config != config && lines[i].base != config))
			continue;
		/* The first call allocates and fills caches, and is not counted. */
		lines[i].event();
		if (lines[i].config == config)
			*value += lines[i].event();
		else
			*value -= lines[i].event();
	}
}

/* The added cost of a switch with many threads, in percent of the cost with few. */
static void flatness(struct table_row *row, unsigned int threads)
{
	unsigned int round;
	double with[TABLE_REPEATS];

	crowd_gather(threads - FEW);
	for (round = 0; round < TABLE_REPEATS; round++) {
		configure(ON);
		event_switch();
		with[round] = event_switch();
		configure(ABSENT);
		event_switch();
		with[round] -= event_switch();
		row->values[round] = with[round] * 100 / lines[0].row.values[round];
	}
}

int main(int argc, char **argv)
{
	unsigned long threads = tap_setting("TASKRT_BENCH_THREADS", 20000);
	int json = argc > 1 && !strcmp(argv[1], "--json");
	struct table_row rows[LINES + 1];
	unsigned int round, i, count = 0;
	char name[64];

	if (module_loaded(MODULE_TASKRT) && module_remove(MODULE_TASKRT))
		tap_bail("cannot remove the module");
	/* Wait for the work that the kernel does after its boot, which would be measured. */
	clock_sleep(20 * SEC);
	event_prepare();
	crowd_gather(FEW);
	for (round = 0; round < TABLE_REPEATS; round++) {
		read_all(ABSENT, round);
		read_all(OFF, round);
		read_all(ON, round);
	}
	configure(ABSENT);
	for (i = 0; i < LINES; i++)
		if (wanted(i))
			rows[count++] = lines[i].row;
	/* In percent of the first row. */
	if (wanted(0)) {
		snprintf(name, sizeof(name), "switch + wake-up, %lu threads against %d", threads,
			 FEW);
		rows[count] = (struct table_row){ name, "percent", 115, 100, { 0 } };
		flatness(&rows[count++], threads);
	}
	(json ? table_print_json : table_print)(rows, count);
	return 0;
}
