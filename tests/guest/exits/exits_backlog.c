// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener that does not read for a while loses nothing of 3,000 records with all groups,
 * as long as they come together.  One that is limited to its own user's tasks has half of the
 * room: its losses are counted.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "groups.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define RECORDS		3000
#define THREADS		(RECORDS - 2)	/* and the leader's record, and the process's */

static struct listener wide, own;

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void live(int go, int ready)
{
	pthread_attr_t attr;
	pthread_t thread;
	char byte;
	int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, &attr, wait_for_ever, NULL))
			_exit(1);
	if (write(ready, "r", 1) == 1 && read(go, &byte, 1) == 1)
		_exit(0);	/* all of them */
	_exit(1);
}

static pid_t start(int *go)
{
	int ready[2], wait[2];
	char byte;
	pid_t pid;

	if (pipe(ready) || pipe(wait))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		live(wait[0], ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("no %u threads", THREADS);
	*go = wait[1];
	return pid;
}

/* The last message of each listener may wait, and is not counted yet. */
#define OPEN	16

static uint64_t handled(struct taskrt *handle)
{
	struct taskrt_info info;

	window_info(handle, &info);
	return info.exits_delivered + info.exits_lost;
}

/* Nothing is read, until the module has queued or lost all records of both listeners. */
static void await_all(struct taskrt *handle, uint64_t before)
{
	while (handled(handle) - before < 2 * RECORDS - OPEN && patience_lasts())
		clock_sleep(20 * MS);
}

static void read_all(struct listener *listener)
{
	while (listener->received + listener->lost < RECORDS && patience_lasts())
		listener_wait(listener, 100);
}

int main(void)
{
	struct listener_filter filter = { .groups = EVERY_GROUP };
	struct taskrt *handle = window_open();
	int go, status;
	uint64_t before;

	/* Few passes of the worker, so that its messages are full. */
	module_must_set("exit_delay_ms", "200");
	filter.tgid = start(&go);
	listener_open(&wide, NULL, NULL);
	listener_listen(&wide, &filter);
	filter.own = 1;
	listener_open(&own, NULL, NULL);
	listener_listen(&own, &filter);
	before = handled(handle);
	if (write(go, "g", 1) != 1)
		tap_bail("write");
	waitpid(filter.tgid, &status, 0);
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status), "%u threads end at once", THREADS);
	await_all(handle, before);
	read_all(&wide);
	tap_equal(wide.received, RECORDS, "a listener of all tasks received all records");
	tap_equal(wide.lost, 0, "and lost none");
	read_all(&own);
	tap_equal(own.received + own.lost, RECORDS, "one with OWN knows of all of them");
	tap_at_least(own.lost, 1, "and has less room");
	tap_equal(wide.wrong + own.wrong, 0, "no message breaks a promise");
	listener_close(&wide);
	listener_close(&own);
	taskrt_close(handle);
	module_must_set("exit_delay_ms", "10");
	return tap_done();
}
