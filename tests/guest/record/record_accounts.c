// SPDX-License-Identifier: GPL-2.0-only
/*
 * For whom armed threads and alerts count: a user with subordinate ids is one, an
 * administrator is not kept out, and many threads have no more alerts than their user.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "alert.h"
#include "ask.h"
#include "clock.h"
#include "modinfo.h"
#include "module.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"
#include "token.h"
#include "userns.h"

#define OWN	4		/* armed_per_user */
#define ALL	16		/* armed_max */
#define IDS	8
#define SLEEPERS	40
#define ALERTERS	50
#define EACH		3		/* alerts of one of them */
#define RATE	20		/* alerts per second */

static struct thread sleepers[SLEEPERS];
static unsigned int tried;
static int never[2];

static void sleep_on(void *unused)
{
	char byte;

	(void)unused;
	if (read(never[0], &byte, 1) < 0)
		_exit(TOKEN_LOST);
}

static void start_sleepers(void)
{
	unsigned int i;

	if (pipe(never))
		_exit(TOKEN_LOST);
	for (i = 0; i < SLEEPERS; i++)
		thread_start(&sleepers[i], sleep_on, NULL);
}

/* Returns how many of so many threads can be armed.  They stay armed. */
static unsigned int arm_times(unsigned int times)
{
	unsigned int accepted = 0;
	struct raw raw;

	if (raw_open(&raw))
		_exit(TOKEN_LOST);
	while (times--) {
		const struct recorder_arm arm = { .tid = sleepers[tried++].tid, .depth = 8 };

		accepted += !recorder_arm(&raw, &arm, NULL);
	}
	return accepted;
}

static unsigned int arm_as(uid_t uid, unsigned int times)
{
	unsigned int accepted;

	userns_enter_user(uid);
	accepted = arm_times(times);
	userns_leave_user();
	return accepted;
}

static int arm_as_each(void *unused)
{
	unsigned int accepted;
	uid_t uid;

	(void)unused;
	start_sleepers();
	accepted = arm_times(2);
	for (uid = 1; uid < IDS; uid++)
		accepted += arm_as(uid, 2);
	return accepted;
}

static void subordinates(void)
{
	static const char map[] = "0 1000 1\n1 100000 8\n";

	tap_equal(userns_wait(userns_start(ASK_USER, map, arm_as_each, NULL)), OWN,
		  "a user with %u subordinate ids has the armed threads of one", IDS - 1);
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "they ended with it");
}

static int numbers[2];

static int users_first(void *unused)
{
	unsigned int users = 0, root;
	uid_t uid;

	(void)unused;
	start_sleepers();
	for (uid = 2001; uid <= 2005; uid++)
		users += arm_as(uid, OWN);
	root = arm_times(OWN);
	if (write(numbers[1], (unsigned int[]){ users, root }, 2 * sizeof(root)) < 0)
		return TOKEN_LOST;
	return 0;
}

static void reserve(void)
{
	unsigned int accepted[2];

	if (ask_in_child(users_first, NULL) ||
	    read(numbers[0], accepted, sizeof(accepted)) != sizeof(accepted))
		tap_bail("nothing is armed");
	tap_equal(accepted[0], ALL - ALL / 4, "all users together have three quarters");
	tap_equal(accepted[1], ALL / 4, "an administrator has what is left");
	modinfo_await(TASKRT_INFO_A_ARMED, 0);
}

static atomic_uint raised;

static void alert_a_few(void *unused)
{
	const struct recorder_arm arm = { .depth = 2 };
	struct raw raw;
	unsigned int i;
	int err;

	(void)unused;
	err = raw_open(&raw) ?: recorder_arm(&raw, &arm, NULL);
	for (i = 0; i < EACH && !err; i++) {
		err = recorder_tell("one of many");
		if (err == -EAGAIN)
			err = 0;
		atomic_fetch_add(&raised, 1);
	}
	if (err)
		tap_bail("arming or alerting: %s", strerror(-err));
	raw_close(&raw);
}

/* One user's threads.  Each asks for less than a thread may have. */
static int crowd(void *arg)
{
	const struct ask_who who = { *(uid_t *)arg, *(uid_t *)arg, *(uid_t *)arg, 0 };
	struct thread threads[ALERTERS];
	unsigned int i;

	ask_become(&who);
	for (i = 0; i < ALERTERS; i++)
		thread_start(&threads[i], alert_a_few, NULL);
	for (i = 0; i < ALERTERS; i++)
		thread_join(&threads[i]);
	return atomic_load(&raised);
}

static struct alert_listener listener;

struct told {
	uint64_t received, lost, raised;
};

/* All of these users alert; each is waited for. */
static void crowds(uid_t first, uid_t last, struct told *told)
{
	uint64_t before = modinfo(TASKRT_INFO_A_ALERTS), lost = modinfo(TASKRT_INFO_A_ALERTS_LOST);
	uint64_t received = listener.received;
	uid_t uid;

	told->raised = 0;
	for (uid = first; uid <= last; uid++)
		told->raised += ask_in_child(crowd, &uid);
	modinfo_await(TASKRT_INFO_A_ALERTS, before + told->raised);
	alert_drain(&listener);
	told->received = listener.received - received;
	told->lost = modinfo(TASKRT_INFO_A_ALERTS_LOST) - lost;
}

/* How many a rate allows in this time, beginning with a burst of a second. */
static uint64_t at_most(uint64_t ns)
{
	return RATE + 1 + ns * RATE / SEC + 1;
}

static void check(const struct told *told, uint64_t ns, const char *name)
{
	tap_at_most(told->received, at_most(ns), "%s: no more than that many", name);
	tap_at_least(told->received, 1, "%s: but some", name);
	tap_equal(told->received + told->lost, told->raised, "%s: the others are lost", name);
}

static void alerts_of_one(void)
{
	uint64_t begin = clock_now();
	struct told told;

	module_must_set("alerts_per_user", "20");
	crowds(2001, 2001, &told);
	tap_equal(told.raised, ALERTERS * EACH, "%u threads alert", ALERTERS);
	check(&told, clock_now() - begin, "one user");
	/* Nothing of the user is armed at this moment: its rate goes on all the same. */
	crowds(2001, 2001, &told);
	tap_at_most(told.received, at_most(clock_now() - begin), "one user: neither anew");
	module_must_set("alerts_per_user", "100");
}

/* The administrator alerts at the moment in which all users have had all they may. */
static void alerts_of_all(void)
{
	const struct recorder_arm arm = { .depth = 2 };
	uint64_t begin = clock_now();
	struct told told;
	struct raw raw;

	if (raw_open(&raw) || recorder_arm(&raw, &arm, NULL))
		tap_bail("arming");
	module_must_set("alerts_max", "20");
	crowds(2002, 2004, &told);
	check(&told, clock_now() - begin, "three users");
	recorder_must_tell("administrator");
	tap_ok(alert_of(&listener, gettid()) != NULL, "an administrator's is delivered");
	module_must_set("alerts_max", "1000");
	raw_close(&raw);
}

int main(void)
{
	if (pipe(numbers))
		tap_bail("pipe");
	module_must_set("armed_per_user", "4");
	subordinates();
	module_must_set("armed_max", "16");
	reserve();
	module_must_set("armed_per_user", "256");
	module_must_set("armed_max", "1024");
	alert_open(&listener);
	alerts_of_one();
	alerts_of_all();
	tap_equal(listener.wrong, 0, "every promise of the header is kept");
	alert_close(&listener);
	return tap_done();
}
