// SPDX-License-Identifier: GPL-2.0-only
/*
 * A libtaskrt without a module: the command's output can be compared, byte by byte, with
 * what the library returned.  $FAKE names what goes wrong:
 *
 *   absent, proto, sandbox, full  taskrt_open() fails for this reason
 *   off                     accounting is switched off
 *   gone                    the module is unloaded after open
 *   eintr                   every list is interrupted
 *   eintr-once              only the first list is interrupted
 *   v1                      a module that knows version 1 only
 *   nolock                  a kernel without lock hooks
 *   rt                      a kernel with PREEMPT_RT, and the hook with the longest name
 *   nochildren              a kernel where the children's totals are not measured
 *   broken                  every problem that diagnose knows
 *   interrupt               the interrupt key is pressed as soon as a command is forked
 *   late                    ended, there before it was tracked, coarse, a name full of control
 *                           characters
 *   new                     a module that measures what no library knows of, and cycles
 *   cycles                  a module that counts cycles
 *   every                   a module that measures everything that the library has a name for
 *   unobserved              nobody listens, and no thread is armed
 *   observed-later          so it is when INFO is requested first
 *   unmapped                /dev/taskrt may not be opened
 *   container               the uid is one of a container
 *   uptime                  the machine has run for a hundred days
 *   other-clock             a time namespace whose CLOCK_MONOTONIC is a million seconds behind
 *   pending                 children are not all added yet, and some had ended before
 *
 * The tasks are in fake_tasks.c, what is read of one in fake_reading.c, exits in
 * fake_exits.c, alerts in fake_alerts.c, INFO in fake_info.c, and many threads, if $FAKE_TOP
 * says so, in fake_top.c.  $FAKE_ENABLED, see fake_bench.c, is the file of the module's
 * parameter.
 *
 * $FAKE_SIGNALS, such as "HUP TERM", are sent to the command one after the other: when it
 * has received all exits, and again when it asks for more; now and then in a flood; and at
 * each look of top from the third on.
 *
 * $FAKE_SOCKET names a file that is opened as the socket would be, $FAKE_ASKED one into
 * which each request is written, with its groups.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"
#include "fake_top.h"

int fake(const char *what)
{
	const char *chosen = getenv("FAKE");

	return chosen && !strcmp(chosen, what);
}

static void interrupt(void)
{
	raise(SIGINT);
}

int taskrt_open(struct taskrt **handle)
{
	*handle = NULL;
	if (fake("interrupt"))
		pthread_atfork(NULL, NULL, interrupt);
	if (fake("absent") || fake_top_absent())
		return -ENOENT;
	if (fake("proto"))
		return -EPROTO;
	if (fake("sandbox"))
		return -EAFNOSUPPORT;
	if (fake("full"))
		return -EMFILE;
	*handle = calloc(1, sizeof(**handle));
	if (!*handle)
		return -ENOMEM;
	/* It takes the lowest free descriptor, and what is written into it by mistake stays. */
	(*handle)->socket = open(getenv("FAKE_SOCKET") ?: "/dev/null", O_RDWR | O_CLOEXEC);
	return 0;
}

void taskrt_close(struct taskrt *handle)
{
	if (handle)
		close(handle->socket);
	free(handle);
}

const char *taskrt_error(const struct taskrt *handle)
{
	return handle->error == -ERANGE ? "the kernel's own words" : strerror(-handle->error);
}

int fake_answer(struct taskrt *handle, int error)
{
	handle->error = error;
	return error;
}

/* Sends the next of $FAKE_SIGNALS, at a moment that depends only on what the command does. */
void fake_signal(void)
{
	static const struct { const char *name; int number; } signals[] = {
		{ "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP },
	};
	static size_t used;
	const char *names = getenv("FAKE_SIGNALS");
	size_t i, length;

	if (!names || used >= strlen(names))
		return;
	length = strcspn(names + used, " ");
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (length == strlen(signals[i].name) &&
		    !strncmp(names + used, signals[i].name, length))
			raise(signals[i].number);
	used += length + 1;
}

void fake_asked(const char *what, uint32_t groups)
{
	const char *name = getenv("FAKE_ASKED");
	FILE *file = name ? fopen(name, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "%s%s%s%s\n", what, groups & TASKRT_GROUP_TIMES ? " times" : "",
		groups & TASKRT_GROUP_COUNTS ? " counts" : "",
		groups & TASKRT_GROUP_LONGEST ? " longest" : "");
	if (groups & ~FAKE_GROUPS)
		fprintf(file, "%s and what there is not\n", what);
	fclose(file);
}
