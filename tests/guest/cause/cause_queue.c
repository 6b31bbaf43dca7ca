// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for a CPU: preempted, and woken while the CPU is busy. */
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(80 * MS)
#define MOST	(D / 3)
#define SHARE	(500 * MS)

static sem_t go, wake;
static _Atomic int hogging;
/* The instant since when the victim waits for the hog; 0: it does not wait yet. */
static _Atomic uint64_t waits_since;

/*
 * Runs on the victim's CPU until the victim has waited for D; a thread that it preempts
 * waits at once.
 */
static void hog(void *preempts)
{
	thread_pin(0);
	thread_fifo(50);
	sem_wait(&go);
	if (preempts)
		waits_since = clock_now();
	hogging = 1;
	clock_spin_until(waits_since && clock_now() >= waits_since + D);
}

/* Returns when the hog sleeps; writing to "go" wakes it. */
static void start_hog(struct thread *thread, void *preempts)
{
	hogging = 0;
	waits_since = 0;
	thread_start(thread, hog, preempts);
	thread_await(thread->tid, "S");
}

/*
 * The victim has the hog's scheduling class, or the reserve of the fair class might let it
 * run.
 */
static void be_a_victim(void)
{
	thread_pin(0);
	thread_fifo(10);
}

static void run_on(void *unused)
{
	(void)unused;
	be_a_victim();
	sem_post(&go);
	clock_burn(5 * MS);
}

static void preempted(void)
{
	struct thread hog_thread;
	struct window window;

	/* On a busy host the thread may have been preempted for longer at its beginning. */
	do {
		start_hog(&hog_thread, &window);
		window_observe(&window, run_on, NULL);
		thread_join(&hog_thread);
	} while (window.before.longests.states[TASKRT_STATE_PREEMPTED].ns >= MOST &&
		 patience_lasts());
	tap_at_least(window.delta.stats.queue_time_ns, MOST, "preempted: queue_time");
	tap_at_least(VALUE(window.delta, INVOLUNTARY_SWITCHES), 1,
		     "preempted: an involuntary switch");
	window_check_state(&window, TASKRT_STATE_PREEMPTED, MOST, "preempted");
}

static _Atomic pid_t sleeper;

static void asleep_first(void *unused)
{
	(void)unused;
	be_a_victim();
	sleeper = gettid();
	sem_wait(&wake);
}

/*
 * Runs on another CPU.  A timer would not do: on PREEMPT_RT its expiry waits for the first
 * CPU's hog, too.
 */
static void call_hog_then_wake(void *unused)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;

	(void)unused;
	thread_pin(1);
	while (!sleeper)
		clock_sleep(MS);
	state_await(handle, sleeper, TASKRT_STATE_SLEEPING_FUTEX, &reading);
	taskrt_close(handle);
	sem_post(&go);
	while (!hogging)
		sched_yield();
	sem_post(&wake);
	waits_since = clock_now();
}

static void woken(void)
{
	struct thread hog_thread, poster;
	struct window window;

	/* On a busy host the thread may have been woken for longer at its beginning. */
	do {
		sleeper = 0;
		start_hog(&hog_thread, NULL);
		thread_start(&poster, call_hog_then_wake, NULL);
		window_observe(&window, asleep_first, NULL);
		thread_join(&poster);
		thread_join(&hog_thread);
	} while (window.before.longests.states[TASKRT_STATE_WOKEN].ns >= MOST && patience_lasts());
	tap_at_least(window.delta.stats.queue_time_ns, MOST, "woken: queue_time");
	tap_at_least(VALUE(window.delta, WAKEUPS), 1, "woken: counted");
	window_check_state(&window, TASKRT_STATE_WOKEN, MOST, "woken");
}

/* One of two threads that share a CPU, and what the kernel itself reports of it. */
struct spinner {
	struct window window;
	uint64_t cpu_ns;
	struct thread thread;
};

static _Atomic int there, measured;
static uint64_t share;

/* Both spin from before the first measurement until after the last one. */
static void spin_share(void *arg)
{
	struct spinner *spinner = arg;
	struct window *window = &spinner->window;
	struct taskrt *handle = window_open();

	thread_pin(0);
	there++;
	while (there < 2)
		;
	window_thread(handle, 0, &window->before);
	window->begin_ns = clock_now();
	spinner->cpu_ns = clock_of(CLOCK_THREAD_CPUTIME_ID);
	clock_spin(share);
	spinner->cpu_ns = clock_of(CLOCK_THREAD_CPUTIME_ID) - spinner->cpu_ns;
	window->end_ns = clock_now();
	window_thread(handle, 0, &window->after);
	measured++;
	while (measured < 2)
		;
	taskrt_close(handle);
	taskrt_diff(&window->before, &window->after, &window->delta, sizeof(window->delta));
}

static void check_share(const struct window *window, const char *name)
{
	uint64_t wall = window->end_ns - window->begin_ns;
	const struct taskrt_reading *delta = &window->delta;

	if (!tap_at_least(delta->stats.cpu_time_ns, wall / 4, "%s spinner: cpu about a half", name))
		window_print(delta);
	tap_at_most(delta->stats.cpu_time_ns, wall * 3 / 4, "%s spinner: and not all", name);
	tap_at_least(delta->stats.queue_time_ns, wall / 4, "%s spinner: queue about a half", name);
	tap_at_most(delta->stats.queue_time_ns, wall * 3 / 4, "%s spinner: and not all", name);
	tap_at_least(delta->stats.cpu_time_ns + delta->stats.queue_time_ns, wall * 9 / 10,
		     "%s spinner: cpu and queue are the wall time", name);
	tap_at_least(delta->times.states_ns[TASKRT_STATE_PREEMPTED], wall / 4,
		     "%s spinner: preempted", name);
}

/* The queries are around the measurement, and the thread may have been held up between the two. */
static int is_about_half(const struct spinner *spinner)
{
	const struct window *window = &spinner->window;
	uint64_t wall = window->end_ns - window->begin_ns;

	return spinner->cpu_ns > wall * 3 / 10 && spinner->cpu_ns < wall * 7 / 10 &&
	       window->delta.stats.tracked_time_ns < wall * 21 / 20;
}

/*
 * A busy host may stop the machine while one thread has the CPU, and another task may want
 * the CPU: then the test tries again, for longer, until the kernel's own clock says that
 * the two threads shared it.
 */
static void two_spinners(void)
{
	struct spinner spinners[2];
	unsigned int i;

	share = SHARE / 2;
	do {
		there = measured = 0;
		if (share < 16 * SHARE)
			share *= 2;
		for (i = 0; i < 2; i++)
			thread_start(&spinners[i].thread, spin_share, &spinners[i]);
		for (i = 0; i < 2; i++)
			thread_join(&spinners[i].thread);
	} while (!(is_about_half(&spinners[0]) && is_about_half(&spinners[1])) &&
		 patience_lasts());
	check_share(&spinners[0].window, "first");
	check_share(&spinners[1].window, "second");
}

int main(void)
{
	sem_init(&go, 0, 0);
	sem_init(&wake, 0, 0);
	preempted();
	woken();
	two_spinners();
	return tap_done();
}
