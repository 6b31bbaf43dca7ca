// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "trace.h"

#define FOLDER	"/sys/kernel/tracing/"
#define MODULE	"[taskrt]"
/* No module is longer. */
#define MODULE_TEXT_MAX	(1 << 20)
#define FUNCTIONS_MAX	2048
#define WITHIN(field)	"(" field " >= %lld && " field " < %lld)"

static const char * const names[] = { "tracer", "sections", "calls" };
static const char * const events[] = { "irq_disable", "irq_enable", "preempt_disable",
				       "preempt_enable" };
/* What interrupts a section is no part of it: beginnings and ends of that. */
static const char * const interrupts[] = { "irq_vectors", "irq/irq_handler_entry",
					   "irq/irq_handler_exit", "irq/softirq_entry",
					   "irq/softirq_exit" };
static enum trace_kind open_kind;

const char *trace_name(enum trace_kind kind)
{
	return names[kind];
}

static void set(const char *file, const char *value)
{
	char path[160];
	int fd;

	snprintf(path, sizeof(path), FOLDER "%s", file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		tap_bail("%s: %s: %s (is this trace-6.12?)", path, value, strerror(errno));
	close(fd);
}

static uint64_t address_of(const char *line)
{
	return strtoull(line, NULL, 16);
}

/*
 * The module's functions: their names, because the tracer does not say whose they are, and
 * where they begin, as the events have it: as of the kernel's own text.
 */
static char functions[FUNCTIONS_MAX][64];
static unsigned int nr_functions;
static long long functions_begin;

static void read_functions(void)
{
	uint64_t text = 0, first = UINT64_MAX;
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], kind;

	nr_functions = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, " T _stext\n"))
			text = address_of(line);
		if (!strstr(line, "\t" MODULE) || nr_functions == FUNCTIONS_MAX ||
		    sscanf(line, "%*x %c %63s", &kind, functions[nr_functions]) != 2 ||
		    (kind != 't' && kind != 'T'))
			continue;
		nr_functions++;
		if (address_of(line) < first)
			first = address_of(line);
	}
	if (file)
		fclose(file);
	functions_begin = first - text;
}

static int is_function(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_functions; i++)
		if (!strcmp(functions[i], name))
			return 1;
	return 0;
}

static void events_enable(const char *value)
{
	const long long begin = functions_begin, end = begin + MODULE_TEXT_MAX;
	char file[128], filter[256];
	unsigned int i;

	snprintf(filter, sizeof(filter),
		 WITHIN("caller_offs") " || " WITHIN("parent_offs"), begin, end, begin, end);
	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		snprintf(file, sizeof(file), "events/preemptirq/%s/filter", events[i]);
		set(file, filter);
		snprintf(file, sizeof(file), "events/preemptirq/%s/enable", events[i]);
		set(file, value);
	}
}

static void interrupts_enable(const char *value)
{
	char file[128];
	unsigned int i;

	for (i = 0; i < sizeof(interrupts) / sizeof(*interrupts); i++) {
		snprintf(file, sizeof(file), "events/%s/enable", interrupts[i]);
		set(file, value);
	}
}

void trace_open(enum trace_kind kind)
{
	open_kind = kind;
	read_functions();
	set("tracing_on", "0");
	set("trace_clock", "mono");
	switch (kind) {
	case TRACE_TRACER:
		set("options/function-trace", "0");
		set("current_tracer", "preemptirqsoff");
		break;
	case TRACE_SECTIONS:
		set("buffer_size_kb", "65536");
		events_enable("1");
		interrupts_enable("1");
		break;
	default:
		set("buffer_size_kb", "65536");
		set("set_ftrace_filter", ":mod:taskrt");
		set("max_graph_depth", "1");
		set("current_tracer", "function_graph");
		set("options/latency-format", "1");
		set("options/funcgraph-tail", "1");
		set("options/funcgraph-overhead", "0");
		set("options/funcgraph-cpu", "0");
		set("options/funcgraph-abstime", "1");
		interrupts_enable("1");
	}
}

void trace_close(void)
{
	set("tracing_on", "0");
	set("current_tracer", "nop");
	if (open_kind == TRACE_SECTIONS)
		set("events/preemptirq/enable", "0");
	interrupts_enable("0");
	if (open_kind == TRACE_CALLS) {
		set("max_graph_depth", "0");
		set("set_ftrace_filter", "");
		set("options/latency-format", "0");
	}
	set("buffer_size_kb", "1408");
}

void trace_begin(void)
{
	set("trace", "");
	if (open_kind == TRACE_TRACER)
		set("tracing_max_latency", "0");
	set("tracing_on", "1");
}

static void copy_word(char *to, size_t room, const char *from)
{
	size_t length = strcspn(from, " \t\n");

	if (length >= room)
		length = room - 1;
	memcpy(to, from, length);
	to[length] = 0;
}

/* The name of a function is the word before the module's, or the one after the prefix. */
static void copy_before(char *to, size_t room, const char *line, const char *module)
{
	const char *name = module;

	while (name > line && name[-1] == ' ')
		name--;
	while (name > line && !strchr(" \t>=", name[-1]))
		name--;
	copy_word(to, room, name);
}

/*
 *  # latency: 12 us, ...
 *  #  => started at: function
 *  ...
 *   => function
 *
 * The stack is that at the end, the innermost function first.
 */
static void read_tracer(FILE *file, struct trace_longest *longest)
{
	char line[1024], name[64], *at;

	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, "# latency: ");
		if (at)
			longest->ns = strtoull(at + 11, NULL, 10) * 1000;
		at = strstr(line, "=> started at: ");
		if (at)
			copy_word(longest->where, sizeof(longest->where), at + 15);
		else if (line[0] == ' ' && sscanf(line, " => %63s", name) == 1 &&
			 is_function(name) && !longest->by[0])
			copy_word(longest->by, sizeof(longest->by), name);
	}
}

/* Within a section. */
struct pauses {
	unsigned int depth;
	double since, spent;
};

/* Is this line an interrupt's, "local_timer_entry: ..."?  Then it is counted. */
static int pauses_take(struct pauses *pauses, const char *line, double at)
{
	if (strstr(line, "_entry: ")) {
		if (!pauses->depth++)
			pauses->since = at;
	} else if (strstr(line, "_exit: ")) {
		if (pauses->depth && !--pauses->depth)
			pauses->spent += at - pauses->since;
	} else {
		return 0;
	}
	return 1;
}

static void longest_take(struct trace_longest *longest, double seconds, const char *where)
{
	uint64_t ns = seconds > 0 ? seconds * 1e9 + 0.5 : 0;

	longest->count++;
	if (longest->count > 1 && ns <= longest->ns)
		return;
	longest->ns = ns;
	copy_word(longest->where, sizeof(longest->where), where);
	copy_word(longest->by, sizeof(longest->by), where);
}

struct section {
	int off[2];		/* interrupts, preemption: the module has switched them off */
	double since;
	struct pauses pauses;
	char where[128];
};

static void section_begin(struct section *section, int which, double at, const char *line)
{
	const char *module = strstr(line, MODULE);

	if (!section->off[0] && !section->off[1]) {
		memset(&section->pauses, 0, sizeof(section->pauses));
		section->since = at;
		if (module)
			copy_before(section->where, sizeof(section->where), line, module);
	}
	section->off[which] = 1;
}

static void section_end(struct section *section, int which, double at,
			struct trace_longest *longest)
{
	if (!section->off[which])
		return;
	section->off[which] = 0;
	if (!section->off[!which])
		longest_take(longest, at - section->since - section->pauses.spent, section->where);
}

/* "  task-1  [000] d..1.  12.345678: irq_disable: caller=function+0x1/0x2 [taskrt] parent=..." */
static void read_sections(FILE *file, struct trace_longest *longest)
{
	struct section section = { 0 };
	char line[1024];
	const char *at;
	double time;
	int which;

	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, "] ");
		if (line[0] == '#' || !at || sscanf(at, "] %*s %lf:", &time) != 1 ||
		    pauses_take(&section.pauses, line, time))
			continue;
		which = !strstr(line, ": irq_");
		if (strstr(line, "_disable: "))
			section_begin(&section, which, time, line);
		else if (strstr(line, "_enable: "))
			section_end(&section, which, time, longest);
	}
}

/* Are interrupts or preemption off, or is this an interrupt?  "d..1." or "..s2." */
static int is_off(const char *flags)
{
	/* The instrument itself switches preemption off once. */
	return strchr("dD", flags[0]) || strchr("hHsSzZ", flags[2]) ||
	       (flags[3] > '1' && flags[3] <= 'f');
}

/* A call in which something else was recorded, so that its end is a line of its own. */
struct call {
	int open;
	struct pauses pauses;
};

/*
 *    3.683333 |   d..2. |   1.234 us    |  function [taskrt]();
 *    3.683340 |   ..s2. |               |  function [taskrt]() {
 *    3.683345 |   ..s1. |   5.678 us    |  } [a comment: function [taskrt]]
 */
static void read_calls(FILE *file, struct trace_longest *longest)
{
	char line[1024], flags[16], name[64];
	struct call call = { 0 };
	const char *module, *us;
	double at;

	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#' || sscanf(line, " %lf | %15s", &at, flags) != 2 ||
		    pauses_take(&call.pauses, line, at))
			continue;
		module = strstr(line, MODULE);
		us = strstr(line, " us ");
		if (!module || strlen(flags) < 4)
			continue;
		copy_before(name, sizeof(name), line, module);
		while (us && us > line && strchr("0123456789.", us[-1]))
			us--;
		if (strstr(line, "{\n")) {
			if (is_off(flags))
				call = (struct call){ .open = 1 };
		} else if (us && strstr(line, "} /*")) {
			if (call.open)
				longest_take(longest, strtod(us, NULL) / 1e6 - call.pauses.spent,
					     name);
			call.open = 0;
		} else if (us && is_off(flags)) {
			longest_take(longest, strtod(us, NULL) / 1e6, name);
		}
	}
}

static uint64_t events_lost(void)
{
	FILE *file = fopen(FOLDER "per_cpu/cpu0/stats", "re");
	unsigned long long lost = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "overrun: %llu", &lost) == 1)
			break;
	if (file)
		fclose(file);
	return lost;
}

void trace_end(struct trace_longest *longest)
{
	static void (* const readers[])(FILE *file, struct trace_longest *longest) = {
		read_tracer, read_sections, read_calls,
	};
	FILE *file;

	set("tracing_on", "0");
	memset(longest, 0, sizeof(*longest));
	file = fopen(FOLDER "trace", "re");
	if (!file)
		tap_bail("no trace: %s", strerror(errno));
	readers[open_kind](file, longest);
	fclose(file);
	longest->lost = open_kind == TRACE_TRACER ? 0 : events_lost();
	if (getenv("TASKRT_MEASURE_TRACES")) {
		fflush(stdout);
		if (system("head -n 60 " FOLDER "trace"))
			tap_diag("no trace to show");
	}
}
