// SPDX-License-Identifier: GPL-2.0-only
/* taskrt run: like time(1), but with reasons. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/output.h"
#include "common/reading_json.h"
#include "report/report.h"
#include "run/run.h"

static const char help[] =
	"Usage: taskrt run [--json] [--output FILE] [--] COMMAND [ARGUMENT]...\n"
	"\n"
	"Run COMMAND.  When it has ended, print on standard error where its time went.\n"
	"\n"
	"  -o, --output FILE  print the report to FILE instead; - is standard output\n"
	"  -j, --json         print one JSON document; a value that was not measured is null\n"
	"  -h, --help         print this help\n"
	"\n"
	"The report includes the sum of the descendants that have ended by then.  taskrt becomes\n"
	"the parent of descendants whose own parent ends before them.  Children that a parent does\n"
	"not wait for, because it ignores SIGCHLD, are not counted.\n"
	"\n"
	"Exit status: the status of COMMAND, or 128 + N if signal N ended it; 127 if COMMAND was\n"
	"not found, 126 if it could not be run, 125 if taskrt itself failed, 2 if the command line\n"
	"is wrong.\n";

static const char examples[] =
	"  taskrt run make                       where the time of a build went\n"
	"  taskrt run -o report -- ls -l         the report goes to a file\n"
	"  taskrt run -j -o report make && jq .children.cpu_time_ns report\n";

struct request {
	const char *output;
	int json;
	char **argv;
};

static int take(void *arg, int letter)
{
	struct request *request = arg;

	(void)letter;	/* -o is the only one */
	request->output = optarg;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "output", required_argument, NULL, 'o' },
		{ 0 },
	};
	/* The arguments after COMMAND are its own. */
	const struct arg_options options = { own, take, request, &request->json, 1, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind == argc)
		return error_usage("a command to run is missing");
	request->argv = argv + optind;
	return 0;
}

/* Check that the module answers before the command runs. */
static int check_module(struct taskrt *handle)
{
	struct taskrt_reading reading;
	char text[ERROR_MAX];
	int error = taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, 0, &reading, sizeof(reading));

	if (!error)
		return 0;
	error_fail("%s", error_query_text(text, handle, error, ERROR_SELF, 0));
	return STATUS_RUN_FAILED;
}

/* With one write: standard error is not buffered, and the command's descendants may write to it. */
static int print_json(const struct child *child, FILE *out)
{
	size_t size = 0;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return -1;
	outcome_print_json(memory, child);
	if (fclose(memory))
		return -1;
	fwrite(text, 1, size, out);
	free(text);
	return 0;
}

static int print(const struct child *child, int json, FILE *out)
{
	errno = 0;
	if (json && print_json(child, out))
		return errno ? -errno : -ENOMEM;
	if (!json)
		outcome_print(out, child);
	return !fflush(out) && !ferror(out) ? 0 : errno ? -errno : -EIO;
}

/* If the reader of the report has gone away, the status of the command is still returned. */
static int report(const struct request *request, const struct child *child, struct writer *writer)
{
	int error = writer_begin(writer);
	FILE *out = stderr;

	if (!error && writer->file_name) {
		out = fdopen(writer->fd, "w");
		error = out ? 0 : -errno;
	}
	/* Not earlier, because the command inherits the original action. */
	output_keep_pipe();
	if (!error)
		error = print(child, request->json, out);
	if (out && out != stderr && fclose(out) && !error)
		error = -errno;
	if (!error || error == -EPIPE)
		return child_status(child);
	writer_file_error(writer, error);
	if (writer->file_name)
		error_write(writer->failed, error);
	return STATUS_RUN_FAILED;
}

static int run_and_report(const struct request *request, struct taskrt *handle,
			  struct writer *writer)
{
	struct child child = {
		.argv = request->argv,
		.process_groups = request->json ? READING_JSON_GROUPS : REPORT_GROUPS,
		.thread_groups = request->json ? READING_JSON_GROUPS : REPORT_STATES_GROUPS,
	};
	int error = child_run(&child, handle);

	if (!error)
		return report(request, &child, writer);
	writer_abandon(writer);
	if (error < 0) {
		error_fail("cannot start a process: %s", strerror(-error));
		return STATUS_RUN_FAILED;
	}
	error_fail("cannot run '%s': %s", child.argv[0], strerror(error));
	return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

static int run_into(const struct request *request, struct taskrt *handle)
{
	struct writer writer = { .file_name = request->output };
	int error = writer_open(&writer);

	if (error) {
		error_write(writer.failed, error);
		return STATUS_RUN_FAILED;
	}
	return run_and_report(request, handle, &writer);
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	char text[ERROR_MAX];
	struct taskrt *handle;
	int error, status = parse(&request, argc, argv);

	if (status)
		return status;
	error_set_status(STATUS_RUN_FAILED);
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
	.summary = "run a command, and show where its time went",
	.help = help,
	.examples = examples,
};
