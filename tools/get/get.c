// SPDX-License-Identifier: GPL-2.0-only
/* taskrt get: where the time of a thread, a process, or of many threads went. */
#include <errno.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/list.h"
#include "common/output.h"
#include "common/reading_json.h"
#include "common/target.h"
#include "get/table.h"
#include "report/report.h"

static const char help[] =
	"Usage: taskrt get [--json]                     the calling thread: taskrt itself\n"
	"       taskrt get [--json] PROCESS             a process: the sum of its threads\n"
	"       taskrt get [--json] --tid THREAD        a thread\n"
	"       taskrt get [--json] --threads PROCESS   the threads of a process, one line each\n"
	"       taskrt get [--json] --children PROCESS  the sum of the children it has waited for\n"
	"       taskrt get [--json] --all               the threads of all processes\n"
	"\n"
	"PROCESS and THREAD are an ID or a name.  A name stands for all that have it; the name of a\n"
	"process is the name of its main thread, see 'ps -A -o pid,comm'.\n"
	"\n"
	"  -t, --tid THREAD show this thread, of any process\n"
	"  -T, --threads    show the threads of the process instead of their sum\n"
	"  -c, --children   show the sum of the children that the process has waited for,\n"
	"                   including their own children\n"
	"  -a, --all        show all threads that the caller may read\n"
	"  -j, --json       print one JSON document, an array if a name was given; a value that was\n"
	"                   not measured is null\n"
	"  -h, --help       print this help\n"
	"\n"
	"Shares are percentages of the tracked time and sum to 100.0 %.  The table of threads has\n"
	"these shares: CPU is running; QUEUE is preempted, woken, throttled and yielded; LOCK is\n"
	"blocked_lock; FAULT is blocked_fault; IO is blocked_io; BLOCK is blocked_other; SLEEP is\n"
	"every sleep, and stopped.\n"
	"MAXWAIT is the longest single wait for a CPU.\n";

static const char examples[] =
	"  taskrt get 812                        process 812\n"
	"  taskrt get firefox                    every process of this name\n"
	"  taskrt get --threads firefox          their threads, one line each\n"
	"  taskrt get --json 812 | jq .page_fault_time_ns\n";

enum what { SELF, PROCESS, THREAD, THREADS, CHILDREN, ALL };

struct request {
	enum what what;
	struct target target;
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
		return status ? status : target_take(optarg, &request->target);
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
		return error_usage("a process is missing after --%s",
				   request->what == THREADS ? "threads" : "children");
	if (!count)
		return 0;
	if (request->what == SELF)
		request->what = PROCESS;
	return target_take(arguments[0], &request->target);
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

static const struct kind {
	enum taskrt_entity entity;
	enum error_subject subject;
} kinds[] = {
	[SELF] = { TASKRT_ENTITY_THREAD, ERROR_SELF },
	[PROCESS] = { TASKRT_ENTITY_PROCESS, ERROR_PROCESS_NOT_THREAD },
	[THREAD] = { TASKRT_ENTITY_THREAD, ERROR_THREAD },
	[CHILDREN] = { TASKRT_ENTITY_CHILDREN, ERROR_CHILDREN },
};

/* A task with this name may have ended by now. */
static int is_passed_over(const struct request *request, int error)
{
	return request->target.name && error == -ESRCH;
}

static void print_one(const struct request *request, const struct taskrt_reading *reading,
		      const struct taskrt_sites *known, struct json *json)
{
	if (request->json)
		json_task(json, NULL, reading, known);
	else if (request->what == CHILDREN)
		report_children(stdout, reading);
	else
		report_task(stdout, reading, known);
}

static int get_one(struct taskrt *handle, const struct request *request, pid_t id,
		   struct json *json)
{
	uint32_t groups = request->json ? READING_JSON_GROUPS : REPORT_GROUPS;
	const struct kind *kind = &kinds[request->what];
	struct taskrt_reading reading;
	struct taskrt_sites sites;
	int unknown, error = taskrt_get(handle, kind->entity, id, groups, &reading,
					sizeof(reading));

	if (is_passed_over(request, error))
		return STATUS_OK;
	if (error)
		return fail(handle, error, kind->subject, id);
	/* None, if the kernel or the module does not report them, or the task has ended. */
	unknown = taskrt_get_sites(handle, &reading, &sites, sizeof(sites));
	print_one(request, &reading, unknown ? NULL : &sites, json);
	return STATUS_OK;
}

static int get_each(struct taskrt *handle, const struct request *request,
		    const struct target_ids *found)
{
	const int as_array = request->json && request->target.name;
	struct json json = { .out = stdout, .on_lines = true };
	int status = STATUS_OK;
	size_t i;

	if (as_array)
		json_array(&json, NULL);
	for (i = 0; i < found->count && !status; i++) {
		if (i && !request->json)
			printf("\n");
		status = get_one(handle, request, found->ids[i], &json);
	}
	if (as_array)
		json_end(&json);
	return status;
}

/* Lines, or elements of an array. */
struct rows {
	struct table table;
	struct json array;
	int json;
};

static void rows_begin(struct rows *rows, int json, int with_pid)
{
	*rows = (struct rows){ .json = json, .array = { .out = stdout, .on_lines = true } };
	if (json)
		json_array(&rows->array, NULL);
	else
		table_begin(&rows->table, stdout, with_pid);
}

static void rows_add(struct rows *rows, const struct list *list)
{
	struct taskrt_reading reading;
	size_t i;

	for (i = 0; i < list->count; i++) {
		list_read(list, i, &reading);
		if (rows->json)
			json_task(&rows->array, NULL, &reading, NULL);
		else
			table_row(&rows->table, &reading);
	}
}

static void rows_end(struct rows *rows)
{
	if (rows->json)
		json_end(&rows->array);
	else
		table_end(&rows->table);
}

/* tgid: 0: all processes */
static int get_list(struct taskrt *handle, const struct request *request, pid_t tgid,
		    struct list *list)
{
	uint32_t groups = request->json ? READING_JSON_GROUPS : TABLE_GROUPS;
	int error = list_fill(list, handle, tgid, groups);

	if (error == -EINTR) {
		error_warn("threads came and went: one may be missing, or listed twice");
		error = 0;
	}
	if (error && !is_passed_over(request, error))
		return fail(handle, error, tgid ? ERROR_PROCESS_NOT_THREAD : ERROR_MODULE, tgid);
	return STATUS_OK;
}

/* Nothing is printed before the first list is known. */
static int get_many(struct taskrt *handle, const struct request *request,
		    const struct target_ids *found)
{
	int status = STATUS_OK, begun = 0;
	struct rows rows;
	size_t i;

	for (i = 0; i < found->count && !status; i++) {
		struct list list;

		status = get_list(handle, request, found->ids[i], &list);
		if (!status && !begun++)
			rows_begin(&rows, request->json,
				   request->what == ALL || request->target.name);
		if (!status)
			rows_add(&rows, &list);
		list_free(&list);
	}
	if (begun)
		rows_end(&rows);
	return status;
}

static int get_found(struct taskrt *handle, const struct request *request)
{
	const enum target_kind kind = request->what == THREAD ? TARGET_THREAD : TARGET_PROCESS;
	struct target_ids found;
	char text[ERROR_MAX];
	int status, error = target_find(handle, &request->target, kind, &found);

	if (error)
		status = error_fail("%s", target_error_text(text, handle, error, &request->target,
							    kind, &found));
	else if (request->what == THREADS || request->what == ALL)
		status = get_many(handle, request, &found);
	else
		status = get_each(handle, request, &found);
	target_free(&found);
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
	status = get_found(handle, &request);
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
