// SPDX-License-Identifier: GPL-2.0-only
/* taskrt diagnose: what the module measures here, and what is wrong with it. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "arg.h"
#include "command.h"
#include "error.h"
#include "finding.h"
#include "json.h"
#include "output.h"
#include "units.h"

static const char help[] =
	"Usage: taskrt diagnose [--json]\n\n"
	"Tell what the module measures on this kernel, hook by hook, what its records\n"
	"cost, whether its books balance, who is told of exits, and what is wrong.\n\n"
	"  -j, --json    one JSON document\n"
	"  -h, --help    this text\n\n"
	"Exit status: 0 all is well, 1 there is a problem, 2 a wrong command line.\n";

#define ATTEMPTS	5

struct request {
	int json;
};

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int answer;

	while ((answer = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		if (answer == 'j')
			request->json = 1;
		else if (answer == 'h')
			return STATUS_HELP;
		else
			return arg_bad_option(answer, argv);
	}
	if (optind < argc)
		return error_usage("extra argument '%s'", argv[optind]);
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void print_head(const struct taskrt_info *info)
{
	uint64_t now = now_ns();
	char text[UNITS_MAX];

	printf("module %.31s, library %s, statistics version %u\n", info->module_version,
	       taskrt_version(), info->stats_version);
	if (info->enabled && now >= info->enabled_since_ns)
		printf("accounting on for %s\n\n", units_time(text, now - info->enabled_since_ns));
	else
		printf("accounting %s\n\n", info->enabled ? "on" : "off");
}

static void print_hooks(const struct taskrt_info *info)
{
	uint32_t i;

	printf("%-20s %-11s %14s %10s  %s\n", "HOOK", "KIND", "HITS", "MISSES", "STATUS");
	for (i = 0; i < info->nr_hooks && i < TASKRT_HOOKS_MAX; i++) {
		const struct taskrt_hook *hook = &info->hooks[i];

		printf("%-20.31s %-11.15s %14" PRIu64 " %10" PRIu64 "  %s\n", hook->name,
		       hook->kind, hook->hits, hook->misses,
		       finding_hook_status(hook));
	}
	printf("\n");
}

static void print_records(const struct taskrt_info *info)
{
	int64_t discrepancy = finding_discrepancy(info);
	char all[UNITS_MAX];

	printf("records    %" PRIu64 " live of %" PRIu64 " at most; %" PRIu64 " made, %" PRIu64
	       " gone\n", info->threads, info->threads_max, info->threads_made,
	       info->threads_gone);
	printf("check      live = made - gone: ");
	if (discrepancy)
		printf("FAILED, off by %" PRId64 "\n", discrepancy);
	else
		printf("ok\n");
	printf("processes  %" PRIu64 "\n", info->processes);
	printf("memory     %s: %u bytes a thread, %u bytes a process\n",
	       units_bytes(all, info->memory_bytes), info->record_size, info->process_size);
	printf("failures   %" PRIu64 " refused, %" PRIu64 " without memory, %" PRIu64
	       " repaired\n", info->refused, info->no_memory, info->repaired);
}

static void print_exits(const struct taskrt_info *info)
{
	char waiting[UNITS_MAX], limit[UNITS_MAX];

	if (!info->backlog_max_bytes) {
		printf("exits      not told by this module\n\n");
		return;
	}
	printf("exits      %u listeners; %" PRIu64 " told, %" PRIu64
	       " lost; backlog %s, at most %s each\n\n", info->listeners, info->exits_told,
	       info->exits_lost, units_bytes(waiting, info->backlog_bytes),
	       units_bytes(limit, info->backlog_max_bytes));
}

static void print_findings(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++)
		printf("%s: %s\n", findings->list[i].problem ? "problem" : "note",
		       findings->list[i].text);
	if (findings->problems)
		printf("problems found: %zu\n", findings->problems);
	else
		printf("all is well\n");
}

static void put_verdict(struct json_object *object, const struct findings *findings)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < findings->count; i++) {
		struct json_object *finding = json_new_object();

		json_put(finding, "problem", json_new_bool(findings->list[i].problem));
		json_put(finding, "text", json_text(findings->list[i].text,
						    sizeof(findings->list[i].text)));
		json_append(array, finding);
	}
	json_put(object, "findings", array);
	json_put(object, "healthy", json_new_bool(!findings->problems));
}

static void print_json(const struct taskrt_info *info, const struct findings *findings)
{
	struct json_object *object = json_info(info);

	json_put(object, "loaded", json_new_bool(1));
	json_put(object, "library_version", json_text(taskrt_version(), 32));
	json_put(object, "discrepancy", json_new_integer(finding_discrepancy(info)));
	put_verdict(object, findings);
	json_print(stdout, object);
}

static int unreachable(const struct request *request, int error)
{
	struct findings findings = { .count = 0 };
	struct json_object *object;
	char text[ERROR_MAX];

	error_open_text(text, error);
	if (!request->json)
		return error_fail("%s", text);
	finding_add(&findings, 1, "%s", text);
	object = json_new_object();
	json_put(object, "loaded", json_new_bool(error != -ENOENT));
	put_verdict(object, &findings);
	json_print(stdout, object);
	return STATUS_FAILED;
}

/* Threads come and go while the module counts: only a discrepancy that stays is one. */
static int get_settled(struct taskrt *handle, struct taskrt_info *info)
{
	int attempt, error;

	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		const struct timespec pause = { .tv_nsec = 20000000 };

		error = taskrt_get_info(handle, info, sizeof(*info));
		if (error || !finding_discrepancy(info))
			return error;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* What the caller may read is no fault of the module, but worth knowing. */
static void check_right(struct findings *findings, struct taskrt *handle)
{
	struct taskrt_stats stats;

	if (taskrt_get_process(handle, 1, &stats, sizeof(stats)) == -EPERM)
		finding_add(findings, 0,
			    "you may read your own processes only; others need CAP_PERFMON or CAP_SYS_PTRACE");
}

static int diagnose_module(struct taskrt *handle, const struct request *request)
{
	struct findings findings;
	struct taskrt_info info;
	char text[ERROR_MAX];
	int error = get_settled(handle, &info);

	if (error)
		return error_fail("%s", error_query_text(text, handle, error, ERROR_MODULE, 0));
	finding_collect(&findings, &info);
	check_right(&findings, handle);
	if (request->json) {
		print_json(&info, &findings);
	} else {
		print_head(&info);
		print_hooks(&info);
		print_records(&info);
		print_exits(&info);
		print_findings(&findings);
	}
	return findings.problems ? STATUS_FAILED : STATUS_OK;
}

static int diagnose(int argc, char **argv)
{
	struct request request = { 0 };
	struct taskrt *handle;
	int error, status = parse(&request, argc, argv);

	if (status)
		return status;
	output_keep_pipe();
	error = taskrt_open(&handle);
	if (error)
		return output_close(stdout, "standard output", unreachable(&request, error));
	status = diagnose_module(handle, &request);
	taskrt_close(handle);
	return output_close(stdout, "standard output", status);
}

const struct command diagnose_command = {
	.name = "diagnose",
	.run = diagnose,
	.summary = "what the module measures here, and what is wrong with it",
	.help = help,
};
