// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting is switched off and on under load.  While it is off every query is refused;
 * after that it begins anew, and keeps all its promises from there on.
 * TASKRT_TEST_ROUNDS: how often (25).
 */
#include <errno.h>

#include "clock.h"
#include "load.h"
#include "module.h"
#include "tap.h"
#include "window.h"

static struct taskrt *handle;
static unsigned int broken;

static int add_up(const struct taskrt_reading *reading, void *unused)
{
	(void)unused;
	broken += !window_adds_up(reading);
	return 0;
}

static int dump_all(void)
{
	int err = window_each(handle, 0, add_up, NULL);

	return err == -EINTR ? 0 : err;
}

/* While accounting is off every query fails, and there is no record. */
static int off_is_off(void)
{
	struct taskrt_reading reading;
	struct taskrt_info info;

	if (window_ask(handle, TASKRT_ENTITY_THREAD, 0, &reading) != -ENODATA ||
	    window_ask(handle, TASKRT_ENTITY_PROCESS, 1, &reading) != -ENODATA)
		return 0;
	window_info(handle, &info);
	return !info.enabled && !info.threads;
}

static int on_is_on(uint64_t since)
{
	struct taskrt_reading reading;
	struct taskrt_info info;

	window_thread(handle, 0, &reading);
	window_info(handle, &info);
	return info.enabled && info.enabled_since_ns + MS >= since &&
	       reading.stats.tracked_since_ns + MS >= since && window_adds_up(&reading) &&
	       reading.stats.flags & TASKRT_FLAG_PREEXISTING;
}

/* The kernel's own totals grow meanwhile, and these two come from there. */
static void totals_survive(void)
{
	struct taskrt_reading before, after;
	uint64_t off_until, used;

	window_thread(handle, 0, &before);
	used = clock_of(CLOCK_THREAD_CPUTIME_ID);
	module_must_set("enabled", "0");
	clock_burn(20 * MS);
	tap_errno(window_each(handle, 0, add_up, NULL), -ENODATA,
		  "off: a dump says so, too");
	off_until = clock_now();
	module_must_set("enabled", "1");
	window_thread(handle, 0, &after);
	tap_at_least(after.stats.cpu_time_ns, used + 10 * MS,
		     "cpu_time is since creation, off times included");
	tap_equal(after.stats.start_time_ns, before.stats.start_time_ns,
		  "it is still the same thread");
	tap_at_least(after.stats.tracked_since_ns, off_until, "the states begin anew");
	tap_equal(after.stats.tracked_time_ns,
		  after.stats.sample_time_ns - after.stats.tracked_since_ns,
		  "and count from there");
}

/* A module that has never attached a hook does not say that it has. */
static void inserted_while_off(void)
{
	struct taskrt_hook hook;
	struct taskrt_info info;
	unsigned int i, attached = 0;

	module_again("enabled=0");
	handle = window_open();
	window_info(handle, &info);
	for (i = 0; !taskrt_info_hook(handle, i, &hook, sizeof(hook)); i++)
		attached += !hook.status;
	tap_at_least(i, 1, "inserted while off: the hooks are listed");
	tap_equal(attached, 0, "inserted while off: none is said to be attached");
	taskrt_close(handle);
	module_again("");
}

int main(void)
{
	unsigned long rounds = tap_setting("TASKRT_TEST_ROUNDS", 25), i;
	unsigned long off = 0, on = 0, dumps = 0;
	uint64_t begin, off_ns = 0, on_ns = 0;

	handle = window_open();
	totals_survive();
	load_start(LOAD_ALL);
	for (i = 0; i < rounds; i++) {
		begin = clock_now();
		module_must_set("enabled", "0");
		off_ns += clock_now() - begin;
		off += off_is_off();
		begin = clock_now();
		module_must_set("enabled", "1");
		on_ns += clock_now() - begin;
		on += on_is_on(begin);
		dumps += !dump_all();
	}
	load_stop();
	tap_diag("%lu rounds, off takes %llu us, on %llu us", rounds,
		 (unsigned long long)(off_ns / US / rounds),
		 (unsigned long long)(on_ns / US / rounds));
	tap_equal(off, rounds, "off: no thread, no process, no record");
	tap_equal(on, rounds, "on: all threads are tracked from then on");
	tap_equal(dumps, rounds, "on: all can be dumped");
	tap_equal(broken, 0, "on: the states add up");
	module_must_set("enabled", "1");
	tap_errno(module_set("enabled", "perhaps"), -EINVAL, "a value that is neither");
	taskrt_close(handle);
	inserted_while_off();
	return tap_done();
}
