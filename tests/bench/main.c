// SPDX-License-Identifier: GPL-2.0-only
/*
 * What taskrt costs, in instructions: to be run in a guest whose clock they are
 * (-icount), on one CPU.  Cache misses and the latency of reading a clock are not
 * in it.  Each event is measured without the module, with it switched off, and
 * with it on, three times in turn; what it adds is a difference of two.  What is
 * told is told with every group, where the name says nothing else.
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

#define FEW	220	/* threads, in all but the last event */

enum config { ABSENT, OFF, ON };

/* Bars and ambitions are for 6.12. */
static struct {
	struct table_row row;
	double (*event)(void);
	enum config config;
	enum config base;	/* ON: nothing is taken away */
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
	{ { "end of a thread, to a listener", "instructions", 2500, 1000, { 0 } },
	  exit_thread_told, ON, ON },
	{ { "end of a process, to a listener", "instructions", 2500, 1000, { 0 } },
	  exit_process_told, ON, ON },
	{ { "end of a thread, its times to a listener", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, exit_thread_told_times, ON, ON },
	{ { "end of a process, its times to a listener", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, exit_process_told_times, ON, ON },
	{ { "end of a process, its thread to a listener", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  exit_process_thread_told, ON, ON },
	{ { "to compare: end of a thread, to taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, exit_thread_taskstats, ABSENT, ABSENT },
	{ { "to compare: end of a process, to taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
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
	{ { "to compare: clock_gettime(CLOCK_MONOTONIC)", "instructions", TABLE_NO_BAR,
	    TABLE_NO_BAR, { 0 } }, own_clock, ON, ON },
	{ { "switch + wake-up, more if others are armed", "instructions", 5, 1, { 0 } },
	  own_switch_beside, ON, ON },
	{ { "switch + wake-up, of mapped threads", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_switch_mapped, ON, ABSENT },
	{ { "switch + wake-up, of armed threads", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_switch_armed, ON, ABSENT },
	{ { "an alert, for who raises it", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_alert, ON, ON },
	{ { "GET of oneself", "instructions", 8000, 7050, { 0 } }, event_get_self, ON, ON },
	{ { "GET of oneself, times", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_get_self_times, ON, ON },
	{ { "GET of oneself, no group", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_get_self_bare, ON, ON },
	{ { "GET of another", "instructions", 8000, 7050, { 0 } }, event_get_other, ON, ON },
	{ { "GET of oneself, version 1", "instructions", 8000, 7050, { 0 } },
	  event_get_version_1, ON, ON },
	{ { "dump, a task", "instructions", 1000, 900, { 0 } }, event_dump, ON, ON },
	{ { "dump, a task, times", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_dump_times, ON, ON },
	{ { "memory of a thread", "bytes", 512, 256, { 0 } }, event_record_size, ON, ON },
	{ { "taskrt_get() of oneself, every group", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_library_self, ON, ON },
	{ { "taskrt_get() of oneself, times", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  event_library_self_times, ON, ON },
	{ { "to compare: GET of taskstats", "instructions", TABLE_NO_BAR, TABLE_NO_BAR, { 0 } },
	  own_taskstats, ON, ON },
	{ { "to compare: getrusage(RUSAGE_THREAD)", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_getrusage, ON, ON },
	{ { "to compare: clock_gettime of the thread", "instructions", TABLE_NO_BAR, TABLE_NO_BAR,
	    { 0 } }, event_cpu_clock, ON, ON },
};

#define LINES	(sizeof(lines) / sizeof(*lines))

static void settle(void)
{
	/* The clock jumps over idle time: seconds cost nothing. */
	clock_sleep(2 * SEC);
}

static void configure(enum config config)
{
	event_disconnect();
	if (config == ABSENT && module_loaded(MODULE_TASKRT) && module_remove(MODULE_TASKRT))
		tap_bail("removing the module");
	if (config != ABSENT && !module_loaded(MODULE_TASKRT))
		module_again("");
	if (config != ABSENT && module_set("enabled", config == ON ? "1" : "0"))
		tap_bail("enabled");
	if (config == ON)
		event_connect();
	settle();
}

/* TASKRT_BENCH_ONLY: a part of the names of those that are wanted. */
static int wanted(unsigned int i)
{
	const char *only = getenv("TASKRT_BENCH_ONLY");

	return !only || strstr(lines[i].row.name, only) != NULL;
}

/* The readings of one round in one configuration. */
static void read_all(enum config config, unsigned int round)
{
	unsigned int i;

	configure(config);
	for (i = 0; i < LINES; i++) {
		double *value = &lines[i].row.values[round];

		if (!wanted(i) || (lines[i].config != config && lines[i].base != config))
			continue;
		/* Once to warm up what the first time makes. */
		lines[i].event();
		if (lines[i].config == config)
			*value += lines[i].event();
		else
			*value -= lines[i].event();
	}
}

/* A switch's added cost with the crowd, in percent of that without. */
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
		tap_bail("removing the module");
	/* What a kernel does after its boot would double early readings. */
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
	/* In proportion to the first line. */
	if (wanted(0)) {
		snprintf(name, sizeof(name), "switch + wake-up, %lu threads to %d", threads, FEW);
		rows[count] = (struct table_row){ name, "percent", 115, 100, { 0 } };
		flatness(&rows[count++], threads);
	}
	(json ? table_print_json : table_print)(rows, count);
	return 0;
}
