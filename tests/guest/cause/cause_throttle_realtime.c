// SPDX-License-Identifier: GPL-2.0-only
/*
 * Real-time threads have to leave some time to those without real-time priority: then they
 * are throttled, and not preempted.
 */
#include <semaphore.h>

#include "clock.h"
#include "patience.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

#define RUNTIME		"/proc/sys/kernel/sched_rt_runtime_us"
#define LEAST		(10 * MS)	/* of the 50 that others get of each second */
#define WITHOUT_REST	(30 * MS)	/* of those */

static sem_t bell;
static volatile int over;
static volatile unsigned long got;	/* grows while the other thread has the CPU */
static unsigned long in_vain;		/* rounds in which it did not get it */

/*
 * Rings for the other thread for as long as the process lives.  It does so from another CPU:
 * on PREEMPT_RT, a thread in real time may keep a CPU from its timers.
 */
static void ring(void *unused)
{
	(void)unused;
	thread_pin(THROTTLE_CPU + 1);
	for (;;) {
		clock_sleep(MS);
		sem_post(&bell);
	}
}

static void await_bell(void)
{
	while (!sem_trywait(&bell))
		;
	while (sem_wait(&bell))
		;
}

/* Computes until this thread has had the CPU for @ns: between two looks it has kept it. */
static void compute(uint64_t ns)
{
	uint64_t had = 0, last = clock_now(), now;

	while (had < ns && !over) {
		got++;
		now = clock_now();
		if (now - last < MS)
			had += now - last;
		last = now;
	}
}

/*
 * Without real-time priority.  It leaves the CPU now and then: if the scheduler's clock stands
 * still, because threads in real time keep the kernel from changing it, neither those nor the
 * kernel ever get the CPU from this one.  So its own time is not asked of that clock, either.
 */
static void want_cpu(void *unused)
{
	(void)unused;
	thread_pin(THROTTLE_CPU);
	while (!over) {
		await_bell();
		compute(WITHOUT_REST);
	}
}

/*
 * It is throttled for some 50 ms only, so there is no time to ask for its state.  If the kernel
 * does not do that, the scene is played once more.
 */
static void await_throttled(void)
{
	const uint64_t end = clock_now() + 3 * SEC;
	const unsigned long before = got;

	while (got == before && clock_now() < end)
		;
	in_vain += got == before;
}

static void enter_realtime(void)
{
	thread_fifo(20);
	thread_pin(THROTTLE_CPU);
}

/* It has the CPU before the other one, which does not give it up. */
static void enter_above(void)
{
	thread_fifo(30);
	thread_pin(THROTTLE_CPU);
}

/* Longer than the second of which threads without priority get a twentieth. */
static void burn_in_realtime(void *unused)
{
	(void)unused;
	enter_realtime();
	clock_spin(2500 * MS);
	thread_other();
}

int main(void)
{
	const struct throttle_scene scene = {
		"woken in real time", enter_realtime, enter_above, NULL, await_throttled
	};
	struct thread ringer, other;
	struct window window;
	char before[32];

	if (!throttle_measured())
		return tap_done();
	if (!setting_read(RUNTIME, before, sizeof(before)))
		tap_bail("no " RUNTIME);
	setting_must_write(RUNTIME, "950000");
	sem_init(&bell, 0, 0);
	thread_start(&ringer, ring, NULL);
	thread_start(&other, want_cpu, NULL);
	do
		window_observe(&window, burn_in_realtime, NULL);
	while (window.delta.longests.states[THROTTLED].ns < LEAST && patience_lasts());
	window_check_state(&window, THROTTLED, LEAST, "real time");
	tap_at_least(window.delta.stats.queue_time_ns, window.delta.times.states_ns[THROTTLED],
		     "real time: part of queue_time");
	throttle_woken(&scene, MS);
	tap_diag("in %lu rounds nobody was throttled", in_vain);
	over = 1;
	thread_join(&other);
	/* Since 6.12 the kernel may refuse the value with which it has begun: no limit. */
	if (!setting_write(RUNTIME, before))
		setting_must_write(RUNTIME, "-1");
	return tap_done();
}
