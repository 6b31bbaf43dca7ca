// SPDX-License-Identifier: GPL-2.0-only
/* taskrt bench: what accounting costs on this machine. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/parameter.h"
#include "bench/result.h"
#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/memory.h"
#include "common/output.h"
#include "common/signals.h"
#include "common/text.h"

static const char help[] =
	"Usage: taskrt bench [--seconds S] [--json] [NAME]...\n"
	"\n"
	"Measure what accounting costs on this machine, in nanoseconds: switch it off and on in turn\n"
	"and compare.  Without NAME, measure everything:\n"
	"\n"
	"  switch      two threads that wake each other through pipes, on one CPU\n"
	"  fault       minor page faults\n"
	"  fork        fork, exit and wait, with the page faults of the child\n"
	"  self, get, clock, getrusage\n"
	"              what these take, for comparison with each other: taskrt_self_read(),\n"
	"              taskrt_get(), clock_gettime() and getrusage(); these need no root\n"
	"\n"
	"  -s, --seconds S  measure for S seconds, 1 to 600 (default: 60)\n"
	"  -j, --json       print one JSON document, with every sample\n"
	"  -h, --help       print this help\n"
	"\n"
	"Accounting of the whole machine is off for half of the time, and each time that it is\n"
	"switched on the counters of all threads start again from 0.  bench therefore refuses to run\n"
	"while another program listens to exits, has mapped counters or has armed threads, and if\n"
	"accounting is switched off already.  Afterwards it is on, however the command ends.\n";

static const char examples[] =
	"  taskrt bench                          everything, in a minute, as root\n"
	"  taskrt bench switch -s 10             only a switch and a wake-up, in 10 s\n"
	"  taskrt bench self clock --json        what these calls take; needs no root\n";

struct request {
	int wanted[EVENT_COUNT];
	uint64_t seconds_ns;
	int json;
};

static int take(void *arg, int letter)
{
	struct request *request = arg;
	char why[ARG_WHY_MAX];

	(void)letter;
	return arg_read_seconds(optarg, 1, 600, &request->seconds_ns, why) ?
	       error_usage("%s", why) : 0;
}

static int take_name(struct request *request, const char *name)
{
	int nr = event_find(name);

	if (nr < 0)
		return error_usage("'%s' is none of switch, fault, fork, self, get, clock and getrusage",
				   name);
	request->wanted[nr] = 1;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->json, 0, NULL };
	int i, status = arg_take_options(&options, argc, argv);

	for (i = 0; i < EVENT_COUNT && optind == argc; i++)
		request->wanted[i] = 1;
	for (i = optind; i < argc && !status; i++)
		status = take_name(request, argv[i]);
	return status;
}

/* Return: does any event need accounting to be switched? */
static int choose(struct alternation *a, const struct request *request)
{
	int i, switches = 0;

	a->series = memory_new(EVENT_COUNT, sizeof(a->series[0]));
	for (i = 0; i < EVENT_COUNT; i++) {
		if (!request->wanted[i])
			continue;
		a->series[a->nr_series++].event = &event_all[i];
		switches |= !event_all[i].is_call;
	}
	return switches;
}

static int open_parameter(struct result *result)
{
	int fd = parameter_open();

	result->alternation.parameter = fd;
	if (fd == -EBUSY)
		return error_fail("another taskrt bench is running");
	if (fd == -EACCES || fd == -EPERM)
		return error_fail("switching accounting off and on needs root; 'self get clock getrusage' do not");
	return fd < 0 ? error_fail("cannot open %s: %s", PARAMETER_PATH, strerror(-fd)) : STATUS_OK;
}

static int check_module(struct result *result, int switches)
{
	struct taskrt *handle = result->alternation.site.handle;
	char text[ERROR_MAX];
	int error;

	/* First, because another taskrt bench may have switched accounting off. */
	if (switches && open_parameter(result))
		return STATUS_FAILED;
	error = taskrt_get_info(handle, &result->info, sizeof(result->info));
	if (!error && !result->info.enabled)
		error = -ENODATA;
	if (error)
		return error_fail("%s", error_query_text(text, handle, error, ERROR_MODULE, 0));
	return switches ? observers_check(&result->info) : STATUS_OK;
}

static int keep(struct keeper *keeper, int parameter)
{
	int error = keeper_end(keeper);

	if (error)
		error = parameter_set(parameter, 1);
	if (!error)
		return STATUS_OK;
	return error_fail("accounting could not be switched on again: %s; as root: echo 1 > %s",
			  strerror(-error), PARAMETER_PATH);
}

static int run_switching(struct alternation *a)
{
	struct keeper keeper = { .fd = -1 };
	int error = keeper_start(&keeper, a->parameter), status;

	if (error)
		return error_fail("cannot start: %s", strerror(-error));
	/* A stopped program would leave accounting off. */
	signal(SIGTSTP, SIG_IGN);
	error_warn("for about %llu s accounting is switched off and on, and the counters of all threads restart",
		   (unsigned long long)(a->seconds_ns / CLOCK_SECOND));
	status = alternation_run(a);
	return keep(&keeper, a->parameter) || status;
}

static int print(const struct result *result, int json)
{
	if (!result->alternation.pairs)
		return error_fail("ended before anything was measured");
	if (json)
		result_print_json(stdout, result);
	else
		result_print(stdout, result);
	return alternation_can_measure(&result->alternation) ? STATUS_OK :
	       error_fail("nothing could be measured");
}

/* Stay on the CPU that this runs on.  Return: its number, or a negative errno. */
static int stay(void)
{
	/* The kernel may have more processors than cpu_set_t. */
	cpu_set_t cpus[16];
	int cpu = sched_getcpu();

	if (cpu < 0)
		return -errno;
	memset(cpus, 0, sizeof(cpus));
	CPU_SET_S((size_t)cpu, sizeof(cpus), cpus);
	return sched_setaffinity(0, sizeof(cpus), cpus) ? -errno : cpu;
}

/* Return: the value in "name<blanks>: value", without the newline; NULL: another name. */
static const char *value_of(char *line, const char *name)
{
	char *colon = strchr(line, ':');

	if (!colon || strncmp(line, name, strlen(name)) ||
	    strspn(line + strlen(name), " \t") != (size_t)(colon - line) - strlen(name))
		return NULL;
	colon[strcspn(colon, "\n")] = '\0';
	return colon + 1 + strspn(colon + 1, " ");
}

/* x86 has a name and flags, arm64 numbers. */
static void take_line(struct machine *machine, char *line)
{
	size_t used = strlen(machine->processor), room = sizeof(machine->processor) - used;
	const char *value;

	value = value_of(line, "model name");
	if (value)
		snprintf(machine->processor + used, room, "%s", value);
	value = value_of(line, "CPU implementer");
	if (value)
		snprintf(machine->processor + used, room, "implementer %s", value);
	value = value_of(line, "CPU part");
	if (value)
		snprintf(machine->processor + used, room, ", part %s", value);
	value = value_of(line, "flags");
	if (value)
		machine->hypervisor = !!strstr(value, "hypervisor");
}

static void read_cpuinfo(struct machine *machine, int cpu)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int ours = 0;

	while (file && getline(&line, &size, file) > 0) {
		const char *number = value_of(line, "processor");

		if (number)
			ours = atoi(number) == cpu;
		else if (ours)
			take_line(machine, line);
	}
	free(line);
	if (file)
		fclose(file);
}

static void machine_read(struct machine *machine, int cpu)
{
	struct utsname name;

	memset(machine, 0, sizeof(*machine));
	machine->hypervisor = -1;
	if (!uname(&name)) {
		snprintf(machine->kernel, sizeof(machine->kernel), "%s", name.release);
		snprintf(machine->version, sizeof(machine->version), "%s", name.version);
		snprintf(machine->architecture, sizeof(machine->architecture), "%s", name.machine);
	}
	machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
	read_cpuinfo(machine, cpu);
	text_read_line(machine->governor, sizeof(machine->governor),
		       "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
	text_read_line(machine->clocksource, sizeof(machine->clocksource),
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static int run(struct result *result, const struct request *request)
{
	struct alternation *a = &result->alternation;
	int status = check_module(result, choose(a, request));

	if (status)
		return status;
	a->site.cpu = stay();
	if (a->site.cpu < 0)
		return error_fail("cannot stay on one CPU: %s", strerror(-a->site.cpu));
	machine_read(&result->machine, a->site.cpu);
	a->seconds_ns = request->seconds_ns;
	status = a->parameter < 0 ? alternation_run(a) : run_switching(a);
	return status ? status : print(result, request->json);
}

static int bench(int argc, char **argv)
{
	struct request request = { .seconds_ns = 60 * CLOCK_SECOND };
	struct result result = { .alternation.parameter = -1 };
	struct alternation *a = &result.alternation;
	int error, status = parse(&request, argc, argv);
	char text[ERROR_MAX];

	if (status)
		return status;
	output_keep_pipe();
	/* An inherited SIG_IGN would reap the children. */
	signal(SIGCHLD, SIG_DFL);
	a->stop_fd = stop_open();
	if (a->stop_fd < 0)
		return error_fail("cannot make a pipe: %s", strerror(-a->stop_fd));
	error = taskrt_open(&a->site.handle);
	if (error)
		return error_fail("%s", error_open_text(text, error));
	status = run(&result, &request);
	taskrt_close(a->site.handle);
	free(a->series);
	if (a->parameter >= 0)
		close(a->parameter);
	return output_close(stdout, NULL, status);
}

const struct command bench_command = {
	.name = "bench",
	.run = bench,
	.summary = "measure what accounting costs on this machine",
	.help = help,
	.examples = examples,
};
