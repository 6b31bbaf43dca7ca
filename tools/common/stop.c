// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals that end the command, as a descriptor to poll: the handler writes into
 * a pipe, so that no signal is missed between a check and the poll.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "common/stop.h"

static int wake;
static struct timespec first;

/* timeout(1), for one, sends two at once: they count as one. */
static void on_signal(int number)
{
	struct timespec now;
	int error = errno;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!first.tv_sec)
		first = now;
	if (now.tv_sec - first.tv_sec >= 2) {
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
