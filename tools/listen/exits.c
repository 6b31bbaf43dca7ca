// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exits, from a listener or from a file: printed, written into a file, and counted.
 *
 * When the loop is asked to end, some exits have not arrived: the module delays exits to send many
 * at once, and its backlog has records for which the socket had no room.  So the loop waits for the
 * delay, reads the listener's sequence number, and then reads all records before it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/reading_json.h"
#include "common/text.h"
#include "common/units.h"
#include "listen/listen.h"

#define PATIENCE	(2 * CLOCK_SECOND)	/* at the end, since the last record */
#define DELAY_PATH	"/sys/module/taskrt/parameters/exit_delay_ms"

static int begin_file(struct exits *exits)
{
	int error = writer_begin(&exits->writer);

	if (error || !exits->writer.file_name)
		return error;
	return writer_file_error(&exits->writer,
				 taskrt_file_create(&exits->file, exits->writer.fd));
}

int exits_begin(struct exits *exits)
{
	int error = begin_file(exits);

	if (!error && exits->writer.form == WRITER_TEXT)
		line_head(stdout);
	return error ? error : exits_flush(exits);
}

static int print(struct exits *exits, const struct taskrt_exit *exit)
{
	struct json json = { .out = stdout };

	errno = 0;
	if (exits->writer.form == WRITER_TEXT)
		line_print(stdout, exit);
	else if (exits->writer.form == WRITER_JSON)
		json_exit(&json, exit);
	return writer_check(&exits->writer);
}

int exits_write(struct exits *exits, const struct taskrt_exit *exit)
{
	uint32_t kind = exit->type == TASKRT_EXIT_THREAD ? TASKRT_ENTITIES_THREADS :
			exit->type == TASKRT_EXIT_PROCESS ? TASKRT_ENTITIES_PROCESSES : 0;
	int error = 0;

	/* A later library knows more types. */
	if (!kind && exit->type != TASKRT_EXIT_LOST)
		return 0;
	if (kind && exits->entities && !(exits->entities & kind))
		return 0;
	if (kind && exits->only.count &&
	    !target_has(&exits->only, (pid_t)exit->reading.stats.tgid))
		return 0;
	exits->threads += kind == TASKRT_ENTITIES_THREADS;
	exits->processes += kind == TASKRT_ENTITIES_PROCESSES;
	if (exit->type == TASKRT_EXIT_LOST)
		exits->lost += exit->lost_now;
	if (exits->file)
		error = writer_file_error(&exits->writer,
					  taskrt_file_write(exits->file, exit, sizeof(*exit)));
	return error ? error : print(exits, exit);
}

int exits_flush(struct exits *exits)
{
	int error = exits->file ? taskrt_file_flush(exits->file) : 0;

	return error ? writer_file_error(&exits->writer, error) : writer_flush(&exits->writer);
}

int exits_end(struct exits *exits, int error, int status)
{
	int closed = exits->file ? taskrt_file_close(exits->file) : 0;
	char counts[128];

	exits->file = NULL;
	if (!error)
		error = writer_file_error(&exits->writer, closed);
	snprintf(counts, sizeof(counts),
		 "%" PRIu64 " thread%s, %" PRIu64 " process%s, %" PRIu64 " lost", exits->threads,
		 units_plural(exits->threads, "s"), exits->processes,
		 units_plural(exits->processes, "es"), exits->lost);
	return writer_end(&exits->writer, error, status, counts);
}

static struct exits *exits_of(struct event_loop *loop)
{
	return event_loop_owner(loop, struct exits, loop);
}

static int loop_read(struct event_loop *loop)
{
	struct exits *exits = exits_of(loop);
	struct taskrt_exit exit;
	int more = taskrt_exits_next(exits->listener, 0, &exit, sizeof(exit));

	if (more > 0) {
		loop->write_error = exits_write(exits, &exit);
		exits->received = exit.seq + (exit.type == TASKRT_EXIT_LOST ? exit.lost_now : 1);
	}
	loop->read_count = exits->threads + exits->processes;
	return more;
}

static int loop_flush(struct event_loop *loop)
{
	return exits_flush(exits_of(loop));
}

/* The longest delay of an exit in the module, and somewhat more. */
static uint64_t delay_ns(void)
{
	unsigned int ms = 10;
	char line[32];

	text_read_line(line, sizeof(line), DELAY_PATH);
	if (sscanf(line, "%u", &ms) != 1)
		ms = 10;
	return (ms + 40) * CLOCK_MS;
}

/* Return: 1: no record has come for so long that no more is expected. */
static int patience_is_over(const struct event_loop *loop)
{
	return !loop->more && loop->now_ns - loop->stopped_ns >= PATIENCE &&
	       loop->now_ns - loop->received_ns >= PATIENCE;
}

/* The sequence number is read once, after the delay: later exits are not waited for. */
static int loop_drained(struct event_loop *loop)
{
	struct exits *exits = exits_of(loop);
	struct taskrt_exits_status status;

	if (loop->now_ns - loop->stopped_ns < delay_ns())
		return 0;
	if (!exits->sequence) {
		if (taskrt_exits_get_status(exits->listener, &status, sizeof(status)))
			return 1;
		exits->sequence = status.sequence;
	}
	if (exits->received >= exits->sequence)
		return 1;
	if (!patience_is_over(loop))
		return 0;
	exits->unread = exits->sequence - exits->received;
	return 1;
}

int exits_receive(struct exits *exits, struct taskrt_exits *listener, int stop_fd, uint64_t count,
		  uint64_t seconds_ns, int *write_error)
{
	static const struct event_loop_ops ops = {
		.read = loop_read,
		.flush = loop_flush,
		.drained = loop_drained,
	};
	int error;

	exits->listener = listener;
	exits->loop = (struct event_loop){
		.ops = &ops,
		.writer = &exits->writer,
		.fd = taskrt_exits_fd(listener),
		.stop_fd = stop_fd,
		.command_fd = -1,
		.count = count,
		.seconds_ns = seconds_ns,
	};
	error = event_loop_run(&exits->loop);
	*write_error = exits->loop.write_error;
	return error;
}
