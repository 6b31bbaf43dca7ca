// SPDX-License-Identifier: GPL-2.0-only
/* taskrt diagnose: what the module measures on this kernel, and what is wrong. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "common/arg.h"
#include "common/clock.h"
#include "common/command.h"
#include "common/error.h"
#include "common/output.h"
#include "common/text.h"
#include "common/units.h"
#include "diagnose/diagnose.h"

static const char help[] =
	"Usage: taskrt diagnose [--kernel RELEASE] [--json]\n"
	"\n"
	"Show what the module measures on this kernel, hook by hook, how much memory it takes,\n"
	"whether its counters agree, how many sockets listen to exits, and what is wrong.  If the module\n"
	"is not loaded, show why, and how to fix that.\n"
	"\n"
	"  -k, --kernel RELEASE    check whether the module can be loaded into this kernel\n"
	"  -j, --json              print one JSON document\n"
	"  -h, --help              print this help\n"
	"\n"
	"Exit status: 0 if there is no problem, 1 if there is one, 2 if the command line is wrong.\n";

static const char examples[] =
	"  taskrt diagnose                       what is measured, or why the module is not loaded\n"
	"  taskrt diagnose --kernel 6.12.48      whether that kernel, of the next boot, takes it\n";

#define ATTEMPTS	5

struct request {
	int json;
	const char *kernel;
};

static int take(void *arg, int letter)
{
	struct request *request = arg;

	(void)letter;	/* -k is the only one */
	request->kernel = optarg;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "kernel", required_argument, NULL, 'k' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->json, 0, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		return error_usage("extra argument '%s'", argv[optind]);
	if (request->kernel && (!*request->kernel || strchr(request->kernel, '/')))
		return error_usage("'%s' is not a kernel release, as uname -r says it",
				   request->kernel);
	return 0;
}

static void print_head(const struct taskrt_info *info)
{
	uint64_t now = clock_now_ns();
	char text[UNITS_MAX];

	printf("module %.31s, library %s, statistics version %u\n", info->module_version,
	       taskrt_version(), info->stats_version);
	if (info->enabled && now >= info->enabled_since_ns)
		printf("accounting on for %s\n\n", units_time(text, now - info->enabled_since_ns));
	else
		printf("accounting %s\n\n", info->enabled ? "on" : "off");
}

static void print_hooks(const struct inventory *inventory)
{
	uint32_t i;

	printf("%-21s %-11s %14s %10s  %s\n", "HOOK", "KIND", "HITS", "MISSES", "STATUS");
	for (i = 0; i < inventory->info.nr_hooks; i++) {
		const struct taskrt_hook *hook = &inventory->hooks[i];

		printf("%-21.31s %-11.15s %14" PRIu64 " %10" PRIu64 "  %s\n", hook->name,
		       hook->kind, hook->hits, hook->misses,
		       finding_hook_status(hook));
	}
	printf("\n");
}

static void print_records(const struct taskrt_info *info)
{
	int64_t discrepancy = finding_discrepancy(info);
	char all[UNITS_MAX];

	/* The records of ended threads are live until they are folded. */
	printf("records    %" PRIu64 " live, for %" PRIu64 " threads at most; %" PRIu64
	       " made, %" PRIu64 " gone\n", info->threads, info->threads_max,
	       info->threads_made, info->threads_gone);
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

	printf("exits      %u listener%s; %" PRIu64 " delivered, %" PRIu64
	       " lost; backlog %s, at most %s each\n", info->listeners,
	       units_plural(info->listeners, "s"), info->exits_delivered,
	       info->exits_lost, units_bytes(waiting, info->backlog_bytes),
	       units_bytes(limit, info->backlog_max_bytes));
}

static void print_observed(const struct taskrt_info *info)
{
	printf("observed   threads: %u mapped, %u armed; alerts: %" PRIu64 " raised, %" PRIu64
	       " lost\n", info->mapped, info->armed, info->alerts, info->alerts_lost);
}

static void print_optional(const struct inventory *inventory)
{
	char text[OPTIONAL_MAX];

	optional_text(text, inventory);
	printf("optional   %s\n\n", *text ? text : "not supported by this module");
}

static void print_findings(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		text_line(stdout, "%s: %s", finding->problem ? "problem" : "note", finding->text);
		if (*finding->fix)
			text_line(stdout, "   fix: %s", finding->fix);
	}
	if (findings->problems)
		printf("problems found: %zu\n", findings->problems);
	else
		printf("no problem found\n");
}

static void put_verdict(struct json *json, const struct findings *findings)
{
	size_t i;

	json_array(json, "findings");
	for (i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		json_object(json, NULL);
		json_bool(json, "problem", finding->problem);
		json_string(json, "cause", finding->cause);
		json_string(json, "text", finding->text);
		json_string_if_any(json, "fix", finding->fix);
		json_end(json);
	}
	json_end(json);
	json_bool(json, "healthy", !findings->problems);
}

static void print_json(const struct inventory *inventory, const struct findings *findings)
{
	struct json document = { .out = stdout, .on_lines = true }, *json = &document;

	json_object(json, NULL);
	inventory_put_json(json, inventory);
	json_bool(json, "loaded", true);
	json_text(json, "library_version", taskrt_version(), 32);
	json_integer(json, "discrepancy", finding_discrepancy(&inventory->info));
	put_verdict(json, findings);
	json_end(json);
}

/* Threads come and go while the module counts, so only a lasting discrepancy counts. */
static int get_settled(struct taskrt *handle, struct inventory *inventory)
{
	int attempt, error;

	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		const struct timespec pause = { .tv_nsec = 20000000 };

		inventory_free(inventory);
		error = inventory_get(inventory, handle);
		if (error || !finding_discrepancy(&inventory->info))
			return error;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* Missing rights are no problem of the module, but worth a note. */
static void check_right(struct findings *findings, struct taskrt *handle)
{
	struct taskrt_reading reading;

	if (taskrt_get(handle, TASKRT_ENTITY_PROCESS, 1, 0, &reading, sizeof(reading)) == -EPERM)
		finding_note(findings, "rights",
			     "only your own processes can be read; others need CAP_PERFMON or CAP_SYS_PTRACE");
}

static void print_text(const struct inventory *inventory, const struct findings *findings)
{
	print_head(&inventory->info);
	print_hooks(inventory);
	print_records(&inventory->info);
	print_exits(&inventory->info);
	print_observed(&inventory->info);
	print_optional(inventory);
	print_findings(findings);
}

static int diagnose_module(struct taskrt *handle, const struct request *request,
			   const struct system *system)
{
	struct inventory inventory = { 0 };
	struct findings findings;
	char text[ERROR_MAX];
	int error = get_settled(handle, &inventory);

	if (!error) {
		finding_collect(&findings, &inventory, system);
		optional_check(&findings, &inventory, system);
		check_right(&findings, handle);
		if (request->json)
			print_json(&inventory, &findings);
		else
			print_text(&inventory, &findings);
	}
	inventory_free(&inventory);
	if (error)
		return error_fail("%s", error_query_text(text, handle, error, ERROR_MODULE, 0));
	return findings.problems ? STATUS_FAILED : STATUS_OK;
}

static void print_not_loaded(const struct system *system, const struct module *module, int loaded)
{
	text_line(stdout, "the module is %sloaded into kernel %s%s", loaded ? "" : "not ",
		  system->release, system->running ? "" : ", which does not run");
	if (!*module->path)
		text_line(stdout, "there is no file of the module for this kernel");
	else if (module->readable)
		text_line(stdout, "file /%s, version %s, %s%s", module->path,
			  *module->version ? module->version : "unknown",
			  module->has_signature ? "signed by " : "not signed",
			  !module->has_signature ? "" : *module->signer ? module->signer : "an unknown key");
	else
		text_line(stdout, "file /%s", module->path);
	printf("\n");
}

static void print_not_loaded_json(const struct system *system, const struct module *module,
				  int loaded, const struct findings *findings)
{
	struct json document = { .out = stdout, .on_lines = true }, *json = &document;
	char file[SYSTEM_PATH + 1] = "";

	if (*module->path)
		snprintf(file, sizeof(file), "/%s", module->path);
	json_object(json, NULL);
	json_bool(json, "loaded", loaded);
	json_string_if_any(json, "kernel", system->release);
	json_bool(json, "kernel_runs", system->running);
	json_string_if_any(json, "file", file);
	json_string_if_any(json, "file_version", module->version);
	json_string_if_any(json, "file_signer", module->signer);
	json_text(json, "library_version", taskrt_version(), 32);
	put_verdict(json, findings);
	json_end(json);
}

/* The module does not answer: diagnose what can be seen from outside. */
static int diagnose_not_loaded(const struct request *request, const struct system *system,
			       int error)
{
	const int loaded = module_is_loaded(system);
	struct findings findings = { .count = 0 };
	struct module module;

	module_find(system, &module);
	if (loaded || error != -ENOENT)
		not_loaded_answer(&findings, system, error);
	else
		not_loaded_collect(&findings, system, &module);
	if (request->json) {
		print_not_loaded_json(system, &module, loaded, &findings);
	} else {
		print_not_loaded(system, &module, loaded);
		print_findings(&findings);
	}
	return findings.problems ? STATUS_FAILED : STATUS_OK;
}

/* Only the running kernel can be queried. */
static int diagnose_system(const struct request *request, const struct system *system)
{
	struct taskrt *handle;
	int error = -ENOENT, status;

	if (system->running)
		error = taskrt_open(&handle);
	if (error)
		return diagnose_not_loaded(request, system, error);
	status = diagnose_module(handle, request, system);
	taskrt_close(handle);
	return status;
}

static int diagnose(int argc, char **argv)
{
	struct request request = { 0 };
	struct system system;
	int error, status = parse(&request, argc, argv);

	if (status)
		return status;
	output_keep_pipe();
	error = system_open(&system, request.kernel);
	if (error)
		return error_fail("cannot look into '/': %s", strerror(-error));
	status = diagnose_system(&request, &system);
	system_close(&system);
	return output_close(stdout, NULL, status);
}

const struct command diagnose_command = {
	.name = "diagnose",
	.run = diagnose,
	.summary = "show what the module measures on this kernel, or why it is not loaded",
	.help = help,
	.examples = examples,
};
