// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener's records as they come, until something ends it.
 *
 * When we are asked to end, what has ended by then is still to be told: the
 * module keeps exits back for a moment to send many at once, and what found
 * the socket full waits in its backlog.  So we let that moment pass, ask how
 * many records we are owed, and read until we have them.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "listen/event_loop.h"

#define MS		1000000ULL
#define SECOND		(1000 * MS)

#define BATCH		256	/* records between two looks at everything else */
#define PATIENCE	(2 * SECOND)	/* for what we are owed at the end */
#define DELAY_PATH	"/sys/module/taskrt/parameters/exit_delay_ms"

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* How long the module may keep an exit back, and somewhat more. */
static uint64_t delay_ns(void)
{
	FILE *parameter = fopen(DELAY_PATH, "re");
	unsigned int ms = 10;

	if (parameter) {
		if (fscanf(parameter, "%u", &ms) != 1)
			ms = 10;
		fclose(parameter);
	}
	return (ms + 40) * MS;
}

static uint64_t seen(const struct follow *follow)
{
	return follow->sink->threads + follow->sink->processes + follow->sink->lost;
}

static int counted_out(const struct follow *follow)
{
	return follow->count && follow->sink->threads + follow->sink->processes >= follow->count;
}

/* Return: 1: there may be more; 0: nothing now; a negative errno. */
static int read_batch(struct follow *follow)
{
	struct taskrt_exit exit;
	int i, more = 1;

	for (i = 0; i < BATCH && more > 0 && !counted_out(follow); i++) {
		more = taskrt_exits_next(follow->exits, 0, &exit, sizeof(exit));
		if (more == -EBADMSG) {
			error_warn("a message of the module made no sense, and was skipped");
			more = 1;
		} else if (more > 0) {
			follow->write_error = sink_take(follow->sink, &exit);
			if (follow->write_error)
				return 0;
		}
	}
	follow->write_error = sink_flush(follow->sink);
	return more;
}

/* What is owed is asked once, after the delay: those that end later are not waited for. */
static int drained(struct follow *follow)
{
	struct taskrt_exits_status status;
	uint64_t waited = follow->now_ns - follow->stopped_ns;

	if (waited < delay_ns())
		return 0;
	if (!follow->owed) {
		if (taskrt_exits_get_status(follow->exits, &status, sizeof(status)))
			return 1;
		follow->owed = status.sequence;
	}
	return seen(follow) >= follow->owed || waited >= PATIENCE;
}

static int timeout_ms(const struct follow *follow, int more)
{
	uint64_t left;

	if (more)
		return 0;
	if (follow->stopped_ns)
		return 10;
	if (!follow->seconds_ns)
		return -1;
	left = follow->began_ns + follow->seconds_ns;
	left = left > follow->now_ns ? left - follow->now_ns : 0;
	/* Rounded up, or the last millisecond would be a busy one. */
	return left > 1000 * SECOND ? 1000000 : (int)((left + MS - 1) / MS);
}

static void wait_for_more(struct follow *follow, int more)
{
	struct pollfd fds[] = {
		{ .fd = taskrt_exits_fd(follow->exits), .events = POLLIN },
		/* Once heard, it says nothing new. */
		{ .fd = follow->stopped_ns ? -1 : follow->stop_fd, .events = POLLIN },
		/* Asks for nothing, so it answers only that nobody reads any more. */
		{ .fd = sink_prints(follow->sink) ? STDOUT_FILENO : -1 },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms(follow, more));
	follow->now_ns = clock_ns();
	if (fds[1].revents ||
	    (follow->seconds_ns && follow->now_ns - follow->began_ns >= follow->seconds_ns)) {
		if (!follow->stopped_ns)
			follow->stopped_ns = follow->now_ns;
	}
	if (fds[2].revents & (POLLERR | POLLHUP))
		follow->write_error = -EPIPE;
}

int follow_run(struct follow *follow)
{
	follow->began_ns = follow->now_ns = clock_ns();
	for (;;) {
		int more = read_batch(follow);

		if (follow->write_error || counted_out(follow))
			return 0;
		if (more < 0)
			return more;
		if (follow->stopped_ns && drained(follow))
			return 0;
		wait_for_more(follow, more);
		if (follow->write_error)
			return 0;
	}
}
