// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is removed and inserted while the machine works: tasks switch, fork, end,
 * fault and contend, some query the module and listen to it, and one sleeps inside a page
 * fault all the time.  A dump that is not read keeps the module, and nothing else.
 * TASKRT_TEST_ROUNDS: how often (6; for all that is claimed, 25).
 */
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "load.h"
#include "module.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* A pause in each round, so that the test itself gets CPU time. */
#define PAUSE	(20 * MS)

/* A thread that uses the module all the time, whether it is there or not. */
struct asker {
	struct thread thread;
	volatile int stop;
	uint64_t answers;		/* threads, or exits, that were reported to it */
	uint64_t gone;			/* requests that found the module gone, or accounting off */
	unsigned int wrong;		/* other errors; each is printed */
};

static struct slow *slow;

/*
 * The errors that may occur while the module is removed and inserted.  -ENODATA: accounting
 * is switched off first, and on last; -EINTR: threads came and went during a dump; -ENOENT: the
 * module is not there, or is just being inserted.
 */
static void judge(struct asker *asker, int err, const char *what)
{
	if (err == -ENODEV || err == -ENODATA) {
		asker->gone++;
	} else if (err && err != -EINTR && err != -ENOENT) {
		asker->wrong++;
		tap_diag("%s: %s", what, strerror(-err));
	}
}

static int count(const struct taskrt_reading *reading, void *arg)
{
	struct asker *asker = arg;

	(void)reading;
	asker->answers++;
	return 0;
}

/* One round of queries; 0 as long as the module is there. */
static int ask(struct asker *asker, struct taskrt *handle)
{
	struct taskrt_reading reading;
	struct taskrt_info info;
	int err = window_ask(handle, TASKRT_ENTITY_THREAD, 0, &reading);

	judge(asker, err, "get");
	if (!err) {
		err = taskrt_get_info(handle, &info, sizeof(info));
		judge(asker, err, "info");
	}
	if (!err) {
		err = window_each(handle, 0, count, asker);
		judge(asker, err, "all threads");
	}
	return err == -EINTR ? 0 : err;
}

/* Queries its own thread, the module and all threads, in turn. */
static void ask_on(void *arg)
{
	struct asker *asker = arg;
	struct taskrt *handle;

	while (!asker->stop) {
		int err = taskrt_open(&handle);

		judge(asker, err, "open");
		while (!err && !asker->stop) {
			err = ask(asker, handle);
			clock_sleep(PAUSE);
		}
		taskrt_close(handle);
		clock_sleep(PAUSE);
	}
}

static int hear(struct asker *asker, struct taskrt_exits *listener)
{
	struct taskrt_exit exit;
	int got, wait_ms = 50;

	while ((got = taskrt_exits_next(listener, wait_ms, &exit, sizeof(exit))) == 1) {
		asker->answers++;
		wait_ms = 0;
	}
	if (got)
		judge(asker, got, "next");
	return got;
}

/* Listens to all exits. */
static void listen_on(void *arg)
{
	struct asker *asker = arg;
	struct taskrt_exits *listener;

	while (!asker->stop) {
		int err = taskrt_exits_open(&listener);

		judge(asker, err, "open a listener");
		if (!err) {
			err = taskrt_exits_register(listener, NULL, NULL, 0, NULL, 0);
			judge(asker, err, "register");
		}
		while (!err && !asker->stop)
			err = hear(asker, listener);
		taskrt_exits_close(listener);
		clock_sleep(PAUSE);
	}
}

static void start(struct asker *asker, void (*fn)(void *arg))
{
	memset(asker, 0, sizeof(*asker));
	thread_start(&asker->thread, fn, asker);
}

static void stop(struct asker *asker)
{
	asker->stop = 1;
	thread_join(&asker->thread);
}

static void fault_for_long(void *unused)
{
	(void)unused;
	*slow_page(slow, 0) = 1;
}

/* Alternates between an immediate removal and one after some work. */
static int go_and_come(unsigned long round)
{
	struct taskrt *handle;
	int err = module_remove(MODULE_TASKRT);

	if (err)
		tap_bail("round %lu: removing: %s", round, strerror(-err));
	err = taskrt_open(&handle);
	if (err != -ENOENT)
		tap_bail("round %lu: taskrt_open without the module: %d", round, err);
	err = module_insert(MODULE_TASKRT, "");
	if (err)
		tap_bail("round %lu: inserting: %s", round, strerror(-err));
	if (round % 2)
		clock_sleep(20 * MS);
	return window_works();
}

/* A handle from before finds that the module is gone, then that another one is in its place. */
static void old_handle(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_reading reading;
	int err;

	window_thread(handle, 0, &reading);
	if (module_remove(MODULE_TASKRT))
		tap_bail("removing");
	tap_errno(window_ask(handle, TASKRT_ENTITY_THREAD, 0, &reading), -ENODEV,
		  "an old handle: the module has gone");
	module_again("");
	err = window_ask(handle, TASKRT_ENTITY_THREAD, 0, &reading);
	tap_ok(!err || err == -ENODEV, "an old handle: it is back, or gone for this handle");
	taskrt_close(handle);
}

static void check_askers(const struct asker *askers, const struct asker *listener)
{
	tap_at_least(askers[0].answers, 1, "an asker is answered in between");
	tap_at_least(askers[1].answers, 1, "another one too");
	tap_at_least(listener->answers, 1, "the listener receives records in between");
	tap_at_least(listener->gone, 1, "and learns that the module is gone");
	tap_equal(askers[0].wrong + askers[1].wrong + listener->wrong, 0,
		  "nobody gets another error");
}

static int is_answered(struct asker *asker)
{
	return __atomic_load_n(&asker->answers, __ATOMIC_RELAXED) != 0;
}

static void drop(const struct raw_stats *stats, void *seen)
{
	(void)stats;
	++*(unsigned int *)seen;
}

/*
 * The kernel keeps the module for a dump until it is read to its end or its socket is
 * closed.  Accounting can be switched off meanwhile.
 */
static void unread_dump(void)
{
	struct raw_answer answer;
	unsigned int seen = 0;
	struct raw raw;

	if (raw_open_plain(&raw) || command_dump_begin(&raw))
		tap_bail("a dump");
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN, "the module stays for a dump");
	tap_errno(module_set("enabled", "0"), 0, "which lets accounting be switched off");
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN, "the module stays nevertheless");
	raw_receive(&raw, &answer, drop, &seen);
	tap_ok(answer.answered && seen, "the dump is read: %u tasks, error %d", seen, answer.error);
	tap_errno(module_remove(MODULE_TASKRT), 0, "then the module can be removed");
	raw_close(&raw);
	if (module_insert(MODULE_TASKRT, "") || raw_open_plain(&raw) || command_dump_begin(&raw))
		tap_bail("another dump");
	tap_errno(module_try_remove(MODULE_TASKRT), -EAGAIN, "it stays for another dump");
	raw_close(&raw);
	tap_errno(module_remove(MODULE_TASKRT), 0, "until its socket is closed");
	module_again("");
	tap_ok(window_works(), "and works again");
}

/* Removes and inserts the module this often, and until every asker has had an answer. */
static void under_load(unsigned long rounds)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE;
	struct asker askers[2], listener;
	unsigned long i, good = 0;

	load_start(LOAD_ALL);
	start(&askers[0], ask_on);
	start(&askers[1], ask_on);
	start(&listener, listen_on);
	for (i = 0; i < rounds || (clock_now() < patience &&
	     (!is_answered(&askers[0]) || !is_answered(&askers[1]) || !is_answered(&listener) ||
	      !__atomic_load_n(&listener.gone, __ATOMIC_RELAXED))); i++)
		good += go_and_come(i);
	clock_sleep(100 * MS);
	stop(&askers[0]);
	stop(&askers[1]);
	stop(&listener);
	load_stop();
	tap_equal(good, i, "%lu times: it counts at once", i);
	check_askers(askers, &listener);
}

int main(void)
{
	struct thread sleeper;

	slow = slow_new(1, SLOW_FOR_EVER);
	thread_start(&sleeper, fault_for_long, NULL);
	thread_await(sleeper.tid, "SD");
	under_load(tap_setting("TASKRT_TEST_ROUNDS", 6));
	tap_equal(thread_letter(sleeper.tid) != 0, 1, "the fault slept through all of it");
	slow_release(slow);
	thread_join(&sleeper);
	tap_ok(window_works(), "and it may end");
	slow_free(slow);
	old_handle();
	unread_dump();
	return tap_done();
}
