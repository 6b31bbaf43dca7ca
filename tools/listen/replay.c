// SPDX-License-Identifier: GPL-2.0-only
/* taskrt replay: prints a file that taskrt listen has written. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"
#include "common/output.h"
#include "listen/listen.h"

static const char help[] =
	"Usage: taskrt replay [OPTION]... FILE\n"
	"\n"
	"Print what 'taskrt listen --write FILE' has written, in the form of 'taskrt listen'.\n"
	"- is standard input.\n"
	"\n"
	"  -T, --threads      only threads\n"
	"  -P, --processes    only processes\n"
	"  -j, --json         print one JSON object per line\n"
	"  -h, --help         print this help\n";

static const char examples[] =
	"  taskrt replay exits                   the records of 'taskrt listen --write exits'\n"
	"  taskrt replay --json exits | jq .cpu_time_ns\n";

struct request {
	const char *file;
	uint32_t entities;
	int json;
};

static int take(void *arg, int letter)
{
	struct request *request = arg;

	request->entities |= letter == 'T' ? TASKRT_ENTITIES_THREADS :
				       TASKRT_ENTITIES_PROCESSES;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option own[] = {
		{ "threads", no_argument, NULL, 'T' },
		{ "processes", no_argument, NULL, 'P' },
		{ 0 },
	};
	const struct arg_options options = { own, take, request, &request->json, 0, NULL };
	int status = arg_take_options(&options, argc, argv);

	if (status)
		return status;
	if (optind == argc)
		return error_usage("a file to read is missing");
	if (optind + 1 < argc)
		return error_usage("extra argument '%s'", argv[optind + 1]);
	request->file = argv[optind];
	return 0;
}

/* If listen writes into a pipe, the reader must not wait for the next record. */
static int flush_if_it_pauses(struct exits *exits, int fd)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };

	return poll(&input, 1, 0) ? 0 : exits_flush(exits);
}

static int copy(const char *name, struct taskrt_file *file, int fd, struct exits *exits)
{
	struct taskrt_exit exit;
	int more = 0, status = STATUS_OK, error = exits_begin(exits);

	while (!error && (more = taskrt_file_next(file, &exit, sizeof(exit))) > 0) {
		error = exits_write(exits, &exit);
		if (!error)
			error = flush_if_it_pauses(exits, fd);
	}
	/* Print what was readable first, then the error. */
	if (!error)
		error = exits_flush(exits);
	if (!error && more == -EBADMSG)
		status = error_fail("'%s' is damaged or cut off here", name);
	else if (!error && more < 0)
		status = error_fail("cannot read '%s': %s", name, strerror(-more));
	return exits_end(exits, error, status);
}

static int cannot_open(const char *name, int error)
{
	if (error == -EBADMSG)
		return error_fail("'%s' was not written by taskrt listen", name);
	if (error == -EPROTO)
		return error_fail("'%s' was written by a newer release, or on a machine of another byte order",
				  name);
	return error_fail("cannot read '%s': %s", name, strerror(-error));
}

static int replay_from(const struct request *request, const char *name, int fd)
{
	struct exits exits = {
		.writer.form = request->json ? WRITER_JSON : WRITER_TEXT,
		.entities = request->entities,
	};
	struct taskrt_file *file;
	int status, error = taskrt_file_open(&file, fd);

	if (error)
		return cannot_open(name, error);
	status = copy(name, file, fd, &exits);
	taskrt_file_close(file);
	return status;
}

static int replay(int argc, char **argv)
{
	struct request request = { 0 };
	int fd = STDIN_FILENO, status = parse(&request, argc, argv);

	if (status)
		return status;
	output_keep_pipe();
	if (!strcmp(request.file, "-"))
		return replay_from(&request, "standard input", fd);
	fd = open(request.file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cannot_open(request.file, -errno);
	status = replay_from(&request, request.file, fd);
	close(fd);
	return status;
}

const struct command replay_command = {
	.name = "replay",
	.run = replay,
	.summary = "print a file that listen has written",
	.help = help,
	.examples = examples,
};
