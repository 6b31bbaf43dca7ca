// SPDX-License-Identifier: GPL-2.0-only
/* taskrt listen: the final totals of every thread and process as it ends. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/element.h"
#include "common/error.h"
#include "common/output.h"
#include "common/reading_json.h"
#include "common/signals.h"
#include "common/target.h"
#include "listen/listen.h"
#include "report/report.h"

static const char help[] =
	"Usage: taskrt listen [OPTION]...\n"
	"\n"
	"Print one line with the final totals of every thread and process that ends, until\n"
	"interrupted.  At the end, print on standard error how many there were and how many were\n"
	"lost.\n"
	"\n"
	"  -C, --cpus LIST        only tasks that end on these CPUs, such as 0-3,7\n"
	"  -T, --threads          only threads\n"
	"  -P, --processes        only processes\n"
	"  -O, --own              only tasks that the caller may read; this is the default without\n"
	"                         CAP_NET_ADMIN\n"
	"  -p, --pid PROCESS      only this process and its threads: an ID, or the name of one or more\n"
	"                         that run now\n"
	"  -g, --cgroup PATH|ID   only tasks in this cgroup (version 2) and in its descendants\n"
	"  -n, --count N          end after N threads and processes\n"
	"  -s, --seconds S        end after S seconds\n"
	"  -B, --buffer BYTES     size of the receive buffer of the socket; records that do not fit\n"
	"                         are queued in the module\n"
	"  -w, --write FILE       write the records to FILE, for 'taskrt replay', and print\n"
	"                         nothing; - is standard output\n"
	"  -j, --json             print one JSON object per line; with --write, print as well\n"
	"  -h, --help             print this help\n"
	"\n"
	"TIME is the time of the exit, in seconds of CLOCK_MONOTONIC.  FAULT is page faults, with\n"
	"their work, and LOCK is waits for kernel locks, from start to end.  MOST WAITED is the\n"
	"state off the CPU that took the most time.  GHz and CPI (cycles per instruction) follow\n"
	"if cycles are counted.\n";

static const char examples[] =
	"  taskrt listen -P -s 60                every process that ends in the next minute\n"
	"  taskrt listen -g /system.slice -w exits && taskrt replay exits\n"
	"  taskrt listen -j | jq 'select(.exit_code != 0)'\n";

enum { BUFFER_MAX = 1 << 30 };

struct request {
	struct taskrt_query want;
	struct target process;
	const char *cpus;
	const char *cgroup;
	const char *file;
	uint64_t count, seconds_ns, buffer;
	int json;
};

static int parse_limit(struct request *request, int letter)
{
	int status;

	switch (letter) {
	case 'n':
		return arg_number(optarg, "a number of records", &request->count);
	case 's':
		return arg_seconds(optarg, &request->seconds_ns);
	default:
		status = arg_number(optarg, "a number of bytes", &request->buffer);
		if (!status && request->buffer > BUFFER_MAX)
			return error_usage("'%s' is too large for a number of bytes", optarg);
		return status;
	}
}

static int take(void *arg, int letter)
{
	struct request *request = arg;

	switch (letter) {
	case 'C':
		request->cpus = optarg;
		return 0;
	case 'T':
		request->want.entities |= TASKRT_ENTITIES_THREADS;
		return 0;
	case 'P':
		request->want.entities |= TASKRT_ENTITIES_PROCESSES;
		return 0;
	case 'O':
		request->want.own_only = 1;
		return 0;
	case 'p':
		return target_take(optarg, &request->process);
	case 'g':
		request->cgroup = optarg;
		return 0;
	case 'w':
		request->file = optarg;
		return 0;
	default:
		return parse_limit(request, letter);
	}
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "cpus", required_argument, NULL, 'C' },
		{ "threads", no_argument, NULL, 'T' },
		{ "processes", no_argument, NULL, 'P' },
		{ "own", no_argument, NULL, 'O' },
		{ "pid", required_argument, NULL, 'p' },
		{ "cgroup", required_argument, NULL, 'g' },
		{ "count", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 's' },
		{ "buffer", required_argument, NULL, 'B' },
		{ "write", required_argument, NULL, 'w' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->json, 0, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		return error_usage("extra argument '%s'", argv[optind]);
	if (request->json && request->file && !strcmp(request->file, "-"))
		return error_usage("--json and --write - would both go to standard output");
	if (request->file && !strcmp(request->file, "-") && isatty(STDOUT_FILENO))
		return error_usage("--write - is for a pipe or a file, and standard output is a terminal");
	/* The cgroup comes last, after the rest of the line was checked. */
	return request->cgroup ? cgroup_find(request->cgroup, &request->want.cgroup) : 0;
}

/* Are cycles counted, and may we see them? */
static int cycles_are_counted(void)
{
	struct taskrt_info info;
	struct taskrt *handle;
	int counted;

	if (taskrt_open(&handle))
		return 0;
	counted = !taskrt_get_info(handle, &info, sizeof(info)) &&
		  info.measured.values & READING_CYCLES;
	taskrt_close(handle);
	return counted;
}

/* Replay can print a file as JSON. */
static uint32_t groups_for(const struct request *request)
{
	if (request->json || request->file)
		return READING_JSON_GROUPS;
	return LINE_GROUPS | (cycles_are_counted() ? LINE_GROUPS_OF_CYCLES : 0);
}

static int receive(const struct request *request, struct taskrt_exits *listener, int stop_fd,
		   struct exits *exits)
{
	int status = STATUS_OK, write_error;
	int error = exits_receive(exits, listener, stop_fd, request->count, request->seconds_ns,
				  &write_error);

	if (error == -ENODEV)
		status = error_fail("the module was removed");
	else if (error)
		status = error_fail("cannot go on: %s", taskrt_exits_error(listener));
	else if (exits->unread)
		status = error_fail("%" PRIu64 " record%s not read", exits->unread,
				    exits->unread == 1 ? " was" : "s were");
	return exits_end(exits, write_error, status);
}

/* taskrt_query has room for one process: if more have the name, exits are filtered here. */
static int find_process(struct request *request, struct exits *exits)
{
	struct taskrt *handle;
	char text[ERROR_MAX];
	int status = STATUS_OK, error = taskrt_open(&handle);

	if (error)
		return error_fail("%s", error_open_text(text, error));
	error = target_find(handle, &request->process, TARGET_PROCESS, &exits->only);
	if (error)
		status = error_fail("%s", target_error_text(text, handle, error, &request->process,
							    TARGET_PROCESS, &exits->only));
	else if (exits->only.count == 1)
		request->want.tgid = exits->only.ids[0];
	taskrt_close(handle);
	return status;
}

static void set_buffer(struct taskrt_exits *exits, size_t bytes)
{
	size_t got = 0;
	int error = taskrt_exits_set_buffer(exits, bytes, &got);

	if (error)
		error_warn("the socket's buffer stays as it is: %s", strerror(-error));
	else if (got < bytes)
		error_warn("the socket's buffer has %zu bytes, not %zu: net.core.rmem_max is the limit without CAP_NET_ADMIN",
			   got, bytes);
}

static int listen_as_permitted(struct taskrt_exits *exits, const char *cpus,
			       struct taskrt_query *want)
{
	int error = taskrt_exits_register(exits, cpus, want, sizeof(*want), NULL, 0);

	if (error != -EPERM || want->own_only)
		return error;
	want->own_only = 1;
	return taskrt_exits_register(exits, cpus, want, sizeof(*want), NULL, 0);
}

/*
 * Open *exits with a socket buffer of buffer bytes (0: the default), and register *want on these
 * CPUs (NULL: all).  If the user may not listen to all tasks, listen to the user's own tasks and
 * set want->own_only.
 * Return: 0; a negative errno, *exits is NULL, and text says why.
 */
static int open_listener(struct taskrt_exits **exits, const char *cpus, struct taskrt_query *want,
			 size_t buffer, char text[ERROR_MAX])
{
	int error = taskrt_exits_open(exits);

	if (error) {
		error_open_text(text, error);
		return error;
	}
	if (buffer)
		set_buffer(*exits, buffer);
	error = listen_as_permitted(*exits, cpus, want);
	if (!error)
		return 0;
	error_listen_text(text, *exits, error, cpus, want);
	taskrt_exits_close(*exits);
	*exits = NULL;
	return error;
}

static int begin(struct request *request, struct exits *exits, int stop_fd)
{
	const int asked = (int)request->want.own_only;
	struct taskrt_exits *listener;
	char text[ERROR_MAX];
	int status, error = open_listener(&listener, request->cpus, &request->want,
					  request->buffer, text);

	if (error) {
		writer_abandon(&exits->writer);
		return error == -EINVAL ? error_usage("%s", text) : error_fail("%s", text);
	}
	if (request->want.own_only && !asked)
		error_warn("listening to all users needs CAP_NET_ADMIN: only your own tasks are reported");
	error = exits_begin(exits);
	status = error ? exits_end(exits, error, STATUS_OK) :
		 receive(request, listener, stop_fd, exits);
	taskrt_exits_close(listener);
	return status;
}

static int listen(int argc, char **argv)
{
	struct request request = { 0 };
	struct exits exits = { .writer.form = WRITER_TEXT };
	int stop_fd, error, status = parse(&request, argc, argv);

	if (status)
		return status;
	output_keep_pipe();
	/* Before the first record, so that an early signal loses none. */
	stop_fd = stop_open();
	if (stop_fd < 0)
		return error_fail("cannot make a pipe: %s", strerror(-stop_fd));
	if (request.json || request.file)
		exits.writer.form = request.json ? WRITER_JSON : WRITER_SILENT;
	exits.writer.file_name = request.file;
	/* Opened before listening, so that no record is delivered that cannot be written. */
	error = writer_open(&exits.writer);
	if (error)
		return error_write(exits.writer.failed, error);
	request.want.groups = groups_for(&request);
	request.want.tgid = request.process.id;
	status = request.process.name ? find_process(&request, &exits) : STATUS_OK;
	if (status)
		writer_abandon(&exits.writer);
	else
		status = begin(&request, &exits, stop_fd);
	target_free(&exits.only);
	return status;
}

const struct command listen_command = {
	.name = "listen",
	.run = listen,
	.summary = "print the final totals of threads and processes as they end",
	.help = help,
	.examples = examples,
};
