// SPDX-License-Identifier: GPL-2.0-only
/* taskrt watch: a timeline of every alert. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/memory.h"
#include "common/names.h"
#include "common/output.h"
#include "common/signals.h"
#include "common/workload.h"
#include "watch/alerts.h"
#include "watch/view.h"

static const char help[] =
	"Usage: taskrt watch [OPTION]... [[--] COMMAND [ARGUMENT]...]\n"
	"\n"
	"Until interrupted, print a timeline for every alert: what the late thread went through\n"
	"before it, and what was to blame.  --pid, --tid and COMMAND arm threads: the module records\n"
	"their last events, and raises an alert when one of them waits for too long.  An armed\n"
	"thread may also raise one itself.  Without any of the three, print the alerts of threads\n"
	"that other programs have armed.\n"
	"\n"
	"PROCESS and THREAD are an ID or a name.  A name stands for all that have it now.\n"
	"\n"
	"  -p, --pid PROCESS    arm all threads of this process, and print only their alerts\n"
	"  -t, --tid THREAD     arm this thread; may be given more than once\n"
	"  -x, --over TIME      raise an alert if a thread waits at least this long: 500us, 2ms, 1s\n"
	"                       (default: 10ms); none: only if the thread itself says that it is late\n"
	"  -e, --states LIST    states that count as waiting, such as blocked_lock,preempted\n"
	"                       (default: waiting for a CPU, or blocked in the kernel)\n"
	"  -D, --depth N        record the last N events, 2 to 256 (default: 64)\n"
	"      --threshold TIME record the kernel stack of waits of at least this time (default: 1ms)\n"
	"  -W, --window TIME    summarize only this time before the alert (default: the late\n"
	"                       cycle, if the thread said when it was; else since its last\n"
	"                       usual sleep)\n"
	"  -n, --count N        end after N alerts\n"
	"  -s, --seconds S      end after S seconds\n"
	"  -f, --perfetto FILE  write a Perfetto trace as well; - is standard output, and then\n"
	"                       nothing else is printed\n"
	"  -j, --json           print one JSON object per line\n"
	"  -h, --help           print this help\n"
	"\n"
	"COMMAND is run with all of its threads armed, but not the threads of processes that it\n"
	"starts; its longest wait is printed at the end.  If taskrt watch ends first, it terminates\n"
	"COMMAND and the processes that COMMAND has started.  CAP_NET_ADMIN and CAP_PERFMON\n"
	"are needed.\n";

static const char examples[] =
	"  taskrt watch --pid firefox            each wait of its threads that takes too long\n"
	"  taskrt watch --over 2ms --pid 812 -f late.pftrace\n"
	"  taskrt watch --over 1ms -e blocked_lock -- ./player song.ogg\n";

#define OVER_NS		10000000	/* the limit, if none is given */

struct request {
	struct armed armed;
	int limited;		/* --over was given, perhaps as none */
	struct alerts alerts;
	struct target process;
	struct target *threads;
	size_t nr_threads;
	uint64_t count, seconds_ns;
	char **argv;		/* of the command; NULL: none */
	int json;
};

static int add_thread(struct request *request)
{
	size_t count = request->nr_threads;

	request->threads = memory_resize(request->threads, count + 1, sizeof(*request->threads));
	request->threads[count] = (struct target){ 0 };
	request->nr_threads++;
	return target_take(optarg, &request->threads[count]);
}

static int parse_states(const char *list, uint32_t *states)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		uint32_t found = names_find_states(list, length);

		if (!found)
			return error_usage("'%.*s' is not a state: %s", (int)length, list,
					   names_states(~0U));
		if (found & (found - 1))
			return error_usage("'%.*s' is ambiguous: %s", (int)length, list,
					   names_states(found));
		*states |= found;
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

static int parse_depth(uint32_t *depth)
{
	uint64_t number = 0;
	int status = arg_number(optarg, "a number of events", &number);

	if (!status && (number < TASKRT_DEPTH_MIN || number > TASKRT_DEPTH_MAX))
		return error_usage("'%s' is not between %d and %d events", optarg,
				   TASKRT_DEPTH_MIN, TASKRT_DEPTH_MAX);
	*depth = (uint32_t)number;
	return status;
}

static int take_limit(struct request *request)
{
	request->limited = 1;
	return strcmp(optarg, "none") ?
	       arg_time(optarg, &request->armed.options.alert_over_ns) : 0;
}

static int take_arming(struct request *request, int letter)
{
	struct taskrt_recorder_options *options = &request->armed.options;

	switch (letter) {
	case 'x':
		return take_limit(request);
	case 'e':
		return parse_states(optarg, &options->states);
	case 'D':
		return parse_depth(&options->depth);
	default:
		return arg_time(optarg, &options->threshold_ns);
	}
}

static int take(void *arg, int letter)
{
	struct request *request = arg;

	switch (letter) {
	case 'p':
		return target_take(optarg, &request->process);
	case 't':
		return add_thread(request);
	case 'W':
		return arg_time(optarg, &request->alerts.window_ns);
	case 'n':
		return arg_number(optarg, "a number of alerts", &request->count);
	case 's':
		return arg_seconds(optarg, &request->seconds_ns);
	case 'f':
		request->alerts.writer.file_name = optarg;
		return 0;
	default:
		return take_arming(request, letter);
	}
}

static int names_process(const struct request *request)
{
	return request->process.name || request->process.id;
}

static int arms(const struct request *request)
{
	return names_process(request) || request->nr_threads || request->argv;
}

static int check(struct request *request)
{
	static const struct taskrt_recorder_options none;
	struct writer *writer = &request->alerts.writer;
	int to_stdout = writer->file_name && !strcmp(writer->file_name, "-");

	if (names_process(request) + !!request->nr_threads + !!request->argv > 1)
		return error_usage("only one of --pid, --tid and a command is possible");
	if (!arms(request) && (request->limited ||
			       memcmp(&request->armed.options, &none, sizeof(none))))
		return error_usage("nothing to arm: --pid, --tid or a command is missing");
	if (arms(request) && !request->limited)
		request->armed.options.alert_over_ns = OVER_NS;
	if (request->armed.options.states && !request->armed.options.alert_over_ns)
		return error_usage("--states has no effect with --over none");
	if (request->json && to_stdout)
		return error_usage("--json and --perfetto - would both go to standard output");
	if (to_stdout && isatty(STDOUT_FILENO))
		return error_usage("--perfetto - is for a pipe or a file, and standard output is a terminal");
	writer->form = request->json ? WRITER_JSON : to_stdout ? WRITER_SILENT : WRITER_TEXT;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "tid", required_argument, NULL, 't' },
		{ "over", required_argument, NULL, 'x' },
		{ "states", required_argument, NULL, 'e' },
		{ "depth", required_argument, NULL, 'D' },
		{ "threshold", required_argument, NULL, ARG_WITHOUT_LETTER },
		{ "window", required_argument, NULL, 'W' },
		{ "count", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 's' },
		{ "perfetto", required_argument, NULL, 'f' },
		{ 0 },
	};
	/* The arguments after COMMAND are its own. */
	const struct arg_options options = { own, take, request, &request->json, 1, "t" };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		request->argv = argv + optind;
	return check(request);
}

/* Return: 0; another value: the module's information is not available. */
static int get_info(struct taskrt_info *info)
{
	struct taskrt *handle;
	int error = taskrt_open(&handle);

	if (error)
		return error;
	error = taskrt_get_info(handle, info, sizeof(*info));
	taskrt_close(handle);
	return error;
}

/* Unknown namespaces are no reason to refuse. */
static uint32_t initial_namespaces(void)
{
	struct taskrt_info info;

	return get_info(&info) ? TASKRT_INITIAL_NET | TASKRT_INITIAL_PID : info.initial;
}

/* Opened before a thread is armed, so that no alert is missed. */
static int open_alerts(struct taskrt_alerts **listener)
{
	char text[ERROR_MAX];
	int error = taskrt_alerts_open(listener);

	if (!error)
		return STATUS_OK;
	if (error == -EPERM && !(initial_namespaces() & TASKRT_INITIAL_NET))
		return error_fail("alerts are delivered only in the initial network namespace");
	if (error == -EPERM)
		return error_fail("not permitted to collect alerts: this needs CAP_NET_ADMIN and CAP_PERFMON, on Linux 5.16 to 6.5 CAP_SYS_ADMIN as well");
	if (error == -EOPNOTSUPP)
		return error_fail("the loaded taskrt module has no alerts, or is too old (this tool is %s)",
				  taskrt_version());
	return error_fail("%s", error_open_text(text, error));
}

/* Threads are armed by their IDs in our PID namespace, but alerts have IDs of the initial one. */
static int check_ids(const struct request *request)
{
	const char *what = arms(request) ? "arming" : "--perfetto";

	if ((!arms(request) && !request->alerts.writer.file_name) ||
	    initial_namespaces() & TASKRT_INITIAL_PID)
		return STATUS_OK;
	return error_fail("%s works only in the initial PID namespace",
			  what);
}

/* No alert comes until a program arms a thread. */
static void warn_if_none_is_armed(void)
{
	struct taskrt_info info;

	if (!get_info(&info) && !info.armed)
		error_warn("no thread is armed yet: with --pid or --tid, taskrt watch arms them");
}

static int arm(struct request *request, const struct workload *workload)
{
	const struct target command = { .id = workload ? workload->pid : 0 };
	struct armed *armed = &request->armed;
	int error = armed_open(armed);
	size_t i;

	if (!error && (workload || names_process(request)))
		error = armed_processes(armed, workload ? &command : &request->process);
	for (i = 0; !error && i < request->nr_threads; i++)
		error = armed_threads(armed, &request->threads[i]);
	return error ? error_fail("%s", armed->error) : STATUS_OK;
}

static int receive(struct request *request, struct taskrt_alerts *listener,
		   const struct workload *workload, int stop_fd)
{
	const struct alerts_query query = {
		.armed = arms(request) ? &request->armed : NULL,
		.workload = workload,
		.stop_fd = stop_fd,
		.count = request->count,
		.seconds_ns = request->seconds_ns,
	};
	int error = alerts_receive(&request->alerts, listener, &query), status = STATUS_OK;

	if (error == -ENODEV)
		status = error_fail("the module was removed");
	else if (error && request->armed.error[0])
		status = error_fail("cannot go on: %s", request->armed.error);
	else if (error)
		status = error_fail("cannot go on: %s", taskrt_alerts_error(listener));
	return alerts_end(&request->alerts, status);
}

/* Starting the command is the last step that may fail before the trace file is truncated. */
static int run_workload(struct request *request, struct workload *workload)
{
	int error = workload_run(workload);

	if (!error)
		return STATUS_OK;
	writer_abandon(&request->alerts.writer);
	error_fail("cannot run '%s': %s", request->argv[0], strerror(error));
	return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

static int begin_trace(struct request *request, struct taskrt_alerts *listener,
		       struct workload *workload, int stop_fd)
{
	struct alerts *alerts = &request->alerts;
	int error = writer_open(&alerts->writer), status;

	if (error)
		return error_write(alerts->writer.failed, error);
	status = workload ? run_workload(request, workload) : STATUS_OK;
	if (status)
		return status;
	error = alerts_begin(alerts);
	if (error && error != -EPIPE)
		return error_write(alerts->writer.failed, error);
	return receive(request, listener, workload, stop_fd);
}

/* SIGPIPE is ignored only here, so that the command inherits its original action. */
static int begin(struct request *request, struct taskrt_alerts *listener, struct workload *workload)
{
	int stop_fd, status = arms(request) ? arm(request, workload) : STATUS_OK;

	if (status)
		return status;
	if (!arms(request))
		warn_if_none_is_armed();
	if (workload)
		error_warn("only the threads of %s itself are watched, not the processes that it starts",
			   request->argv[0]);
	if (arms(request) && !request->limited)
		error_warn("a wait of 10 ms or more raises an alert; --over sets another limit");
	stop_fd = stop_open();
	if (stop_fd < 0)
		return error_fail("cannot make a pipe: %s", strerror(-stop_fd));
	output_keep_pipe();
	return begin_trace(request, listener, workload, stop_fd);
}

static int begin_command(struct request *request, struct taskrt_alerts *listener)
{
	struct workload workload;
	int status, error = workload_start(&workload, request->argv, NULL, 1);

	if (error)
		return error_fail("cannot start a process: %s", strerror(-error));
	status = begin(request, listener, &workload);
	/* It is not reaped yet. */
	if (!status)
		waiting_say_longest(request->armed.asker, workload.pid, request->armed.options.states);
	workload_end(&workload);
	return status;
}

static int watch(int argc, char **argv)
{
	struct request request = { 0 };
	struct taskrt_alerts *listener;
	int status = parse(&request, argc, argv);

	if (!status)
		status = open_alerts(&listener);
	if (!status) {
		status = check_ids(&request);
		if (!status)
			status = request.argv ? begin_command(&request, listener) :
				 begin(&request, listener, NULL);
		armed_close(&request.armed);
		taskrt_alerts_close(listener);
	}
	free(request.threads);
	return status;
}

const struct command watch_command = {
	.name = "watch",
	.run = watch,
	.summary = "print a timeline for every alert of a late thread",
	.help = help,
	.examples = examples,
};
