// SPDX-License-Identifier: GPL-2.0-only
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

int throttle_measured(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;

	window_info(handle, &info);
	taskrt_close(handle);
	if (taskrt_measures(info.measured.states, THROTTLED))
		return 1;
	tap_skip("throttled", "this kernel does not show it");
	return 0;
}

int throttle_has_piece(const struct window *window)
{
	return window->delta.longests.states[THROTTLED].ns >= THROTTLE_PIECE;
}

void throttle_check(const struct window *window, const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	window_check_state(window, THROTTLED, THROTTLE_PIECE, name);
	tap_at_least(delta->counts.states[THROTTLED], 1, "%s: counted", name);
	tap_at_least(delta->stats.queue_time_ns, delta->times.states_ns[THROTTLED],
		     "%s: part of queue_time", name);
}

/* --- woken while another one is throttled */

static struct thread burner;
static sem_t bell;
static volatile int burning, ended;
static volatile pid_t sleeper;
static struct taskrt_reading asleep;	/* of the sleeper */

static void burn(void *arg)
{
	const struct throttle_scene *scene = arg;

	scene->burn_as();
	burning = 1;
	clock_spin_until(ended);
	if (scene->leave)
		scene->leave();
}

static void sleep_once(void *arg)
{
	const struct throttle_scene *scene = arg;

	scene->sleep_as();
	sleeper = syscall(SYS_gettid);
	while (sem_wait(&bell))
		;
	if (scene->leave)
		scene->leave();
}

static void await_throttled(struct taskrt *handle, const struct throttle_scene *scene)
{
	struct taskrt_reading reading;

	if (!scene->await) {
		state_await(handle, burner.tid, THROTTLED, &reading);
		return;
	}
	while (!burning)
		clock_sleep(MS);
	scene->await();
}

/* Runs on another CPU, and wakes the sleeper when the burner is throttled. */
static void wake_when_throttled(void *scene)
{
	struct taskrt *handle = window_open();

	thread_pin(THROTTLE_CPU + 1);
	while (!sleeper)
		clock_sleep(MS);
	state_await(handle, sleeper, TASKRT_STATE_SLEEPING_FUTEX, &asleep);
	await_throttled(handle, scene);
	sem_post(&bell);
	taskrt_close(handle);
}

static uint64_t since_woken(const struct window *window)
{
	return window->after.times.states_ns[THROTTLED] - asleep.times.states_ns[THROTTLED];
}

void throttle_woken(const struct throttle_scene *scene, uint64_t least)
{
	struct thread waker;
	struct window window;
	unsigned int rounds = 0;

	sem_init(&bell, 0, 0);
	do {
		ended = 0;
		burning = 0;
		sleeper = 0;
		thread_start(&burner, burn, (void *)scene);
		thread_start(&waker, wake_when_throttled, (void *)scene);
		window_observe(&window, sleep_once, (void *)scene);
		ended = 1;
		thread_join(&waker);
		thread_join(&burner);
		rounds++;
	} while (since_woken(&window) < least && patience_lasts());
	tap_diag("%s: %u rounds", scene->name, rounds);
	tap_at_least(since_woken(&window), least, "%s: throttled, since it was woken", scene->name);
	tap_at_least(VALUE(window.after, WAKEUPS) - VALUE(asleep, WAKEUPS), 1,
		     "%s: the wake-up is counted", scene->name);
	tap_ok(window_adds_up(&window.after) && window_agrees(&window.after), "%s: adds up",
	       scene->name);
}
