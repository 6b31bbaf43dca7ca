// SPDX-License-Identifier: GPL-2.0-only
/* Each kind of kernel lock, held by another thread, is reported as its kind. */
#include "clock.h"
#include "device.h"
#include "patience.h"
#include "release.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(200 * MS)
#define MOST	(D / 2)
#define NONE	TASKRT_LOCKS_ROOM

struct lock_case {
	const char *name;
	uint32_t hold, take;
	unsigned int kind, rt_kind;	/* NONE: not counted at all */
};

static const struct lock_case cases[] = {
	{ "mutex", TASKRT_TEST_MUTEX, TASKRT_TEST_MUTEX,
	  TASKRT_LOCK_MUTEX, TASKRT_LOCK_RT_MUTEX },
	{ "rwsem, read", TASKRT_TEST_RWSEM_WRITE, TASKRT_TEST_RWSEM_READ,
	  TASKRT_LOCK_RWSEM_READ, TASKRT_LOCK_RWSEM_READ },
	{ "rwsem, write", TASKRT_TEST_RWSEM_READ, TASKRT_TEST_RWSEM_WRITE,
	  TASKRT_LOCK_RWSEM_WRITE, TASKRT_LOCK_RWSEM_WRITE },
	/* On PREEMPT_RT two writers meet at the rt-mutex inside the rwsem: see kind_here(). */
	{ "rwsem, two writers", TASKRT_TEST_RWSEM_WRITE, TASKRT_TEST_RWSEM_WRITE,
	  TASKRT_LOCK_RWSEM_WRITE, TASKRT_LOCK_RT_MUTEX },
	{ "rt-mutex", TASKRT_TEST_RT_MUTEX, TASKRT_TEST_RT_MUTEX,
	  TASKRT_LOCK_RT_MUTEX, TASKRT_LOCK_RT_MUTEX },
	{ "semaphore", TASKRT_TEST_SEMAPHORE, TASKRT_TEST_SEMAPHORE,
	  TASKRT_LOCK_OTHER, TASKRT_LOCK_OTHER },
};

static int device;

static void take(void *arg)
{
	device_take(device, *(const uint32_t *)arg, 0);
}

/*
 * The holder waits until the other thread waits, and drops the lock D later.  It cannot
 * wait long with a spinlock held: if the clock around the work says that the other thread
 * came too late, the test tries again.
 */
static void hold_and_take(struct window *window, uint32_t hold, uint32_t how, uint32_t take_lock)
{
	do {
		device_hold(device, hold, how, D);
		window_observe(window, take, &take_lock);
	} while (window->end_ns - window->begin_ns < D && patience_lasts());
}

/* The holder runs on another CPU than the caller, and lets nobody else run there. */
static void busy_hold_and_take(struct window *window, uint32_t hold, uint32_t take_lock)
{
	thread_pin(0);
	hold_and_take(window, hold, TASKRT_TEST_BUSY, take_lock);
	thread_unpin();
}

static void check_kind(const struct taskrt_reading *delta, unsigned int kind, const char *name)
{
	unsigned int i;

	if (!tap_at_least(delta->times.locks_ns[kind], MOST, "%s: time as %s", name,
			  taskrt_lock_name(kind)))
		window_print(delta);
	tap_at_least(delta->counts.locks[kind], 1, "%s: counted as %s", name,
		     taskrt_lock_name(kind));
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		if (i != kind && delta->times.locks_ns[i] >= MOST)
			break;
	tap_ok(i == TASKRT_LOCKS_ROOM, "%s: counted as no other kind", name);
}

static void check_total(const struct window *window, const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	tap_at_least(delta->stats.lock_contention_time_ns, MOST, "%s: lock_contention_time", name);
	tap_at_most(delta->stats.lock_contention_time_ns, delta->stats.tracked_time_ns,
		    "%s: not twice", name);
	tap_equal(window_sum(delta->times.locks_ns, TASKRT_LOCKS_ROOM),
		  delta->stats.lock_contention_time_ns, "%s: the kinds sum to it", name);
	window_check_longest(window, &delta->longests.timers[TASKRT_TIMER_LOCK], MOST, name);
}

/*
 * Where the functions of a rwsem are hooked because there are no tracepoints, the whole
 * wait is reported as the rwsem's, on PREEMPT_RT too.
 */
static unsigned int kind_here(const struct lock_case *test)
{
	if (!thread_kernel_is_rt() ||
	    (test->kind == TASKRT_LOCK_RWSEM_WRITE && window_has_hook("rwsem_write_slowpath")))
		return test->kind;
	return test->rt_kind;
}

static void asleep(const struct lock_case *test)
{
	struct window window;

	hold_and_take(&window, test->hold, TASKRT_TEST_UNINTERRUPTIBLE, test->take);
	check_kind(&window.delta, kind_here(test), test->name);
	check_total(&window, test->name);
	window_check_state(&window, TASKRT_STATE_BLOCKED_LOCK, MOST, test->name);
}

/* The owner runs, so the waiter spins: that is contention all the same, and one wait. */
static void spinning_for_a_mutex(void)
{
	unsigned int kind = thread_kernel_is_rt() ? TASKRT_LOCK_RT_MUTEX : TASKRT_LOCK_MUTEX;
	struct window window;

	busy_hold_and_take(&window, TASKRT_TEST_MUTEX, TASKRT_TEST_MUTEX);
	check_kind(&window.delta, kind, "busy owner");
	check_total(&window, "busy owner");
	tap_at_most(window.delta.counts.locks[kind], 2, "busy owner: spin and sleep are one wait");
}

/* Spinlocks are not counted, except on PREEMPT_RT, where they sleep. */
static void spinlock(void)
{
	struct window window;

	busy_hold_and_take(&window, TASKRT_TEST_SPINLOCK, TASKRT_TEST_SPINLOCK);
	if (thread_kernel_is_rt()) {
		check_kind(&window.delta, TASKRT_LOCK_OTHER, "sleeping spinlock");
		return;
	}
	tap_at_least(window.end_ns - window.begin_ns, MOST, "spinlock: waited for");
	tap_at_most(window.delta.stats.lock_contention_time_ns, MOST, "spinlock: not counted");
}

/*
 * Nor a rwlock, but that of PREEMPT_RT.  A reader waits as that of a rwsem does, and a writer
 * for a writer as that for a mutex; but it is a lock that other kernels spin for.
 */
static void rwlock(const char *name, uint32_t hold, uint32_t take_lock)
{
	struct window window;

	if (thread_kernel_is_rt() && !window_has_hook("contention_begin")) {
		tap_skip(name, "this kernel has no tracepoints of locks");
		return;
	}
	busy_hold_and_take(&window, hold, take_lock);
	if (thread_kernel_is_rt()) {
		check_kind(&window.delta, TASKRT_LOCK_OTHER, name);
		check_total(&window, name);
		return;
	}
	tap_at_least(window.end_ns - window.begin_ns, MOST, "%s: waited for", name);
	tap_at_most(window.delta.stats.lock_contention_time_ns, MOST, "%s: not counted", name);
}

static void free_lock(void)
{
	uint32_t mutex = TASKRT_TEST_MUTEX;
	struct window window;

	device_hold(device, mutex, TASKRT_TEST_UNINTERRUPTIBLE, 0);
	release(device);
	window_observe(&window, take, &mutex);
	tap_at_most(window.delta.stats.lock_contention_time_ns, MOST, "free mutex: no contention");
}

int main(void)
{
	unsigned int i;

	device = device_open();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		asleep(&cases[i]);
	spinning_for_a_mutex();
	spinlock();
	rwlock("rwlock, read", TASKRT_TEST_RWLOCK_WRITE, TASKRT_TEST_RWLOCK_READ);
	rwlock("rwlock, write", TASKRT_TEST_RWLOCK_READ, TASKRT_TEST_RWLOCK_WRITE);
	rwlock("rwlock, two writers", TASKRT_TEST_RWLOCK_WRITE, TASKRT_TEST_RWLOCK_WRITE);
	free_lock();
	return tap_done();
}
