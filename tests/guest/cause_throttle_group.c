// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads whose control group has used up its quota are throttled, and not preempted: for as
 * long as cpu.stat says.  That is what a window is explained by.  See explained.h for
 * TASKRT_TEST_ROUNDS.
 */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "explained.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"
#include "throttle.h"

/* 80 of 100 ms are left without CPU time. */
#define QUOTA	"20000 100000"
#define NONE	"max 100000"

#define CONTROLLERS	CGROUP_ROOT "/cgroup.subtree_control"

static uint64_t group_throttled_ns(void)
{
	const char *key = "throttled_usec ", *at;
	char text[512];
	unsigned long long us;

	if (!setting_read(CGROUP_OWN "/cpu.stat", text, sizeof(text)))
		tap_bail("no cpu.stat");
	at = strstr(text, key);
	if (!at || sscanf(at + strlen(key), "%llu", &us) != 1)
		tap_bail("cpu.stat: %s", text);
	return us * 1000;
}

static void group_limit(const char *quota)
{
	setting_must_write(CGROUP_OWN "/cpu.max", quota);
}

static void group_move(const char *folder)
{
	char path[64], text[16];

	snprintf(path, sizeof(path), "%s/cgroup.threads", folder);
	snprintf(text, sizeof(text), "%d", (int)syscall(SYS_gettid));
	setting_must_write(path, text);
}

/* The calling thread is in the group from now on. */
static void group_enter(void)
{
	thread_pin(THROTTLE_CPU);
	group_move(CGROUP_OWN);
}

static void group_leave(void)
{
	group_move(CGROUP_ROOT);
}

static int switched_on;

static int is_on(const char *controllers)
{
	char text[256], *word;

	setting_read(controllers, text, sizeof(text));
	for (word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
		if (!strcmp(word, "cpu"))
			return 1;
	return 0;
}

static void group_remove(void)
{
	cgroup_remove();
	if (switched_on)
		setting_write(CONTROLLERS, "-cpu");
}

/* Return: 0: the kernel has no quotas, or no cgroups of version 2. */
static int group_make(void)
{
	if (!cgroup_make() || !is_on(CGROUP_ROOT "/cgroup.controllers"))
		return 0;
	atexit(group_remove);
	if (!is_on(CONTROLLERS)) {
		setting_must_write(CONTROLLERS, "+cpu");
		switched_on = 1;
	}
	if (access(CGROUP_OWN "/cpu.max", F_OK))
		return 0;
	setting_must_write(CGROUP_OWN "/cgroup.type", "threaded");
	return 1;
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

	group_limit(QUOTA);
	do {
		before = group_throttled_ns();
		window_observe(&window, work_in_group, NULL);
		kernel = group_throttled_ns() - before;
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

	group_limit(NONE);
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

	group_limit(QUOTA);
	throttle_woken(&scene, 10 * MS);
}

static void explained(void)
{
	const struct reason throttled = {
		.name = "explained", .cause = TASKRT_CAUSE_THROTTLED, .make = clock_spin,
		.least = 120 * MS, .most = 220 * MS,
	};
	struct taskrt_self *self = self_open();

	group_limit(QUOTA);
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
	if (group_make()) {
		quota();
		no_quota();
		woken();
		explained();
	} else {
		tap_skip("quotas", "this kernel has no cpu.max");
	}
	return tap_done();
}
