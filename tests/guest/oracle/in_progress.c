// SPDX-License-Identifier: GPL-2.0-only
/* Every answer includes intervals in progress, up to the instant of the answer. */
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "patience.h"
#include "release.h"
#include "slow.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define STEP	(200 * MS)

static int device;
static struct taskrt *handle;
static struct slow *slow;
static sem_t go;
static volatile int over, hogging;

static void in_fault(void *unused)
{
	(void)unused;
	*slow_page(slow, 0) = 1;
}

static void end_fault(struct thread *thread)
{
	(void)thread;
	slow_release(slow);
}

static void in_lock(void *unused)
{
	(void)unused;
	device_take(device, TASKRT_TEST_RWSEM_WRITE, 0);
}

static void in_delay(void *unused)
{
	(void)unused;
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, TASKRT_TEST_FOR_EVER);
}

static void end_device(struct thread *thread)
{
	(void)thread;
	release(device);
}

/* Sleeps until a signal, after which clock_sleep() would go on. */
static void in_sleep(void *unused)
{
	static const struct timespec long_enough = { 100, 0 };

	(void)unused;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &long_enough, NULL);
}

static void end_sleep(struct thread *thread)
{
	syscall(SYS_tgkill, getpid(), thread->tid, SIGUSR1);
}

static void nothing(int signal)
{
	(void)signal;
}

static void in_loop(void *unused)
{
	(void)unused;
	while (!over)
		;
}

static void end_loop(struct thread *thread)
{
	(void)thread;
	over = 1;
}

struct look {
	window_fn fn;
	unsigned int state;
	void (*end)(struct thread *thread);
};

/* The thread may have to wait for a moment before the interval that is meant. */
static int was_on_its_way(const struct taskrt_reading *first, const struct taskrt_reading *second,
			  unsigned int state)
{
	return state != TASKRT_STATE_RUNNING &&
	       (first->longests.states[state].at_ns != second->longests.states[state].at_ns ||
		!state_has_stayed(first, second, state));
}

/* Two queries STEP apart, both inside the same interval. */
static void look_twice(pid_t tid, unsigned int state, struct taskrt_reading *first,
		       struct taskrt_reading *second)
{
	do {
		state_await(handle, tid, state, first);
		clock_sleep(STEP);
		window_thread(handle, tid, second);
	} while (was_on_its_way(first, second, state) && patience_lasts());
}

/* Two queries about a thread, before the test ends what the thread does. */
static void look(const struct look *look, struct taskrt_reading *first,
		 struct taskrt_reading *second)
{
	struct thread thread;

	thread_start(&thread, look->fn, NULL);
	look_twice(thread.tid, look->state, first, second);
	look->end(&thread);
	thread_join(&thread);
}

static void check(const struct taskrt_reading *first, const struct taskrt_reading *second,
		  unsigned int state, const char *name)
{
	tap_equal(second->stats.state, state, "%s: the state", name);
	if (!tap_at_least(second->times.states_ns[state], first->times.states_ns[state] + STEP,
			  "%s: the state's time grows", name))
		window_print(second);
	tap_at_least(second->longests.states[state].ns, STEP, "%s: and is the longest", name);
	tap_equal(second->longests.states[state].at_ns, first->longests.states[state].at_ns,
		  "%s: begun at the same instant", name);
	tap_ok(window_adds_up(first) && window_adds_up(second), "%s: the states add up", name);
}

static void fault(void)
{
	static const struct look how = { in_fault, TASKRT_STATE_BLOCKED_FAULT, end_fault };
	struct taskrt_reading first, second;

	slow = slow_new(1, SLOW_FOR_EVER);
	look(&how, &first, &second);
	slow_free(slow);
	check(&first, &second, TASKRT_STATE_BLOCKED_FAULT, "fault");
	tap_at_least(second.stats.page_fault_time_ns, first.stats.page_fault_time_ns + STEP,
		     "fault: page_fault_time grows");
	tap_at_least(second.longests.timers[TASKRT_TIMER_FAULT].ns, STEP,
		     "fault: the longest grows");
	tap_equal(VALUE(second, MINOR_FAULT_NS), VALUE(first, MINOR_FAULT_NS),
		  "fault: minor_fault_time does not grow before the end");
}

static void lock(void)
{
	static const struct look how = { in_lock, TASKRT_STATE_BLOCKED_LOCK, end_device };
	unsigned int kind = TASKRT_LOCK_RWSEM_WRITE;
	struct taskrt_reading first, second;

	device = device_open();
	device_hold(device, TASKRT_TEST_RWSEM_READ, TASKRT_TEST_UNINTERRUPTIBLE,
		    TASKRT_TEST_FOR_EVER);
	look(&how, &first, &second);
	close(device);
	check(&first, &second, TASKRT_STATE_BLOCKED_LOCK, "lock");
	tap_at_least(second.stats.lock_contention_time_ns,
		     first.stats.lock_contention_time_ns + STEP,
		     "lock: lock_contention_time grows");
	tap_at_least(second.times.locks_ns[kind], first.times.locks_ns[kind] + STEP,
		     "lock: its kind grows");
	tap_at_least(second.longests.timers[TASKRT_TIMER_LOCK].ns, STEP, "lock: the longest grows");
}

static void asleep(const struct look *how, const char *name)
{
	struct taskrt_reading first, second;

	look(how, &first, &second);
	check(&first, &second, how->state, name);
}

static void sleeping(void)
{
	static const struct look how = { in_sleep, TASKRT_STATE_SLEEPING_TIMER, end_sleep };

	signal(SIGUSR1, nothing);
	asleep(&how, "sleep");
}

static void uninterruptible(void)
{
	static const struct look how = { in_delay, TASKRT_STATE_BLOCKED_OTHER, end_device };

	device = device_open();
	asleep(&how, "uninterruptible");
	close(device);
}

/*
 * A fault of the loop itself may have to wait for the memory map, which the test changes
 * meanwhile.
 */
static uint64_t not_asleep(const struct taskrt_reading *reading)
{
	return reading->stats.cpu_time_ns + reading->stats.queue_time_ns +
	       reading->times.states_ns[TASKRT_STATE_BLOCKED_LOCK];
}

static void running(void)
{
	static const struct look how = { in_loop, TASKRT_STATE_RUNNING, end_loop };
	struct taskrt_reading first, second;

	over = 0;
	look(&how, &first, &second);
	tap_ok(second.stats.state <= TASKRT_STATE_WOKEN, "loop: running or waiting to");
	if (!tap_at_least(not_asleep(&second), not_asleep(&first) + STEP,
			  "loop: cpu_time and queue_time grow by all that passed"))
		window_print(&second);
	tap_ok(window_adds_up(&first) && window_adds_up(&second), "loop: the states add up");
}

static void hog(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(50);
	sem_wait(&go);
	hogging = 1;
	clock_spin_until(over);
}

static void victim(void *unused)
{
	(void)unused;
	thread_pin(0);
	/* The thread has the hog's class, or the reserve of the fair class would let it run. */
	thread_fifo(10);
	sem_post(&go);
	clock_spin_until(over);
}

/* The thread that the hog preempted; the caller has a higher priority than both. */
static void look_at_victim(struct taskrt_reading *first, struct taskrt_reading *second)
{
	struct thread thread;

	thread_start(&thread, victim, NULL);
	while (!hogging)
		clock_sleep(MS);
	look_twice(thread.tid, TASKRT_STATE_PREEMPTED, first, second);
	over = 1;
	thread_join(&thread);
}

/* The reader keeps to the other CPU: both queue and hog are on the first. */
static void queued(void)
{
	struct taskrt_reading first, second;
	struct thread thread;

	/*
	 * On PREEMPT_RT the timer of an ordinary sleeper may expire in a thread of
	 * the first CPU, which the hog keeps away.
	 */
	thread_fifo(60);
	over = 0;
	thread_start(&thread, hog, NULL);
	thread_await(thread.tid, "S");
	look_at_victim(&first, &second);
	thread_join(&thread);
	check(&first, &second, TASKRT_STATE_PREEMPTED, "queued");
	tap_at_least(second.stats.queue_time_ns, first.stats.queue_time_ns + STEP,
		     "queued: queue_time grows");
}

int main(void)
{
	handle = window_open();
	sem_init(&go, 0, 0);
	fault();
	lock();
	sleeping();
	uninterruptible();
	running();
	queued();
	taskrt_close(handle);
	return tap_done();
}
