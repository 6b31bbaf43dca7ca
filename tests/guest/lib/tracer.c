// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "setting.h"
#include "tap.h"
#include "task.h"
#include "tracer.h"

const char *tracer_lacking(const char *name)
{
	char all[256], *rest, *word;

	if (!setting_read(TRACER_FOLDER "/available_tracers", all, sizeof(all)))
		return "this kernel has no tracers";
	for (word = strtok_r(all, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
		if (!strcmp(word, name))
			return NULL;
	return "this kernel lacks the tracer";
}

void tracer_start(const char *name, unsigned int cpu)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", cpu);
	setting_must_write(TRACER_FOLDER "/osnoise/cpus", text);
	tracer_clear();
	setting_must_write(TRACER_FOLDER "/tracing_on", "1");
	setting_must_write(TRACER_FOLDER "/current_tracer", name);
}

void tracer_stop(void)
{
	setting_must_write(TRACER_FOLDER "/current_tracer", "nop");
}

/* The kernel takes one word at a time, which ends with a space; without any, all functions. */
static int tracer_filter(const char *functions)
{
	int fd = open(TRACER_FOLDER "/set_ftrace_filter", O_WRONLY | O_TRUNC | O_CLOEXEC), taken = 1;
	int length;

	if (fd < 0)
		return 0;
	for (; *functions && taken; functions += length + (functions[length] == ' ')) {
		length = strcspn(functions, " ");
		taken = dprintf(fd, "%.*s ", length, functions) == length + 1;
	}
	return !close(fd) && taken;
}

int tracer_start_functions(const char *name, const char *functions)
{
	if (tracer_lacking(name) || !tracer_filter(functions))
		return 0;
	tracer_clear();
	setting_must_write(TRACER_FOLDER "/tracing_on", "1");
	setting_must_write(TRACER_FOLDER "/current_tracer", name);
	return 1;
}

unsigned int tracer_calls(const char *function)
{
	FILE *trace = fopen(TRACER_FOLDER "/trace", "re");
	unsigned int calls = 0;
	char line[512];

	if (!trace)
		tap_bail(TRACER_FOLDER "/trace");
	while (fgets(line, sizeof(line), trace))
		calls += tracer_pid(line) && strstr(line, function);
	fclose(trace);
	tracer_clear();
	return calls;
}

/* "COMM-PID [CPU] FLAGS SECONDS.FRACTION: FUNCTION ...": FLAGS may have several words. */
static uint64_t time_before(const char *line, const char *function)
{
	while (function > line && (function[-1] == ' ' || function[-1] == ':'))
		function--;
	while (function > line && function[-1] != ' ')
		function--;
	return strtod(function, NULL) * 1e9;
}

unsigned int tracer_times(const char *function, uint64_t *at, unsigned int most)
{
	FILE *trace = fopen(TRACER_FOLDER "/trace", "re");
	unsigned int calls = 0;
	char line[512], *found;

	if (!trace)
		tap_bail(TRACER_FOLDER "/trace");
	while (calls < most && fgets(line, sizeof(line), trace)) {
		found = tracer_pid(line) ? strstr(line, function) : NULL;
		if (found)
			at[calls++] = time_before(line, found);
	}
	fclose(trace);
	return calls;
}

void tracer_stop_functions(void)
{
	tracer_stop();
	if (!tracer_filter(""))
		tap_bail("the functions stay");
}

pid_t tracer_thread(const char *name, unsigned int cpu)
{
	char comm[32];

	snprintf(comm, sizeof(comm), "%s/%u", name, cpu);
	return task_named(comm);
}

void tracer_mark(const char *text)
{
	setting_must_write(TRACER_FOLDER "/trace_marker", text);
}

void tracer_clear(void)
{
	int fd = open(TRACER_FOLDER "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		tap_bail(TRACER_FOLDER "/trace");
	close(fd);
}

FILE *tracer_open(unsigned int cpu)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), TRACER_FOLDER "/per_cpu/cpu%u/trace", cpu);
	file = fopen(path, "re");
	if (!file)
		tap_bail("%s", path);
	return file;
}

/* "COMM-PID [CPU] ...": COMM may be anything. */
pid_t tracer_pid(const char *line)
{
	const char *at = strstr(line, " [0");

	if (line[0] == '#' || !at)
		return 0;
	while (at > line && at[-1] == ' ')
		at--;
	while (at > line && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return atoi(at);
}
