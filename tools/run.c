// SPDX-License-Identifier: GPL-2.0-only
/* taskrt run: like time(1), but with reasons. */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/wait.h>

#include "arg.h"
#include "child.h"
#include "command.h"
#include "error.h"
#include "json.h"
#include "output.h"
#include "report.h"
#include "text.h"
#include "units.h"

static const char help[] =
	"Usage: taskrt run [--json] [--output FILE] [--] COMMAND [ARGUMENT]...\n\n"
	"Run COMMAND, and when it has ended print on standard error where its time went.\n\n"
	"  -o, --output FILE  print into FILE instead\n"
	"  -j, --json         one JSON document; what was not measured is null\n"
	"  -h, --help         this text\n\n"
	"Of descendants only the CPU time is known, and only of those that were waited for.\n\n"
	"Exit status: that of COMMAND, 128 + N when signal N ended it; 127 COMMAND was not found,\n"
	"126 it could not be run, 125 taskrt itself failed, 2 a wrong command line.\n";

struct request {
	const char *output;
	int json;
	char **argv;
};

static int parse_option(struct request *request, int answer, char **argv)
{
	switch (answer) {
	case 'o':
		if (request->output)
			return error_usage("--output was given twice");
		request->output = optarg;
		return 0;
	case 'j':
		request->json = 1;
		return 0;
	case 'h':
		return STATUS_HELP;
	default:
		return arg_bad_option(answer, argv);
	}
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int answer;

	/* "+": what stands behind COMMAND is its own. */
	while ((answer = getopt_long(argc, argv, "+:o:jh", options, NULL)) != -1) {
		int status = parse_option(request, answer, argv);

		if (status)
			return status;
	}
	if (optind == argc)
		return error_usage("a command to run is missing");
	request->argv = argv + optind;
	return 0;
}

static void print_end(FILE *out, const struct child *child)
{
	char elapsed[UNITS_MAX], name[256];
	int status = child->wait_status;

	text_safe(name, sizeof(name), child->argv[0], strlen(child->argv[0]));
	fprintf(out, "taskrt: %s: ", name);
	if (WIFSIGNALED(status))
		fprintf(out, "ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		fprintf(out, "exit status %d", WEXITSTATUS(status));
	fprintf(out, " after %s\n", units_time(elapsed, child->ended_ns - child->began_ns));
}

static void print_usage(FILE *out, const struct child *child)
{
	char real[UNITS_MAX], user[UNITS_MAX], sys[UNITS_MAX];

	fprintf(out, "real %s, user %s, sys %s (waited-for descendants included)\n",
		units_time(real, child->ended_ns - child->began_ns),
		units_time(user, child_timeval_ns(&child->usage.ru_utime)),
		units_time(sys, child_timeval_ns(&child->usage.ru_stime)));
}

/* Of the time that we saw pass, what the main thread was not there for. */
static uint64_t not_alive(const struct child *child)
{
	uint64_t elapsed = child->ended_ns - child->began_ns;
	uint64_t tracked = child->main_thread.tracked_time_ns;

	if (!taskrt_has(&child->main_thread, TASKRT_VALID_CLOCK))
		return 0;
	return elapsed > tracked ? elapsed - tracked : 0;
}

static void print_threads(FILE *out, const struct child *child)
{
	const struct taskrt_stats *process = &child->process;
	char time[UNITS_MAX];

	if (!taskrt_has(process, TASKRT_VALID_THREADS) ||
	    process->threads + process->threads_gone <= 1) {
		fprintf(out, "\n");
		report_waits(out, process);
		return;
	}
	fprintf(out, "\nIts %llu threads together, in %s of thread time, were:\n",
		process->threads + process->threads_gone,
		units_time(time, process->tracked_time_ns));
	report_states(out, process, 0);
	fprintf(out, "\n");
	report_waits(out, process);
}

static void print_descendants(FILE *out, const struct child *child)
{
	char time[UNITS_MAX];
	uint64_t ns;

	if (child_descendants_cpu(child, &ns))
		fprintf(out, "Descendants: not measured.\n");
	else if (!ns)
		fprintf(out, "Descendants: none that was waited for.\n");
	else
		fprintf(out, "Descendants: about %s of CPU time in those that were waited for; "
			"their states are not known.\n", units_time(time, ns));
}

static void print_report(FILE *out, const struct child *child)
{
	char elapsed[UNITS_MAX];

	print_end(out, child);
	if (child->error) {
		fprintf(out, "Where its time went is not known: %s\n", child->error_text);
	} else {
		fprintf(out, "\nOf %s elapsed, its main thread was:\n",
			units_time(elapsed, child->ended_ns - child->began_ns));
		report_states(out, &child->main_thread, not_alive(child));
		print_threads(out, child);
	}
	fprintf(out, "\n");
	print_descendants(out, child);
	print_usage(out, child);
}

static struct json_object *json_command(char **argv)
{
	struct json_object *array = json_new_array();

	for (; *argv; argv++)
		json_append(array, json_text(*argv, strlen(*argv)));
	return array;
}

static struct json_object *json_report(const struct child *child)
{
	struct json_object *report = json_new_object(), *children = json_new_object();
	int status = child->wait_status, known = !child->error;
	uint64_t ns;

	json_put(report, "command", json_command(child->argv));
	json_put(report, "pid", json_new_integer(child->pid));
	json_put(report, "exit_code",
		 WIFEXITED(status) ? json_new_integer(WEXITSTATUS(status)) : NULL);
	json_put(report, "signal",
		 WIFSIGNALED(status) ? json_new_integer(WTERMSIG(status)) : NULL);
	json_put(report, "elapsed_ns", json_new_number(child->ended_ns - child->began_ns));
	json_put(report, "user_time_ns",
		 json_new_number(child_timeval_ns(&child->usage.ru_utime)));
	json_put(report, "system_time_ns",
		 json_new_number(child_timeval_ns(&child->usage.ru_stime)));
	json_put(report, "error", known ? NULL :
		 json_text(child->error_text, sizeof(child->error_text)));
	json_put(report, "process", known ? json_task(&child->process) : NULL);
	json_put(report, "main_thread", known ? json_task(&child->main_thread) : NULL);
	json_put(children, "cpu_time_ns",
		 child_descendants_cpu(child, &ns) ? NULL : json_new_number(ns));
	json_put(report, "children", children);
	return report;
}

/* Can the module answer at all?  To be known before the command runs, not after. */
static int check_module(struct taskrt *handle)
{
	struct taskrt_stats stats;
	char text[ERROR_MAX];
	int error = taskrt_get_self(handle, &stats, sizeof(stats));

	if (!error)
		return 0;
	error_fail("%s", error_query_text(text, handle, error, ERROR_SELF, 0));
	return STATUS_RUN_FAILED;
}

static int run_and_report(const struct request *request, struct taskrt *handle, FILE *out)
{
	struct child child = { .argv = request->argv };
	int error = child_run(&child, handle);

	if (error < 0) {
		error_fail("cannot start a process: %s", strerror(-error));
		return STATUS_RUN_FAILED;
	}
	if (error) {
		error_fail("cannot run '%s': %s", child.argv[0], strerror(error));
		return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	}
	/* Not before: the command shall inherit what we were started with. */
	output_keep_pipe();
	if (request->json)
		json_print(out, json_report(&child));
	else
		print_report(out, &child);
	return child_status(&child);
}

static int run_into(const struct request *request, struct taskrt *handle)
{
	const char *name = request->output ? request->output : "standard error";
	FILE *out = stderr;
	int status;

	if (request->output)
		out = fopen(request->output, "we");
	if (!out) {
		error_fail("cannot write '%s': %s", name, strerror(errno));
		return STATUS_RUN_FAILED;
	}
	status = run_and_report(request, handle, out);
	if (out == stderr)
		return ferror(stderr) ? STATUS_RUN_FAILED : status;
	return output_close(out, name, 0) ? STATUS_RUN_FAILED : status;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	char text[ERROR_MAX];
	struct taskrt *handle;
	int error, status = parse(&request, argc, argv);

	if (status)
		return status;
	error = taskrt_open(&handle);
	if (error) {
		error_fail("%s", error_open_text(text, error));
		return STATUS_RUN_FAILED;
	}
	status = check_module(handle);
	if (!status)
		status = run_into(&request, handle);
	taskrt_close(handle);
	return status;
}

const struct command run_command = {
	.name = "run",
	.run = run,
	.summary = "run a command, and tell where its time went",
	.help = help,
};
