// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for a CPU: preempted, and woken with nobody to run us. */
#include <semaphore.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(80 * MS)
#define MOST	(D / 3)
#define SHARE	(500 * MS)

static sem_t go, wake;
/* When the hog let go of the CPU, and when its victim was woken. */
static uint64_t let_go, posted;

/* Takes the victim's CPU away for D. */
static void hog(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(50);
	sem_wait(&go);
	clock_spin(D);
	let_go = clock_now();
}

static void run_with_hog(struct window *window, window_fn victim)
{
	struct thread thread;

	thread_start(&thread, hog, NULL);
	thread_await(thread.tid, "S");
	window_observe(window, victim, NULL);
	thread_join(&thread);
}

static void run_on(void *unused)
{
	(void)unused;
	thread_pin(0);
	sem_post(&go);
	clock_burn(5 * MS);
}

static void preempted(void)
{
	struct window window;

	run_with_hog(&window, run_on);
	tap_at_least(window.delta.queue_time_ns, MOST, "preempted: queue_time");
	tap_at_least(window.delta.involuntary_switches, 1, "preempted: not by its own will");
	window_check_state(&window, TASKRT_STATE_PREEMPTED, MOST, "preempted");
}

static _Atomic pid_t sleeper;

static void asleep_first(void *unused)
{
	(void)unused;
	thread_pin(0);
	sleeper = gettid();
	sem_wait(&wake);
}

/*
 * On another CPU.  A timer would not do: on PREEMPT_RT its expiry waits for the
 * first CPU's hog, too.
 */
static void call_hog_then_wake(void *unused)
{
	(void)unused;
	thread_pin(1);
	while (!sleeper)
		clock_sleep(MS);
	thread_await(sleeper, "S");
	sem_post(&go);
	clock_sleep(10 * MS);
	posted = clock_now();
	sem_post(&wake);
}

static void wake_behind_hog(struct window *window)
{
	struct thread hog_thread, poster;

	sleeper = 0;
	thread_start(&hog_thread, hog, NULL);
	thread_await(hog_thread.tid, "S");
	thread_start(&poster, call_hog_then_wake, NULL);
	window_observe(window, asleep_first, NULL);
	thread_join(&poster);
	thread_join(&hog_thread);
}

/*
 * A busy host may hold back the CPU that wakes until the hog has gone: then there
 * was nothing to wait for.
 */
static void woken(void)
{
	struct window window;
	int tries = 10;

	do
		wake_behind_hog(&window);
	while (let_go < posted + D / 2 && --tries);
	tap_at_least(window.delta.queue_time_ns, MOST, "woken: queue_time");
	tap_at_least(window.delta.wakeups, 1, "woken: counted");
	window_check_state(&window, TASKRT_STATE_WOKEN, MOST, "woken");
}

static void spin_share(void *unused)
{
	(void)unused;
	thread_pin(0);
	clock_spin(SHARE);
}

static void other_spinner(void *arg)
{
	window_observe(arg, spin_share, NULL);
}

static void check_share(const struct window *window, const char *name)
{
	uint64_t wall = window->end_ns - window->begin_ns;
	const struct taskrt_stats *delta = &window->delta;

	if (!tap_at_least(delta->cpu_time_ns, wall / 4, "%s spinner: cpu about a half", name))
		window_print(delta);
	tap_at_most(delta->cpu_time_ns, wall * 3 / 4, "%s spinner: and not all", name);
	tap_at_least(delta->queue_time_ns, wall / 4, "%s spinner: queue about a half", name);
	tap_at_most(delta->queue_time_ns, wall * 3 / 4, "%s spinner: and not all", name);
	tap_at_least(delta->cpu_time_ns + delta->queue_time_ns, wall * 9 / 10,
		     "%s spinner: cpu and queue are the wall time", name);
	tap_at_least(delta->states_ns[TASKRT_STATE_PREEMPTED], wall / 4,
		     "%s spinner: preempted", name);
}

static void two_spinners(void)
{
	struct window windows[2];
	struct thread thread;

	thread_start(&thread, other_spinner, &windows[1]);
	window_observe(&windows[0], spin_share, NULL);
	thread_join(&thread);
	check_share(&windows[0], "first");
	check_share(&windows[1], "second");
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
