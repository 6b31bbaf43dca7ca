// SPDX-License-Identifier: GPL-2.0-only
/* An alert names the task that had the CPU instead, and the task that ended a wait. */
#include <poll.h>
#include <semaphore.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "flight.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(80 * MS)
#define MOST	(D / 2)
#define REMOTE	5

static sem_t go, wake;
static int channel[2];
static _Atomic uint64_t posted, began, let_go;
static _Atomic int release;
static _Atomic pid_t sleeper;

/*
 * Takes the victim's CPU away until release is set, and for D after that.  Both are
 * real-time threads, so that no kernel thread runs between them, before or after.
 */
static void hog(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "hog");
	thread_pin(0);
	thread_fifo(60);
	sem_wait(&go);
	began = clock_now();
	while (!release && clock_now() < began + SEC)
		;
	clock_spin(D);
	let_go = clock_now();
}

static void start_hog(struct thread *thread, int enough)
{
	struct taskrt *handle = window_open();

	began = 0;
	release = enough;
	thread_start(thread, hog, NULL);
	window_await(handle, thread->tid, TASKRT_STATE_SLEEPING_FUTEX);
	taskrt_close(handle);
}

static void run_on(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	sem_post(&go);
	clock_burn(5 * MS);
}

/* The thread was in that state from the instant on until the hog let go of the CPU. */
static void check_other(const struct flight *flight, uint32_t state, uint64_t from, uint32_t tid)
{
	const struct alert_event *event = flight_find_at(flight, state, from, let_go);

	if (!event)
		return;
	if (!tap_ok(event->event.other_tid == tid && !strcmp(event->event.other_comm, "hog"),
		    "%s: who had the CPU", flight->name))
		alert_print(flight->alert);
	tap_equal(event->event.cpu, 0, "%s: which CPU it was", flight->name);
}

static void preempted(void)
{
	struct flight flight;
	struct thread thread;

	start_hog(&thread, 1);
	flight_observe(&flight, "preempted", run_on, NULL);
	thread_join(&thread);
	check_other(&flight, TASKRT_STATE_PREEMPTED, began, thread.tid);
}

static void asleep_first(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	sleeper = gettid();
	sem_wait(&wake);
}

static void await_sleeper(uint32_t state)
{
	struct taskrt *handle = window_open();

	while (!sleeper)
		clock_sleep(MS);
	window_await(handle, sleeper, state);
	taskrt_close(handle);
}

/* Runs on another CPU: see cause_queue.c. */
static void call_hog_then_wake(void *unused)
{
	(void)unused;
	thread_pin(1);
	await_sleeper(TASKRT_STATE_SLEEPING_FUTEX);
	sem_post(&go);
	while (!began)
		sched_yield();
	sem_post(&wake);
	posted = clock_now();
	release = 1;
}

/*
 * The kernel takes the CPU from a real-time thread before a second has passed: the test is
 * repeated if the host stopped the poster for so long.
 */
static void woken(void)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct thread hog_thread, poster;
	struct flight flight;

	do {
		sleeper = 0;
		start_hog(&hog_thread, 0);
		thread_start(&poster, call_hog_then_wake, NULL);
		flight_observe(&flight, "woken", asleep_first, NULL);
		thread_join(&poster);
		thread_join(&hog_thread);
	} while (posted - began > SEC / 2 && clock_now() < patience);
	check_other(&flight, TASKRT_STATE_WOKEN, posted, hog_thread.tid);
}

static void wait_futex(void *unused)
{
	asleep_first(unused);
}

static void wait_pipe(void *unused)
{
	char byte;

	(void)unused;
	thread_pin(0);
	sleeper = gettid();
	if (read(channel[0], &byte, 1) != 1)
		tap_bail("pipe");
}

static void wait_poll(void *unused)
{
	struct pollfd fd = { .fd = channel[0], .events = POLLIN };
	char byte;

	(void)unused;
	thread_pin(0);
	sleeper = gettid();
	if (poll(&fd, 1, -1) != 1 || read(channel[0], &byte, 1) != 1)
		tap_bail("poll");
}

struct waiting {
	void (*fn)(void *unused);
	uint32_t state;
	unsigned int cpu;		/* of the waker; that of the victim is 0 */
};

static void wake_up(void *with)
{
	const struct waiting *waiting = with;

	prctl(PR_SET_NAME, "waker");
	thread_pin(waiting->cpu);
	await_sleeper(waiting->state);
	clock_sleep(D);
	if (waiting->fn == wait_futex)
		sem_post(&wake);
	else if (write(channel[1], "x", 1) != 1)
		tap_bail("pipe");
}

/* @where: a part of the name of the function that waits. */
static void check_waker(const char *name, void (*fn)(void *), uint32_t state, const char *where,
			unsigned int cpu)
{
	struct waiting waiting = { fn, state, cpu };
	const struct alert_event *event;
	struct flight flight;
	struct thread waker;

	sleeper = 0;
	thread_start(&waker, wake_up, &waiting);
	flight_observe(&flight, name, fn, NULL);
	thread_join(&waker);
	event = flight_find(&flight, state, MOST);
	if (!event)
		return;
	if (!tap_ok(event->event.waker_tid == (uint32_t)waker.tid &&
		    !strcmp(event->event.waker_comm, "waker") &&
		    !(event->event.flags & TASKRT_EVENT_INTERRUPT), "%s: who woke it", name))
		alert_print(flight.alert);
	if (!tap_ok(alert_leads_to(event, where), "%s: it took longer than the threshold: a stack", name))
		alert_print(flight.alert);
	tap_equal(event->event.owner_tid | event->event.object | event->event.address, 0,
		  "%s: there was no lock, and no fault", name);
}

static void sleep_once(void *unused)
{
	(void)unused;
	clock_sleep(D);
}

/* On PREEMPT_RT a kernel thread may do the work of the interrupt. */
static void by_a_timer(void)
{
	const struct alert_event *event;
	struct flight flight;
	uint64_t until = 0;

	do
		flight_observe(&flight, "timer", sleep_once, NULL);
	while (flight_again(&flight, TASKRT_STATE_SLEEPING_TIMER, D / 2, &until));
	event = flight_find(&flight, TASKRT_STATE_SLEEPING_TIMER, MOST);
	if (event && !tap_ok(event->event.flags & TASKRT_EVENT_INTERRUPT ||
			     (thread_kernel_is_rt() && event->event.waker_tid),
			     "timer: an interrupt woke it"))
		alert_print(flight.alert);
}

static void sleep_a_little(void *unused)
{
	(void)unused;
	clock_sleep_times(100 * US, 20);
}

static void below_the_threshold(void)
{
	struct flight flight;
	unsigned int i, wrong = 0;

	flight_observe(&flight, "short", sleep_a_little, NULL);
	for (i = 0; i < flight.alert->nr_events; i++) {
		const struct alert_event *event = &flight.alert->events[i];

		wrong += event->nr_frames && event->event.ns < FLIGHT_THRESHOLD;
	}
	tap_equal(wrong, 0, "short: no stack of what took less than the threshold");
	tap_at_least(flight.alert->recorded, 40, "short: every sleep was recorded");
}

int main(void)
{
	unsigned int i;

	sem_init(&go, 0, 0);
	sem_init(&wake, 0, 0);
	if (pipe(channel))
		tap_bail("pipe");
	flight_open();
	preempted();
	woken();
	check_waker("futex", wait_futex, TASKRT_STATE_SLEEPING_FUTEX, "futex", 0);
	check_waker("pipe", wait_pipe, TASKRT_STATE_SLEEPING_FILE, "pipe_read", 0);
	check_waker("poll", wait_poll, TASKRT_STATE_SLEEPING_POLL, "poll", 0);
	/* The victim's CPU finishes these wake-ups, in an interrupt. */
	for (i = 0; i < REMOTE; i++) {
		check_waker("far futex", wait_futex, TASKRT_STATE_SLEEPING_FUTEX, "futex", 1);
		check_waker("far poll", wait_poll, TASKRT_STATE_SLEEPING_POLL, "poll", 1);
	}
	by_a_timer();
	below_the_threshold();
	flight_close();
	return tap_done();
}
