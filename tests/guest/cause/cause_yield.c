// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that gives its CPU away by sched_yield() is in a state of its own: no other
 * thread has taken the CPU from it.  One that computes beside the same other thread is preempted.
 */
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>

#include <taskrt_self.h>

#include "clock.h"
#include "patience.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define CPU	0
#define D	(50 * MS)
#define YIELDED	TASKRT_STATE_YIELDED

static sem_t go;
static _Atomic int over;

/* With the same real-time priority as the thread that wakes it, which it cannot preempt. */
static void burn_once(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	thread_fifo(10);
	sem_wait(&go);
	clock_burn(D);
}

static void yield_once(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	thread_fifo(10);
	sem_post(&go);
	sched_yield();
	thread_other();
}

static void burn_beside(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	while (!over)
		;
}

static unsigned long yields;

/* With so low a weight that the other thread gets most of the CPU, whatever the scheduler. */
static void yield_often(void *unused)
{
	const uint64_t end = clock_now() + 4 * D;

	(void)unused;
	thread_pin(CPU);
	if (setpriority(PRIO_PROCESS, 0, 19))
		tap_bail("setpriority");
	for (yields = 0; clock_now() < end; yields++)
		sched_yield();
	if (setpriority(PRIO_PROCESS, 0, 0))
		tap_bail("setpriority");
}

static void compute(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	clock_burn(2 * D);
}

static uint64_t spent(const struct window *window, unsigned int state)
{
	return window->delta.times.states_ns[state];
}

static void real_time(void)
{
	struct window window;
	struct thread thread;

	do {
		thread_start(&thread, burn_once, NULL);
		thread_await(thread.tid, "S");
		window_observe(&window, yield_once, NULL);
		thread_join(&thread);
	} while (spent(&window, YIELDED) < D && patience_lasts());
	window_check_state(&window, YIELDED, D, "real-time priority");
	tap_at_least(window.delta.stats.queue_time_ns, spent(&window, YIELDED),
		     "real-time priority: a part of the queue time");
}

/* Ordinary threads: the work beside another one that always wants the CPU. */
static void beside(window_fn fn, struct window *window)
{
	struct thread thread;

	over = 0;
	thread_start(&thread, burn_beside, NULL);
	window_observe(window, fn, NULL);
	over = 1;
	thread_join(&thread);
}

static void ordinary(void)
{
	struct window window;

	do
		beside(yield_often, &window);
	while ((spent(&window, YIELDED) < D || window.delta.counts.states[YIELDED] < 2 ||
		spent(&window, TASKRT_STATE_PREEMPTED) > spent(&window, YIELDED) / 2) &&
	       patience_lasts());
	tap_at_least(spent(&window, YIELDED), D, "ordinary: yielded");
	tap_at_most(spent(&window, TASKRT_STATE_PREEMPTED), spent(&window, YIELDED) / 2,
		    "ordinary: hardly preempted");
	tap_at_least(window.delta.counts.states[YIELDED], 2, "ordinary: counted");
	tap_at_most(window.delta.counts.states[YIELDED], 2 * yields, "ordinary: once a call, or so");

	do
		beside(compute, &window);
	while (!spent(&window, TASKRT_STATE_PREEMPTED) && patience_lasts());
	tap_at_least(spent(&window, TASKRT_STATE_PREEMPTED), 1, "who computes is preempted");
	tap_equal(spent(&window, YIELDED), 0, "and has not yielded");
}

static struct taskrt_explanation told;

static void explain(void *unused)
{
	struct taskrt_self *self = self_open();
	struct taskrt_window window;

	if (taskrt_window_begin(&window, self))
		tap_bail("taskrt_window_begin");
	yield_often(unused);
	if (taskrt_window_end(&window) || taskrt_window_explain(&window, &told, sizeof(told)))
		tap_bail("taskrt_window_explain");
	taskrt_self_close(self);
}

static void explained(void)
{
	struct window window;
	char line[1000];

	do
		beside(explain, &window);
	while (told.shares[0].cause != TASKRT_CAUSE_YIELDED && patience_lasts());
	tap_equal(told.shares[0].cause, TASKRT_CAUSE_YIELDED, "a window: the cause");
	tap_equal(told.state, YIELDED, "a window: the state of the longest interval");
	taskrt_explanation_format(&told, sizeof(told), 0, line, sizeof(line));
	if (!tap_ok(strstr(line, ": yielded ") != NULL, "a window: the line"))
		tap_diag("%s", line);
}

int main(void)
{
	sem_init(&go, 0, 0);
	real_time();
	ordinary();
	explained();
	return tap_done();
}
