// SPDX-License-Identifier: GPL-2.0-only
/*
 * A loop that reads records of the module until something ends it.
 *
 * The module delays records for a moment, to send many at once.  So a loop that was asked to end
 * continues to read until it has every record that existed by then.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/event_loop.h"

#define BATCH		256	/* records between two checks of everything else */
#define DRAIN_MS	10	/* between two checks whether all was read */

static int counted_out(const struct event_loop *loop)
{
	return loop->count && loop->read_count >= loop->count;
}

/* Return: 1: there may be more; 0: nothing now; a negative errno. */
static int read_batch(struct event_loop *loop)
{
	int i, more = 1, received = 0;

	for (i = 0; i < BATCH && more > 0 && !counted_out(loop); i++) {
		more = loop->ops->read(loop);
		if (loop->write_error)
			return 0;
		received |= more > 0;
		if (more == -EBADMSG) {
			error_warn("skipped a malformed message from the module");
			more = 1;
		}
	}
	if (loop->ops->flush)
		loop->write_error = loop->ops->flush(loop);
	/* Writing may have taken any time, in which nothing was read. */
	if (received)
		loop->received_ns = loop->now_ns = clock_now_ns();
	return more == -EINTR ? 1 : more;
}

static void stop(struct event_loop *loop)
{
	if (!loop->stopped_ns)
		loop->stopped_ns = loop->now_ns;
}

static int refresh_if_due(struct event_loop *loop)
{
	int more;

	if (!loop->refresh_ns || loop->stopped_ns ||
	    loop->now_ns - loop->refreshed_ns < loop->refresh_ns)
		return 0;
	loop->refreshed_ns = loop->now_ns;
	more = loop->ops->refresh(loop);
	if (!more)
		stop(loop);
	return more < 0 ? more : 0;
}

static int timeout_ms(const struct event_loop *loop)
{
	int wait = -1, limit;

	if (loop->more)
		return 0;
	if (loop->stopped_ns)
		return DRAIN_MS;
	if (loop->refresh_ns)
		wait = clock_ms_until(loop->refreshed_ns + loop->refresh_ns, loop->now_ns);
	if (loop->seconds_ns) {
		limit = clock_ms_until(loop->began_ns + loop->seconds_ns, loop->now_ns);
		wait = wait < 0 || limit < wait ? limit : wait;
	}
	return wait;
}

static void wait_for_more(struct event_loop *loop)
{
	struct pollfd fds[] = {
		{ .fd = loop->fd, .events = POLLIN },
		/* Once readable, these say nothing new. */
		{ .fd = loop->stopped_ns ? -1 : loop->stop_fd, .events = POLLIN },
		{ .fd = loop->stopped_ns ? -1 : loop->command_fd, .events = POLLIN },
		/* Without requested events, poll() only reports that the reader has gone away. */
		{ .fd = writer_prints(loop->writer) ? STDOUT_FILENO : -1 },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms(loop));
	loop->now_ns = clock_now_ns();
	if (fds[1].revents || fds[2].revents ||
	    (loop->seconds_ns && loop->now_ns - loop->began_ns >= loop->seconds_ns))
		stop(loop);
	if (fds[3].revents & (POLLERR | POLLHUP))
		loop->write_error = -EPIPE;
}

int event_loop_run(struct event_loop *loop)
{
	loop->began_ns = loop->refreshed_ns = loop->now_ns = clock_now_ns();
	for (;;) {
		int error;

		loop->more = read_batch(loop);
		if (loop->write_error || counted_out(loop))
			return 0;
		if (loop->more < 0)
			return loop->more;
		if (loop->stopped_ns && loop->ops->drained(loop))
			return 0;
		error = refresh_if_due(loop);
		if (error)
			return error;
		wait_for_more(loop);
		if (loop->write_error)
			return 0;
	}
}
