// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that may not run although a CPU might be free: their control group has used up its
 * quota, as cpu.stat agrees; real-time threads have to leave time to others; a deadline thread
 * has used up its runtime.  Such a thread is throttled, and not preempted.
 */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <taskrt.h>
#include <taskrt_self.h>

#include "alert.h"
#include "cgroup.h"
#include "clock.h"
#include "patience.h"
#include "raw.h"
#include "recorder.h"
#include "self.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define THROTTLED	TASKRT_STATE_THROTTLED
#define CPU		0
#define WORK		(500 * MS)
#define PIECE		(40 * MS)	/* of the 80 that a quota of 20 of 100 ms leaves */

/* --- files of the kernel */

static int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(text);
}

static void must_write(const char *path, const char *text)
{
	if (!file_write(path, text))
		tap_bail("writing %s to %s", text, path);
}

static int file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* --- a control group with a quota */

static uint64_t group_throttled_ns(void)
{
	const char *key = "throttled_usec ", *at;
	char text[512];
	unsigned long long us;

	if (!file_read(CGROUP_OWN "/cpu.stat", text, sizeof(text)))
		tap_bail("no cpu.stat");
	at = strstr(text, key);
	if (!at || sscanf(at + strlen(key), "%llu", &us) != 1)
		tap_bail("cpu.stat: %s", text);
	return us * 1000;
}

static void group_make(void)
{
	if (!cgroup_make())
		tap_bail("no cgroup");
	must_write(CGROUP_ROOT "/cgroup.subtree_control", "+cpu");
	must_write(CGROUP_OWN "/cgroup.type", "threaded");
}

/* The calling thread is in the group from now on. */
static void group_enter(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)syscall(SYS_gettid));
	must_write(CGROUP_OWN "/cgroup.threads", text);
}

static void group_leave(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)syscall(SYS_gettid));
	must_write(CGROUP_ROOT "/cgroup.threads", text);
}

static void work(void *unused)
{
	(void)unused;
	clock_spin(WORK);
}

static void work_in_group(void *unused)
{
	thread_pin(CPU);
	group_enter();
	work(unused);
	group_leave();
}

static void check_window(const struct window *window, const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	window_check_state(window, THROTTLED, PIECE, name);
	tap_at_least(delta->counts.states[THROTTLED], 1, "%s: counted", name);
	tap_at_least(delta->stats.queue_time_ns, delta->times.states_ns[THROTTLED],
		     "%s: part of queue_time", name);
}

/* Since the group was made, nobody else was in it. */
static void quota(void)
{
	struct window window;
	uint64_t before, kernel;

	must_write(CGROUP_OWN "/cpu.max", "20000 100000");
	do {
		before = group_throttled_ns();
		window_observe(&window, work_in_group, NULL);
		kernel = group_throttled_ns() - before;
	} while ((kernel < PIECE || window.delta.longests.states[THROTTLED].ns < PIECE ||
		  window.delta.times.states_ns[THROTTLED] < kernel * 9 / 10) && patience_lasts());
	check_window(&window, "quota");
	tap_at_least(kernel, PIECE, "quota: cpu.stat has it, too");
	tap_at_least(window.delta.times.states_ns[THROTTLED], kernel * 9 / 10,
		     "quota: as much as in cpu.stat");
}

/* Where groups are throttled, a thread that others preempt is not, if its own is not. */
static sem_t go;

static void compete(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	thread_fifo(50);
	sem_wait(&go);
	clock_spin(80 * MS);
}

static void be_preempted(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	group_enter();
	sem_post(&go);
	clock_burn(5 * MS);
	group_leave();
}

static void no_quota(void)
{
	struct thread competitor;
	struct window window;

	must_write(CGROUP_OWN "/cpu.max", "max 100000");
	do {
		thread_start(&competitor, compete, NULL);
		thread_await(competitor.tid, "S");
		window_observe(&window, be_preempted, NULL);
		thread_join(&competitor);
	} while (window.delta.longests.states[TASKRT_STATE_PREEMPTED].ns < PIECE &&
		 patience_lasts());
	window_check_state(&window, TASKRT_STATE_PREEMPTED, PIECE, "no quota");
	tap_equal(window.delta.times.states_ns[THROTTLED], 0, "no quota: not throttled");
}

/* --- woken while others like it are throttled */

static sem_t wake;
static volatile int ended;
static volatile pid_t sleeper;

struct scene {
	const char *name;
	void (*burn_as)(void);		/* the thread becomes one of those */
	void (*sleep_as)(void);
	void (*leave)(void);
};

static void burn(void *arg)
{
	const struct scene *scene = arg;

	scene->burn_as();
	while (!ended)
		;
	if (scene->leave)
		scene->leave();
}

static void sleep_once(void *arg)
{
	const struct scene *scene = arg;

	scene->sleep_as();
	sleeper = syscall(SYS_gettid);
	while (sem_wait(&wake))
		;
	if (scene->leave)
		scene->leave();
}

static struct thread burner;

/* Runs on another CPU, and wakes the sleeper when the burner is throttled. */
static void wake_when_throttled(void *unused)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;

	(void)unused;
	thread_pin(1);
	while (!sleeper)
		clock_sleep(MS);
	state_await(handle, sleeper, TASKRT_STATE_SLEEPING_FUTEX, &reading);
	state_await(handle, burner.tid, THROTTLED, &reading);
	sem_post(&wake);
	taskrt_close(handle);
}

static void woken(const struct scene *scene, uint64_t least)
{
	struct thread waker;
	struct window window;

	do {
		ended = 0;
		sleeper = 0;
		thread_start(&burner, burn, (void *)scene);
		thread_start(&waker, wake_when_throttled, NULL);
		window_observe(&window, sleep_once, (void *)scene);
		ended = 1;
		thread_join(&waker);
		thread_join(&burner);
	} while (window.delta.times.states_ns[THROTTLED] < least && patience_lasts());
	tap_at_least(window.delta.times.states_ns[THROTTLED], least, "%s: throttled", scene->name);
	tap_at_least(VALUE(window.delta, WAKEUPS), 1, "%s: the wake-up is counted", scene->name);
	tap_ok(window_adds_up(&window.after) && window_agrees(&window.after), "%s: adds up",
	       scene->name);
}

static void enter_group(void)
{
	thread_pin(CPU);
	group_enter();
}

static void woken_in_group(void)
{
	const struct scene scene = {
		"woken in a group", enter_group, enter_group, group_leave
	};

	must_write(CGROUP_OWN "/cpu.max", "20000 100000");
	woken(&scene, 10 * MS);
}

/* --- real-time threads, and a thread without real-time priority that wants their CPU */

#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"

static volatile int over;

static void want_cpu(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	while (!over)
		;
}

static void enter_realtime(void)
{
	thread_fifo(20);
	thread_pin(CPU);
}

/* It has the CPU before the other one, which does not give it up. */
static void enter_above(void)
{
	thread_fifo(30);
	thread_pin(CPU);
}

/* Longer than the second of which threads without priority get a twentieth. */
static void burn_in_realtime(void *unused)
{
	(void)unused;
	enter_realtime();
	clock_spin(2500 * MS);
}

static void realtime(void)
{
	const struct scene scene = {
		"woken in real time", enter_realtime, enter_above, NULL
	};
	struct thread other;
	struct window window;
	char before[32];

	if (!file_read(RT_RUNTIME, before, sizeof(before)))
		tap_bail("no " RT_RUNTIME);
	must_write(RT_RUNTIME, "950000");
	thread_start(&other, want_cpu, NULL);
	do
		window_observe(&window, burn_in_realtime, NULL);
	while (window.delta.longests.states[THROTTLED].ns < 10 * MS && patience_lasts());
	window_check_state(&window, THROTTLED, 10 * MS, "real time");
	tap_at_least(window.delta.stats.queue_time_ns, window.delta.times.states_ns[THROTTLED],
		     "real time: part of queue_time");
	woken(&scene, MS);
	over = 1;
	thread_join(&other);
	/* Since 6.12 the kernel may refuse the value with which it has begun. */
	file_write(RT_RUNTIME, before);
}

/* --- deadline threads */

/* As the kernel has it: linux/sched/types.h collides with sched.h of some C libraries. */
struct deadline_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static int deadline_become(void)
{
	const struct deadline_attr attr = {
		.size = sizeof(attr), .policy = 6,
		.runtime = 20 * MS, .deadline = 100 * MS, .period = 100 * MS,
	};

	return syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void enter_deadline(void)
{
	if (deadline_become())
		tap_bail("sched_setattr");
}

static void work_by_deadline(void *unused)
{
	enter_deadline();
	work(unused);
}

static void yield_by_deadline(void *unused)
{
	unsigned int i;

	(void)unused;
	enter_deadline();
	for (i = 0; i < 4; i++)
		sched_yield();
}

static void deadline(void)
{
	struct window window;

	do
		window_observe(&window, work_by_deadline, NULL);
	while (window.delta.longests.states[THROTTLED].ns < PIECE && patience_lasts());
	check_window(&window, "deadline");
	do
		window_observe(&window, yield_by_deadline, NULL);
	while ((window.delta.longests.states[TASKRT_STATE_PREEMPTED].ns < PIECE ||
		window.delta.times.states_ns[THROTTLED]) && patience_lasts());
	window_check_state(&window, TASKRT_STATE_PREEMPTED, PIECE, "deadline that yields");
	tap_equal(window.delta.times.states_ns[THROTTLED], 0,
		  "deadline that yields: not throttled");
}

/* --- what is told of it */

static struct taskrt_explanation told;

static void explain_work(void *unused)
{
	struct taskrt_self *self = self_open();
	struct taskrt_window window;

	enter_deadline();
	if (taskrt_window_begin(&window, self))
		tap_bail("taskrt_window_begin");
	work(unused);
	if (taskrt_window_end(&window) ||
	    taskrt_window_explain(&window, &told, sizeof(told)))
		tap_bail("taskrt_window_end");
	taskrt_self_close(self);
}

static void explained(void)
{
	struct thread thread;
	char line[600];

	do {
		thread_start(&thread, explain_work, NULL);
		thread_join(&thread);
	} while ((told.shares[0].cause != TASKRT_CAUSE_THROTTLED || told.longest.ns < PIECE) &&
		 patience_lasts());
	tap_equal(told.shares[0].cause, TASKRT_CAUSE_THROTTLED, "explained: throttled");
	tap_at_least(told.longest.ns, PIECE, "explained: the longest interval");
	taskrt_explanation_format(&told, sizeof(told), 10 * MS, line, sizeof(line));
	if (!tap_ok(strstr(line, ": throttled ") != NULL, "explained: the line"))
		tap_diag("%s", line);
}

/* Whoever asks for alerts of those that are preempted gets those that are throttled, too. */
static void work_armed(void *unused)
{
	const struct recorder_arm arm = {
		.depth = TASKRT_DEPTH_MAX, .over_ns = PIECE,
		.states = 1U << TASKRT_STATE_PREEMPTED,
	};
	struct raw raw;
	int err = raw_open(&raw);

	err = err ?: recorder_arm(&raw, &arm, NULL);
	if (err)
		tap_bail("arming: %s", strerror(-err));
	work_by_deadline(unused);
	raw_close(&raw);
}

static void recorded(void)
{
	static struct alert_listener listener;
	const struct alert_event *longest = NULL;
	const struct alert *alert;
	struct thread thread;

	alert_open(&listener);
	do {
		thread_start(&thread, work_armed, NULL);
		alert = alert_of(&listener, thread.tid);
		if (alert)
			longest = alert_longest(alert, THROTTLED);
		thread_join(&thread);
	} while ((!longest || longest->event.ns < PIECE) && patience_lasts());
	tap_ok(alert && alert->reason == TASKRT_REASON_OVER, "recorded: an alert");
	tap_at_least(longest ? longest->event.ns : 0, PIECE, "recorded: the event");
	tap_equal(listener.wrong, 0, "recorded: every promise of the header is kept");
	alert_close(&listener);
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	if (!taskrt_measures(info.measured.states, THROTTLED)) {
		tap_skip("throttled", "this kernel does not show it");
		return tap_done();
	}
	sem_init(&go, 0, 0);
	sem_init(&wake, 0, 0);
	group_make();
	quota();
	no_quota();
	woken_in_group();
	must_write(CGROUP_OWN "/cpu.max", "max 100000");
	deadline();
	explained();
	recorded();
	realtime();
	cgroup_remove();
	return tap_done();
}
