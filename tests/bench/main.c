// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what accounting costs, in instructions.  The program runs in a guest with one
 * CPU whose clock counts instructions (-icount).  Each event is measured in each of the
 * configurations in which it has a meaning, and all of that three times in turn.
 *
 * Prints a JSON object: the events, in each the configurations, in each the values of
 * all rounds.  What is subtracted from what, and which limits there are, is in "rows".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "crowd.h"
#include "event.h"
#include "mark.h"
#include "tap.h"
#include "thread.h"

#define FEW	220	/* threads, in all events but those with a crowd */
#define ROUNDS	3
#define CROWDS	8	/* at most */

enum {
	ABSENT = 1 << CONFIG_ABSENT,
	OFF = 1 << CONFIG_OFF,
	ON = 1 << CONFIG_ON,
	MAPS = 1 << CONFIG_STORAGE | 1 << CONFIG_HASH,
	SCHEDSTATS = 1 << CONFIG_SCHEDSTATS,
	BPFTRACE = 1 << CONFIG_BPFTRACE,
	ALL = ABSENT | OFF | ON | MAPS | SCHEDSTATS,
};

struct event {
	const char *name;
	double (*measure)(void);
	unsigned int configs;
	double values[CONFIGS][ROUNDS];
};

static struct event events[] = {
	{ "switch", pair_switch, ALL, { { 0 } } },
	{ "fault", hooked_fault, ALL, { { 0 } } },
	{ "mutex", hooked_mutex, ABSENT | OFF | ON | MAPS, { { 0 } } },
	{ "rwsem_read", hooked_rwsem_read, ABSENT | ON | MAPS, { { 0 } } },
	{ "rwsem_write", hooked_rwsem_write, ABSENT | ON | MAPS, { { 0 } } },
	{ "free_mutex", hooked_free_mutex, ABSENT | ON | MAPS, { { 0 } } },
	{ "irq", hooked_irq, ABSENT | OFF | ON, { { 0 } } },
	{ "tick", hooked_tick, ABSENT | OFF | ON, { { 0 } } },
	{ "softirq", hooked_softirq, ABSENT | OFF | ON, { { 0 } } },
	{ "reclaim", hooked_reclaim, ABSENT | OFF | ON, { { 0 } } },
	{ "fork", hooked_fork, ABSENT | OFF | ON | MAPS | SCHEDSTATS, { { 0 } } },
	{ "exit_thread", exit_thread, ON, { { 0 } } },
	{ "exit_thread_times", exit_thread_times, ON, { { 0 } } },
	{ "exit_process", exit_process, ON, { { 0 } } },
	{ "exit_process_times", exit_process_times, ON, { { 0 } } },
	{ "exit_process_thread", exit_process_thread, ON, { { 0 } } },
	{ "exit_thread_taskstats", exit_thread_taskstats, ABSENT, { { 0 } } },
	{ "exit_process_taskstats", exit_process_taskstats, ABSENT, { { 0 } } },
	{ "switch_mapped", pair_switch_mapped, ON, { { 0 } } },
	/* Before any other that arms: what arming attaches stays for a while. */
	{ "switch_beside", pair_switch_beside, ON, { { 0 } } },
	{ "switch_armed", pair_switch_armed, ON, { { 0 } } },
	{ "alert", own_alert, ON, { { 0 } } },
	{ "self_read", own_read, ON, { { 0 } } },
	{ "self_get", own_get, ON, { { 0 } } },
	{ "self_get_times", own_get_times, ON, { { 0 } } },
	{ "window", own_window, ON, { { 0 } } },
	{ "clock", own_clock, ABSENT, { { 0 } } },
	{ "rusage", own_rusage, ABSENT, { { 0 } } },
	{ "cpu_clock", own_cpu_clock, ABSENT, { { 0 } } },
	{ "schedstat", query_schedstat, ABSENT, { { 0 } } },
	{ "map", query_map, MAPS, { { 0 } } },
	{ "taskstats", query_taskstats, ABSENT | SCHEDSTATS, { { 0 } } },
	{ "get", query_self, ON, { { 0 } } },
	{ "get_times", query_self_times, ON, { { 0 } } },
	{ "get_bare", query_self_bare, ON, { { 0 } } },
	{ "get_version_1", query_self_version_1, ON, { { 0 } } },
	{ "get_other", query_other, ON, { { 0 } } },
	{ "dump", query_dump, ON, { { 0 } } },
	{ "dump_times", query_dump_times, ON, { { 0 } } },
	{ "library", query_library, ON, { { 0 } } },
	{ "library_times", query_library_times, ON, { { 0 } } },
	{ "memory", query_record_size, ON, { { 0 } } },
};

#define EVENTS	(sizeof(events) / sizeof(*events))

/*
 * Events that are measured only by name: how they grow with processors, listeners and
 * threads; and those beside bpftrace, which is in a guest of its own.
 */
#define LISTENERS(n)	\
	static double listeners_##n(void) { return exit_listeners(n); }	\
	static double listeners_taskstats_##n(void) { return exit_listeners_taskstats(n); }
LISTENERS(1) LISTENERS(4) LISTENERS(16) LISTENERS(64)
#define LISTENERS_EVENTS(n)	\
	{ "listeners_" #n, listeners_##n, ON, { { 0 } } },	\
	{ "listeners_taskstats_" #n, listeners_taskstats_##n, ABSENT, { { 0 } } },

static struct event named[] = {
	{ "bpftrace_switch", pair_switch, ABSENT | ON | BPFTRACE, { { 0 } } },
	{ "bpftrace_fault", hooked_fault, ABSENT | ON | BPFTRACE, { { 0 } } },
	{ "bpftrace_mutex", hooked_mutex, ABSENT | ON | BPFTRACE, { { 0 } } },
	{ "everywhere_switch", everywhere_switch, ABSENT | ON | MAPS, { { 0 } } },
	{ "everywhere_fault", everywhere_fault, ABSENT | ON | MAPS, { { 0 } } },
	{ "everywhere_fork", everywhere_fork, ABSENT | ON | MAPS, { { 0 } } },
	{ "everywhere_mutex", everywhere_mutex, ABSENT | ON | MAPS, { { 0 } } },
	{ "steady_exit", steady_exit, ON, { { 0 } } },
	{ "steady_exit_taskstats", steady_exit_taskstats, ABSENT, { { 0 } } },
	{ "held_get", held_get, ON, { { 0 } } },
	{ "held_get_taskstats", held_get_taskstats, ABSENT, { { 0 } } },
	{ "held_asked", held_asked, ON, { { 0 } } },
	{ "held_asked_taskstats", held_asked_taskstats, ABSENT, { { 0 } } },
	{ "held_alone", held_alone, ABSENT | ON, { { 0 } } },
	LISTENERS_EVENTS(1) LISTENERS_EVENTS(4) LISTENERS_EVENTS(16) LISTENERS_EVENTS(64)
};

#define NAMED	(sizeof(named) / sizeof(*named))

/* The events that must not depend on how many threads there are; a dump, for each of them. */
static const struct event with_crowd[] = {
	{ "switch", pair_switch, ABSENT | ON, { { 0 } } },
	{ "fault", hooked_fault, ABSENT | ON, { { 0 } } },
	{ "dump_times", query_dump_times, ON, { { 0 } } },
};

#define WITH_CROWD	(sizeof(with_crowd) / sizeof(*with_crowd))

/* Only the events that the environment names, separated by commas; without it, all. */
static int wanted(const struct event *event)
{
	const char *only = getenv("TASKRT_BENCH_ONLY"), *at = only;
	size_t length = strlen(event->name);

	for (; at; at = strchr(at, ','), at += at != NULL)
		if (!strncmp(at, event->name, length) && (!at[length] || at[length] == ','))
			return 1;
	return !only;
}

/* An event in a thread of its own, which began in the present configuration. */
static void measure(void *arg)
{
	struct { const struct event *event; double value; } *call = arg;

	/* The first call allocates and fills caches, and is not counted. */
	call->event->measure();
	mark_begin();
	call->value = call->event->measure();
	mark_end();
}

static double in_thread(const struct event *event)
{
	struct { const struct event *event; double value; } call = { event, 0 };
	struct thread thread;

	thread_start(&thread, measure, &call);
	thread_join(&thread);
	return call.value;
}

static unsigned int configs_of(const struct event *list, unsigned int count)
{
	unsigned int configs = 0, i;

	for (i = 0; i < count; i++)
		if (wanted(&list[i]))
			configs |= list[i].configs;
	return configs;
}

static void measure_config(struct event *list, unsigned int count, enum config config, int round)
{
	unsigned int i;

	if (!(configs_of(list, count) & 1 << config))
		return;
	if (!config_enter(config)) {
		for (i = 0; i < count; i++)
			list[i].configs &= ~(1 << config);
		return;
	}
	for (i = 0; i < count; i++)
		if (wanted(&list[i]) && list[i].configs & 1 << config)
			list[i].values[config][round] = in_thread(&list[i]);
}

static void measure_all(struct event *list, unsigned int count)
{
	int round, config;

	for (round = 0; round < ROUNDS; round++)
		for (config = 0; config < CONFIGS; config++)
			measure_config(list, count, config, round);
	config_leave();
}

static void print(const struct event *event, const char *suffix)
{
	static const char *comma = "";
	const char *inner = "";
	int config;

	if (!wanted(event))
		return;
	printf("%s\n  \"%s%s\": {", comma, event->name, suffix);
	comma = ",";
	for (config = 0; config < CONFIGS; config++) {
		const double *values = event->values[config];

		if (!(event->configs & 1 << config))
			continue;
		printf("%s \"%s\": [%.2f, %.2f, %.2f]", inner, config_names[config], values[0],
		       values[1], values[2]);
		inner = ",";
	}
	printf(" }");
}

static void print_all(const struct event *list, unsigned int count, const char *suffix)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		print(&list[i], suffix);
	fflush(stdout);
}

/* The same with more threads: the environment has their numbers, in rising order. */
static void measure_crowds(void)
{
	const char *numbers = getenv("TASKRT_BENCH_THREADS");
	struct event list[WITH_CROWD];
	unsigned long present = FEW, number;
	char *end, suffix[32];

	while (numbers && (number = strtoul(numbers, &end, 10)) > present) {
		crowd_gather(number - present);
		present = number;
		numbers = end + strspn(end, ", ");
		memcpy(list, with_crowd, sizeof(list));
		measure_all(list, WITH_CROWD);
		snprintf(suffix, sizeof(suffix), "_%lu", number);
		print_all(list, WITH_CROWD, suffix);
	}
}

static void copy_symbols(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		fputs(line, stdout);
	if (file)
		fclose(file);
}

static void profile_all(const struct event *list, unsigned int count, unsigned int config)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (wanted(&list[i]) && list[i].configs & 1 << config)
			in_thread(&list[i]);
}

/* One event once, for profile/run; prints the symbols of the kernel while they are true. */
static int profile(const char *config)
{
	unsigned int c;

	for (c = 0; c < CONFIGS && strcmp(config_names[c], config); c++)
		;
	if (c == CONFIGS || !config_enter(c))
		tap_bail("no configuration %s", config);
	profile_all(events, EVENTS, c);
	profile_all(named, NAMED, c);
	copy_symbols();
	config_leave();
	return 0;
}

int main(void)
{
	const char *config = getenv("TASKRT_BENCH_PROFILE");

	config_leave();
	/* Wait for the work that the kernel does after its boot, which would be measured. */
	clock_sleep(20 * SEC);
	hooked_prepare();
	crowd_gather(FEW);
	if (config)
		return profile(config);
	printf("{");
	measure_all(events, EVENTS);
	print_all(events, EVENTS, "");
	if (getenv("TASKRT_BENCH_ONLY")) {
		measure_all(named, NAMED);
		print_all(named, NAMED, "");
	}
	measure_crowds();
	printf("\n}\n");
	return 0;
}
