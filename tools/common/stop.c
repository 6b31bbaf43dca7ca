// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals that end the command, as a descriptor to poll: the handler writes into
 * a pipe, so that no signal is missed between a check and the poll.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/stop.h"

#define PATIENCE	(2 * CLOCK_SECOND)

static int wake;
static uint64_t first_ns;

/* timeout(1), for one, sends two at once: they count as one. */
static void on_signal(int number)
{
	uint64_t now_ns = clock_now_ns();
	int error = errno;

	if (!first_ns)
		first_ns = now_ns;
	/* Not a difference: another signal may have come first after we looked at the clock. */
	if (now_ns >= first_ns + PATIENCE) {
		signal(number, SIG_DFL);
		raise(number);
	}
	/* A full pipe is readable, which is enough. */
	(void)!write(wake, "", 1);
	errno = error;
}

static void catch_signal(int number)
{
	/* Restarting, because a record half printed shall be printed to its end. */
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(number, &action, NULL);
}

int stop_open(void)
{
	struct sigaction hangup;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	wake = ends[1];
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		catch_signal(SIGHUP);
	return ends[0];
}
