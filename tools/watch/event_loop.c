// SPDX-License-Identifier: GPL-2.0-only
/*
 * Alerts as they come, until something ends it.
 *
 * An alert is told a moment after it was raised.  So when we are asked to end, we
 * listen on for that moment.
 */
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "watch/event_loop.h"

#define MS		1000000ULL
#define SECOND		(1000 * MS)

#define BATCH		64		/* alerts between two looks at everything else */
#define MOMENT		(100 * MS)	/* until an alert is told */
#define INTERVAL	(250 * MS)	/* from one look for new threads to the next */

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static int counted_out(const struct collect *collect)
{
	return collect->count && collect->outlet->told >= collect->count;
}

static void take(struct collect *collect, const struct record *record)
{
	/* Whose they were is not known. */
	collect->outlet->missed += record->alert.gap;
	if (!collect->armed || armed_is(collect->armed, &record->alert))
		collect->write_error = outlet_take(collect->outlet, record);
}

/* Return: 1: there may be more; 0: nothing now; a negative errno. */
static int read_batch(struct collect *collect)
{
	int i, more = 1;

	for (i = 0; i < BATCH && more > 0; i++) {
		if (collect->write_error || counted_out(collect))
			return 0;
		more = record_next(&collect->record, collect->alerts);
		if (more == -EBADMSG) {
			error_warn("a message of the module made no sense, and was skipped");
			more = 1;
		} else if (more > 0) {
			take(collect, &collect->record);
		}
	}
	return more == -EINTR ? 1 : more;
}

static void stop(struct collect *collect)
{
	if (!collect->stopped_ns)
		collect->stopped_ns = collect->now_ns;
}

/* New threads are armed; where none is left, nothing more comes. */
static int look_at_threads(struct collect *collect)
{
	int left;

	if (!collect->armed || collect->stopped_ns ||
	    collect->now_ns - collect->looked_ns < INTERVAL)
		return 0;
	collect->looked_ns = collect->now_ns;
	left = armed_refresh(collect->armed);
	if (!left)
		stop(collect);
	return left < 0 ? left : 0;
}

static uint64_t left(uint64_t since, uint64_t length, uint64_t now)
{
	return since + length > now ? since + length - now : 0;
}

static int timeout_ms(const struct collect *collect, int more)
{
	uint64_t wait = UINT64_MAX, now = collect->now_ns, limit;

	if (more)
		return 0;
	if (collect->stopped_ns)
		wait = left(collect->stopped_ns, MOMENT, now);
	else if (collect->armed)
		wait = left(collect->looked_ns, INTERVAL, now);
	if (collect->seconds_ns && !collect->stopped_ns) {
		limit = left(collect->began_ns, collect->seconds_ns, now);
		wait = limit < wait ? limit : wait;
	}
	if (wait == UINT64_MAX)
		return -1;
	/* Rounded up, or the last millisecond would be a busy one. */
	return wait > 1000 * SECOND ? 1000000 : (int)((wait + MS - 1) / MS);
}

static void wait_for_more(struct collect *collect, int more)
{
	struct pollfd fds[] = {
		{ .fd = taskrt_alerts_fd(collect->alerts), .events = POLLIN },
		/* Once heard, they say nothing new. */
		{ .fd = collect->stopped_ns ? -1 : collect->stop_fd, .events = POLLIN },
		{ .fd = collect->stopped_ns || !collect->gate ? -1 : collect->gate->fd,
		  .events = POLLIN },
		/* Asks for nothing, so it answers only that nobody reads any more. */
		{ .fd = outlet_prints(collect->outlet) ? STDOUT_FILENO : -1 },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms(collect, more));
	collect->now_ns = clock_ns();
	if (collect->gate)
		gate_reap(collect->gate);
	if (fds[1].revents || fds[2].revents ||
	    (collect->seconds_ns && collect->now_ns - collect->began_ns >= collect->seconds_ns))
		stop(collect);
	if (fds[3].revents & (POLLERR | POLLHUP))
		collect->write_error = -EPIPE;
}

static int run(struct collect *collect)
{
	collect->began_ns = collect->looked_ns = collect->now_ns = clock_ns();
	for (;;) {
		int more = read_batch(collect), error;

		if (collect->write_error || counted_out(collect))
			return 0;
		if (more < 0)
			return more;
		if (collect->stopped_ns && !left(collect->stopped_ns, MOMENT, collect->now_ns))
			return 0;
		error = look_at_threads(collect);
		if (error)
			return error;
		wait_for_more(collect, more);
		if (collect->write_error)
			return 0;
	}
}

int collect_run(struct collect *collect)
{
	int error = run(collect);

	record_free(&collect->record);
	return error;
}
