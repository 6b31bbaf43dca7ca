// SPDX-License-Identifier: GPL-2.0-only
/*
 * While a reader under RCU keeps their recorders from being freed, a user may disarm a bounded
 * number of threads; then ARM waits until those are freed.  Those that were taken away from
 * their sockets are as bounded; but they have a last alert first, so ARM may refuse then.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "device.h"
#include "module.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define LEAVING	64	/* as docs/user/limits.md says */
#define THREADS	100	/* more than that */
#define WAITS	30	/* so often in a row is it seen to wait */
#define USERS	3100	/* their uids */
#define TRIES	8

/* Written by the user, a process with many threads. */
static struct shared {
	volatile unsigned int disarmed, failed, refused;
	volatile int ready, go, waits, done;
} *shared;

static int turns[2];		/* who reads from it may arm itself */

static struct armer {
	volatile pid_t tid;
	volatile int returned;	/* from ARM */
	struct raw raw;
} armers[THREADS], *volatile arming;	/* whose turn it is */

/*
 * It is armed, and ARM does not return while there is a reader, unless it is disarmed: no hook
 * may miss the mark.
 */
static void arm_own(void *arg)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct armer *armer = arg;
	char byte;
	int err;

	if (raw_open(&armer->raw) || read(turns[0], &byte, 1) < 0)
		_exit(1);
	if (byte) {
		armer->tid = gettid();
		arming = armer;
		err = recorder_arm(&armer->raw, &arm, NULL);
		if (err)
			__atomic_add_fetch(err == -EAGAIN ? &shared->refused : &shared->failed, 1,
					   __ATOMIC_RELAXED);
		armer->returned = 1;
	}
	raw_close(&armer->raw);
}

static void next_turn(char byte)
{
	if (write(turns[1], &byte, 1) != 1)
		_exit(1);
}

/*
 * @raw: takes the thread away from its socket; NULL: its own socket disarms it, whose two
 * answers may then change places: both say 0
 * Return: 0, if the next thread waits and cannot be disarmed, so it is not armed yet; or if the
 * reader has ended.
 */
static int disarm_next(const struct raw *raw)
{
	unsigned int waits = 0;
	struct raw from;

	arming = NULL;
	next_turn(1);
	while (!arming)
		sched_yield();
	from = raw ? *raw : arming->raw;
	while (recorder_disarm(&from, arming->tid)) {
		/* It may have waited for something else. */
		waits = thread_letter(arming->tid) == 'D' ? waits + 1 : 0;
		shared->waits = waits == WAITS;
		if (shared->waits || arming->returned)
			return 0;
		sched_yield();
	}
	return 1;
}

static void be_user(const struct ask_who *who)
{
	static struct thread threads[THREADS];
	unsigned int i;
	struct raw raw;

	ask_become(who);
	if (raw_open(&raw) || pipe(turns))
		_exit(1);
	for (i = 0; i < THREADS; i++)
		thread_start(&threads[i], arm_own, &armers[i]);
	shared->ready = 1;
	clock_await(shared->go, "nobody says when to begin");
	while (shared->disarmed < THREADS && disarm_next(who->caps ? &raw : NULL))
		shared->disarmed++;
	shared->done = 1;
	for (i = 0; i < THREADS; i++)
		next_turn(0);
	for (i = 0; i < THREADS; i++)
		thread_join(&threads[i]);
	_exit(0);
}

static int arm_once(void *who)
{
	const struct recorder_arm arm = { .depth = 8 };
	struct raw raw;

	ask_become(who);
	return raw_open(&raw) ? 100 : -recorder_arm(&raw, &arm, NULL);
}

/* @caps: CAP_PERFMON takes threads away from their sockets; 0: their sockets disarm them */
static void keep_and_disarm(int test, unsigned int uids, uint64_t caps)
{
	struct ask_who user;
	int err, status = 1, tries = 0;
	pid_t pid;

	/*
	 * On a machine that stops for so long that the reader has ended, all is done again, by
	 * a user who has disarmed nothing.
	 */
	do {
		user = (struct ask_who){ uids + tries, uids + tries, uids + tries, caps };
		memset(shared, 0, sizeof(*shared));
		pid = fork();
		if (!pid)
			be_user(&user);
		clock_await(shared->ready, "the user's threads do not start");
		device_read(test);
		shared->go = 1;
		clock_await(shared->done, "the user's threads neither wait nor are all disarmed");
		err = device_read_end(test);
		waitpid(pid, &status, 0);
	} while (err && ++tries < TRIES);
	tap_errno(err, 0, "the reader kept them from being freed");
	tap_equal(shared->disarmed, LEAVING, "a user may disarm %d threads that are not freed",
		  LEAVING);
	tap_ok(shared->waits, "ARM of the next one waits");
	tap_equal(status, 0, "and returns when they are freed");
	tap_equal(shared->failed + (caps ? 0 : shared->refused), 0, "no thread is refused%s",
		  caps ? ", but for a moment" : "");
	if (caps)
		clock_await(ask_in_child(arm_once, &user) != EAGAIN,
			    "the last alerts keep the recorders");
	tap_equal(ask_in_child(arm_once, &user), 0, "and the user may arm");
}

int main(void)
{
	char before[32];
	int test;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("threads that were disarmed are bounded", "needs two processors");
		return tap_done();
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("mmap");
	thread_pin(0);
	test = device_open();
	if (module_get("armed_per_user", before, sizeof(before)) ||
	    module_set("armed_per_user", "4"))
		tap_bail("no parameter armed_per_user");
	keep_and_disarm(test, USERS, 0);
	keep_and_disarm(test, USERS + TRIES, ASK_CAP_PERFMON);
	module_set("armed_per_user", before);
	close(test);
	return tap_done();
}
