// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line about a plain window, which does not begin when it was due, names the task that
 * has ended its longest wait.  Both run on one CPU, so that no interrupt comes in between.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

#define CPU	0
#define LONG	(30 * MS)

static int bell[2];
static struct thread worker, waker;
static struct taskrt_explanation e;
static char line[1000];

static void work(void *unused)
{
	static struct taskrt_window w;
	struct taskrt_self *self;

	(void)unused;
	thread_pin(CPU);
	self = self_open();
	if (taskrt_window_begin(&w, self))
		tap_bail("a window");
	token_await(bell[0]);
	if (taskrt_window_end(&w) || taskrt_window_explain(&w, &e, sizeof(e)))
		tap_bail("no explanation");
	taskrt_explanation_format(&e, sizeof(e), 0, line, sizeof(line));
	taskrt_self_close(self);
}

static void wake(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	prctl(PR_SET_NAME, "the waker");
	thread_await(worker.tid, "S");
	clock_sleep(LONG);
	token_pass(bell[1]);
}

/* The wait is the largest cause: a busy host may make it another. */
static int has_waited(void)
{
	return e.state == TASKRT_STATE_SLEEPING_FILE && e.longest.ns >= LONG;
}

static void one_window(void)
{
	memset(&e, 0, sizeof(e));
	thread_start(&worker, work, NULL);
	thread_start(&waker, wake, NULL);
	thread_join(&waker);
	thread_join(&worker);
}

int main(void)
{
	char end[64];

	if (pipe(bell))
		tap_bail("pipe");
	do
		one_window();
	while (!(has_waited() && e.waker_kind == TASKRT_WAKER_TASK) && patience_lasts());
	tap_ok(has_waited(), "its longest wait is the largest cause");
	tap_equal(e.waker_kind, TASKRT_WAKER_TASK, "a task has woken it");
	tap_equal(e.waker_tid, waker.tid, "the one that did");
	tap_equal(e.woken_ns, e.longest.at_ns + e.longest.ns, "at the end of that wait");
	snprintf(end, sizeof(end), "; woken by the waker (%d)", waker.tid);
	tap_ok(strlen(line) > strlen(end) && !strcmp(line + strlen(line) - strlen(end), end),
	       "the line ends with its name");
	tap_diag("%s", line);
	return tap_done();
}
