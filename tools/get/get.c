// SPDX-License-Identifier: GPL-2.0-only
/* taskrt get: where the time of a thread, a process, or of many threads went. */
#include <errno.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/list.h"
#include "common/output.h"
#include "common/reading_json.h"
#include "get/table.h"
#include "report/task.h"

static const char help[] =
	"Usage: taskrt get [--json]                  the calling thread: taskrt itself\n"
	"       taskrt get [--json] PID              a process: the sum of its threads\n"
	"       taskrt get [--json] --tid TID        a thread\n"
	"       taskrt get [--json] --threads PID    the threads of a process, one line each\n"
	"       taskrt get [--json] --children PID   the sum of the children that were waited for\n"
	"       taskrt get [--json] --all            the threads of all processes\n"
	"\n"
	"  -t, --tid TID    show the thread with this ID\n"
	"  -T, --threads    show the threads of the process instead of their sum\n"
	"  -c, --children   show the sum of the children that the process has waited for,\n"
	"                   including their own children\n"
	"  -a, --all        show all threads that the caller may read\n"
	"  -j, --json       print one JSON document; a value that was not measured is null\n"
	"  -h, --help       print this help\n"
	"\n"
	"Shares are percentages of the tracked time and sum to 100.0 %.  The table of threads has\n"
	"these shares: CPU is running; QUEUE is preempted, woken and throttled; LOCK is\n"
	"blocked_lock; FAULT is blocked_fault; IO is blocked_io; BLOCK is blocked_other; SLEEP is\n"
	"every sleep, and stopped.\n"
	"MAXWAIT is the longest single wait for a CPU.\n";

static const char examples[] =
	"  taskrt get 812                        process 812\n"
	"  taskrt get --threads 812              its threads, one line each\n"
	"  taskrt get --json 812 | jq .page_fault_time_ns\n";

enum what { SELF, PROCESS, THREAD, THREADS, CHILDREN, ALL };

struct request {
	enum what what;
	pid_t id;
	int json;
};

/* A second choice of what to show is a mistake, not an override. */
static int choose(struct request *request, enum what what)
{
	if (request->what != SELF)
		return error_usage("only one of --tid, --threads, --children and --all can be asked for");
	request->what = what;
	return 0;
}

static int take(void *arg, int letter)
{
	struct request *request = arg;
	int status;

	switch (letter) {
	case 't':
		status = choose(request, THREAD);
		return status ? status : arg_pid(optarg, &request->id);
	case 'T':
		return choose(request, THREADS);
	case 'c':
		return choose(request, CHILDREN);
	default:
		return choose(request, ALL);
	}
}

static int parse_arguments(struct request *request, int count, char **arguments)
{
	int needed = request->what == THREADS || request->what == CHILDREN;
	int allowed = needed || request->what == SELF;

	if (count > allowed)
		return error_usage("extra argument '%s'", arguments[allowed]);
	if (needed && !count)
		return error_usage("a process id is missing after --%s",
				   request->what == THREADS ? "threads" : "children");
	if (!count)
		return 0;
	if (request->what == SELF)
		request->what = PROCESS;
	return arg_pid(arguments[0], &request->id);
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "tid", required_argument, NULL, 't' },
		{ "threads", no_argument, NULL, 'T' },
		{ "children", no_argument, NULL, 'c' },
		{ "all", no_argument, NULL, 'a' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->json, 0, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	return parse_arguments(request, argc - optind, argv + optind);
}

static int fail(struct taskrt *handle, int error, enum error_subject subject, pid_t id)
{
	char text[ERROR_MAX];

	return error_fail("%s", error_query_text(text, handle, error, subject, id));
}

static int get_one(struct taskrt *handle, const struct request *request)
{
	static const struct {
		enum taskrt_entity entity;
		enum error_subject subject;
	} kinds[] = {
		[SELF] = { TASKRT_ENTITY_THREAD, ERROR_SELF },
		[PROCESS] = { TASKRT_ENTITY_PROCESS, ERROR_PROCESS_NOT_THREAD },
		[THREAD] = { TASKRT_ENTITY_THREAD, ERROR_THREAD },
		[CHILDREN] = { TASKRT_ENTITY_CHILDREN, ERROR_CHILDREN },
	};
	uint32_t groups = request->json ? READING_JSON_GROUPS : REPORT_GROUPS;
	const struct taskrt_sites *known;
	struct taskrt_reading reading;
	struct taskrt_sites sites;
	int error = taskrt_get(handle, kinds[request->what].entity, request->id, groups, &reading,
			       sizeof(reading));

	if (error)
		return fail(handle, error, kinds[request->what].subject, request->id);
	/* The kernel or the module may not tell, or the task may have ended: there are none then. */
	known = taskrt_get_sites(handle, &reading, &sites, sizeof(sites)) ? NULL : &sites;
	if (request->json)
		json_print(stdout, json_task(&reading, known), JSON_ON_LINES);
	else if (request->what == CHILDREN)
		report_children(stdout, &reading);
	else
		report_task(stdout, &reading, known);
	return STATUS_OK;
}

static void print_array(const struct list *list)
{
	struct taskrt_reading reading;
	struct json_array array;
	size_t i;

	json_array_begin(&array, stdout);
	for (i = 0; i < list->count; i++) {
		list_read(list, i, &reading);
		json_array_add(&array, json_task(&reading, NULL));
	}
	json_array_end(&array);
}

static void print_table(const struct list *list, int with_pid)
{
	struct taskrt_reading reading;
	struct table table;
	size_t i;

	table_begin(&table, stdout, with_pid);
	for (i = 0; i < list->count; i++) {
		list_read(list, i, &reading);
		table_row(&table, &reading);
	}
	table_end(&table);
}

static int get_many(struct taskrt *handle, const struct request *request)
{
	int all = request->what == ALL;
	uint32_t groups = request->json ? READING_JSON_GROUPS : TABLE_GROUPS;
	struct list list;
	int error = list_fill(&list, handle, all ? 0 : request->id, groups);
	int status = STATUS_OK;

	if (error == -EINTR) {
		error_warn("threads came and went meanwhile: one may be missing, or there twice");
		error = 0;
	}
	if (error == -ENOMEM)
		status = error_fail("out of memory");
	else if (error)
		status = fail(handle, error, all ? ERROR_MODULE : ERROR_PROCESS_NOT_THREAD,
			      request->id);
	else if (request->json)
		print_array(&list);
	else
		print_table(&list, all);
	list_free(&list);
	return status;
}

static int get(int argc, char **argv)
{
	struct request request = { .what = SELF };
	char text[ERROR_MAX];
	struct taskrt *handle;
	int error, status = parse(&request, argc, argv);

	if (status)
		return status;
	output_keep_pipe();
	error = taskrt_open(&handle);
	if (error)
		return error_fail("%s", error_open_text(text, error));
	if (request.what == THREADS || request.what == ALL)
		status = get_many(handle, &request);
	else
		status = get_one(handle, &request);
	taskrt_close(handle);
	return output_close(stdout, NULL, status);
}

const struct command get_command = {
	.name = "get",
	.run = get,
	.summary = "show where the time of a thread or process went so far",
	.help = help,
	.examples = examples,
};
