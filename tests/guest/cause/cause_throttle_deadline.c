// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deadline threads without runtime are throttled, and not preempted: those that have used it
 * up, and those that are woken between their deadline and their next period.  The explanation
 * of a window and an alert say so, too.
 */
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <taskrt_self.h>
#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "alert.h"
#include "clock.h"
#include "patience.h"
#include "module.h"
#include "raw.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

#define PREEMPTED	TASKRT_STATE_PREEMPTED

/* As the kernel has it: linux/sched/types.h collides with sched.h of some C libraries. */
struct deadline_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static void enter_deadline(uint64_t runtime, uint64_t deadline, uint64_t period)
{
	const struct deadline_attr attr = {
		.size = sizeof(attr), .policy = 6,
		.runtime = runtime, .deadline = deadline, .period = period,
	};

	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		tap_bail("sched_setattr");
}

/* 80 ms of each period are left without runtime. */
static void overrun(void *unused)
{
	(void)unused;
	enter_deadline(20 * MS, 100 * MS, 100 * MS);
	clock_spin(500 * MS);
	thread_other();
}

/* Wakes up after its deadline, and has to wait for its next period. */
static void oversleep(void *unused)
{
	(void)unused;
	enter_deadline(5 * MS, 20 * MS, 200 * MS);
	clock_sleep(60 * MS);
	thread_other();
}

static void yield(void *unused)
{
	unsigned int i;

	(void)unused;
	enter_deadline(20 * MS, 100 * MS, 100 * MS);
	for (i = 0; i < 4; i++)
		sched_yield();
	thread_other();
}

static void throttled(window_fn fn, const char *name)
{
	struct window window;

	do
		window_observe(&window, fn, NULL);
	while (!throttle_has_piece(&window) && patience_lasts());
	throttle_check(&window, name);
}

static void yielded(void)
{
	struct window window;

	do
		window_observe(&window, yield, NULL);
	while ((window.delta.longests.states[TASKRT_STATE_SLEEPING_TIMER].ns < THROTTLE_PIECE ||
		window.delta.times.states_ns[THROTTLED]) && patience_lasts());
	window_check_state(&window, TASKRT_STATE_SLEEPING_TIMER, THROTTLE_PIECE, "yielded");
	tap_equal(window.delta.times.states_ns[THROTTLED], 0, "yielded: not throttled");
	tap_at_most(window.delta.times.states_ns[PREEMPTED], THROTTLE_PIECE,
		    "yielded: nobody has taken the CPU for long");
}

/* --- what is told of it */

static struct taskrt_window window;
static struct taskrt_explanation told;

static void must(int err, const char *what)
{
	if (err)
		tap_bail("%s: %s", what, strerror(-err));
}

static void end_window(void)
{
	must(taskrt_window_end(&window), "taskrt_window_end");
	must(taskrt_window_explain(&window, &told, sizeof(told)), "taskrt_window_explain");
}

static void explain_overrun(void *unused)
{
	struct taskrt_self *self = self_open();

	must(taskrt_window_begin(&window, self), "taskrt_window_begin");
	overrun(unused);
	end_window();
	taskrt_self_close(self);
}

/* The window begins at the expiry, before the thread was woken. */
static void explain_oversleep(void *unused)
{
	struct taskrt_self *self = self_open();

	oversleep(unused);
	must(taskrt_window_begin_due(&window, self, 0), "taskrt_window_begin_due");
	end_window();
	taskrt_self_close(self);
}

static uint64_t sum_of_states(void)
{
	return window_sum(window.spent.states_ns, TASKRT_STATES_ROOM);
}

static void explained(window_fn fn, const char *name)
{
	struct thread thread;
	char line[600];

	do {
		thread_start(&thread, fn, NULL);
		thread_join(&thread);
	} while ((told.shares[0].cause != TASKRT_CAUSE_THROTTLED ||
		  told.longest.ns < THROTTLE_PIECE) && patience_lasts());
	tap_equal(told.shares[0].cause, TASKRT_CAUSE_THROTTLED, "%s: explained", name);
	tap_at_least(told.longest.ns, THROTTLE_PIECE, "%s: the longest interval", name);
	tap_equal(sum_of_states(), window.elapsed_ns, "%s: nothing is unexplained", name);
	taskrt_explanation_format(&told, sizeof(told), 10 * MS, line, sizeof(line));
	if (!tap_ok(strstr(line, ": throttled ") != NULL, "%s: the line", name))
		tap_diag("%s", line);
}

/* The state of which alerts are asked for, and how the thread is throttled. */
struct armed {
	uint32_t state;
	window_fn work;
	const char *name;
};

static void work_armed(void *arg)
{
	const struct armed *armed = arg;
	const struct recorder_arm arm = {
		.depth = TASKRT_DEPTH_MAX, .over_ns = THROTTLE_PIECE,
		.states = 1U << armed->state,
	};
	struct raw raw;

	must(raw_open(&raw), "raw_open");
	must(recorder_arm(&raw, &arm, NULL), "arming");
	armed->work(NULL);
	raw_close(&raw);
}

/* Whoever asks for alerts of those that wait for a CPU gets those that are throttled, too. */
static void recorded(const struct armed *armed)
{
	static struct alert_listener listener;
	const struct alert_event *longest;
	const struct alert *alert;
	struct thread thread;

	alert_open(&listener);
	do {
		thread_start(&thread, work_armed, (void *)armed);
		thread_join(&thread);
		/* The thread has ended, and whatever there is of it is on its way. */
		do
			alert = alert_next(&listener, 1000);
		while (alert && alert->tid != (uint32_t)thread.tid);
		longest = alert ? alert_longest(alert, THROTTLED) : NULL;
	} while ((!longest || longest->event.ns < THROTTLE_PIECE) && patience_lasts());
	tap_ok(alert && alert->reason == TASKRT_REASON_OVER, "%s: an alert", armed->name);
	tap_at_least(longest ? longest->event.ns : 0, THROTTLE_PIECE, "%s: the event", armed->name);
	tap_equal(listener.wrong, 0, "%s: every promise of the header is kept", armed->name);
	alert_close(&listener);
}

int main(void)
{
	const struct armed preempted = { PREEMPTED, overrun, "armed for preempted" };
	const struct armed woken = { TASKRT_STATE_WOKEN, oversleep, "armed for woken" };

	if (!throttle_measured())
		return tap_done();
	/* Before anything else was throttled, since the hooks are attached. */
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
	throttled(oversleep, "woken after the deadline");
	throttled(overrun, "without runtime");
	yielded();
	explained(explain_overrun, "a window");
	explained(explain_oversleep, "a window that was due");
	recorded(&preempted);
	recorded(&woken);
	return tap_done();
}
