// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads whose control group has used up its quota are throttled, and not preempted: for as
 * long as cpu.stat says.  That is what a window is explained by.  See explained.h for
 * TASKRT_TEST_ROUNDS.
 */
#include <semaphore.h>

#include "clock.h"
#include "explained.h"
#include "patience.h"
#include "quota.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

/* The calling thread is in the group from now on. */
static void group_enter(void)
{
	thread_pin(THROTTLE_CPU);
	quota_enter(CGROUP_OWN);
}

static void group_leave(void)
{
	quota_enter(CGROUP_ROOT);
}

static void work_in_group(void *unused)
{
	(void)unused;
	group_enter();
	clock_spin(500 * MS);
	group_leave();
}

/* Since the group was made, nobody else was in it. */
static void quota(void)
{
	struct window window;
	uint64_t before, kernel;

	quota_set(CGROUP_OWN, QUOTA);
	do {
		before = quota_throttled_ns(CGROUP_OWN);
		window_observe(&window, work_in_group, NULL);
		kernel = quota_throttled_ns(CGROUP_OWN) - before;
	} while ((kernel < THROTTLE_PIECE || !throttle_has_piece(&window) ||
		  window.delta.times.states_ns[THROTTLED] < kernel * 9 / 10) && patience_lasts());
	throttle_check(&window, "quota");
	tap_at_least(kernel, THROTTLE_PIECE, "quota: cpu.stat has it, too");
	tap_at_least(window.delta.times.states_ns[THROTTLED], kernel * 9 / 10,
		     "quota: as much as in cpu.stat");
}

/* Where groups are throttled, a thread that others preempt is not, if its own is not. */
static sem_t go;

static void compete(void *unused)
{
	(void)unused;
	thread_pin(THROTTLE_CPU);
	thread_fifo(50);
	sem_wait(&go);
	clock_spin(80 * MS);
}

static void be_preempted(void *unused)
{
	(void)unused;
	group_enter();
	sem_post(&go);
	clock_burn(5 * MS);
	group_leave();
}

static void no_quota(void)
{
	struct thread competitor;
	struct window window;

	quota_set(CGROUP_OWN, QUOTA_NONE);
	do {
		thread_start(&competitor, compete, NULL);
		thread_await(competitor.tid, "S");
		window_observe(&window, be_preempted, NULL);
		thread_join(&competitor);
	} while (window.delta.longests.states[TASKRT_STATE_PREEMPTED].ns < THROTTLE_PIECE &&
		 patience_lasts());
	window_check_state(&window, TASKRT_STATE_PREEMPTED, THROTTLE_PIECE, "no quota");
	tap_equal(window.delta.times.states_ns[THROTTLED], 0, "no quota: not throttled");
}

static void woken(void)
{
	const struct throttle_scene scene = {
		"woken in a group", group_enter, group_enter, group_leave, NULL
	};

	quota_set(CGROUP_OWN, QUOTA);
	throttle_woken(&scene, 10 * MS);
}

static void explained(void)
{
	const struct reason throttled = {
		.name = "explained", .cause = TASKRT_CAUSE_THROTTLED, .make = clock_spin,
		.least = 120 * MS, .most = 220 * MS,
	};
	struct taskrt_self *self = self_open();

	quota_set(CGROUP_OWN, QUOTA);
	group_enter();
	explained_check(self, &throttled);
	group_leave();
	taskrt_self_close(self);
}

int main(void)
{
	if (!throttle_measured())
		return tap_done();
	sem_init(&go, 0, 0);
	if (quota_make()) {
		quota();
		no_quota();
		woken();
		explained();
	} else {
		tap_skip("quotas", "this kernel has no cpu.max");
	}
	return tap_done();
}
