// SPDX-License-Identifier: GPL-2.0-only
/* Where exits go: lines on standard output, a file, or both; and their counts. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "common/reading_json.h"
#include "listen/line.h"
#include "listen/writer.h"

static const char standard_output[] = "standard output";

static int blame(struct sink *sink, const char *name, int error)
{
	if (error)
		sink->blame = name;
	return error;
}

static int begin_file(struct sink *sink, const char *name)
{
	int to_stdout = !strcmp(name, "-");

	sink->file_name = to_stdout ? standard_output : name;
	sink->file_fd = to_stdout ? STDOUT_FILENO :
			open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (sink->file_fd < 0)
		return -errno;
	return taskrt_file_create(&sink->file, sink->file_fd);
}

int sink_begin(struct sink *sink, const char *file_name)
{
	int error = 0;

	if (file_name)
		error = begin_file(sink, file_name);
	blame(sink, sink->file_name, error);
	if (!error && sink->form == SINK_LINES)
		line_head(stdout);
	return error ? error : sink_flush(sink);
}

/* Whatever failed last was the write: stdio does not keep its reason. */
static int print_error(void)
{
	if (!ferror(stdout))
		return 0;
	return errno ? -errno : -EIO;
}

static int print(struct sink *sink, const struct taskrt_exit *exit)
{
	errno = 0;
	if (sink->form == SINK_LINES)
		line_print(stdout, exit);
	else if (sink->form == SINK_JSON)
		json_print(stdout, json_exit(exit), JSON_ON_A_LINE);
	return blame(sink, standard_output, print_error());
}

int sink_take(struct sink *sink, const struct taskrt_exit *exit)
{
	uint32_t kind = exit->type == TASKRT_EXIT_THREAD ? TASKRT_ENTITIES_THREADS :
			exit->type == TASKRT_EXIT_PROCESS ? TASKRT_ENTITIES_PROCESSES : 0;
	int error = 0;

	if (kind && sink->entities && !(sink->entities & kind))
		return 0;
	sink->threads += kind == TASKRT_ENTITIES_THREADS;
	sink->processes += kind == TASKRT_ENTITIES_PROCESSES;
	if (exit->type == TASKRT_EXIT_LOST)
		sink->lost += exit->lost_now;
	if (sink->file)
		error = blame(sink, sink->file_name,
			      taskrt_file_write(sink->file, exit, sizeof(*exit)));
	return error ? error : print(sink, exit);
}

int sink_flush(struct sink *sink)
{
	int error = sink->file ? taskrt_file_flush(sink->file) : 0;

	if (error || sink->form == SINK_SILENT)
		return blame(sink, sink->file_name, error);
	errno = 0;
	if (fflush(stdout))
		error = errno ? -errno : -EIO;
	else
		error = print_error();
	return blame(sink, standard_output, error);
}

int sink_prints(const struct sink *sink)
{
	return sink->form != SINK_SILENT || sink->file_fd == STDOUT_FILENO;
}

static int close_file(struct sink *sink)
{
	int error = taskrt_file_close(sink->file);

	sink->file = NULL;
	if (sink->file_fd > STDERR_FILENO && close(sink->file_fd) && !error)
		error = -errno;
	return blame(sink, sink->file_name, error);
}

int sink_end(struct sink *sink, int error, int status)
{
	int closed = sink->file ? close_file(sink) : 0;

	if (!error)
		error = closed;
	if (error == -EPIPE)
		return status;
	error_warn("%" PRIu64 " threads, %" PRIu64 " processes, %" PRIu64 " lost", sink->threads,
		   sink->processes, sink->lost);
	if (!error)
		return status;
	return error_fail("cannot write to %s: %s", sink->blame, strerror(-error));
}
