// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parameter's file exists before the module is initialized.  The test writes to it at
 * several moments of the insertion to switch accounting off: accounting is off afterwards.
 * TASKRT_TEST_ROUNDS: how often (12).
 */
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "module.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

struct writer {
	uint64_t delay;		/* from the moment at which the file exists */
	int err;
};

static void switch_off(void *arg)
{
	const uint64_t end = clock_now() + CLOCK_PATIENCE;
	struct writer *writer = arg;
	char value[8];

	do
		writer->err = module_get("enabled", value, sizeof(value));
	while (writer->err == -ENOENT && clock_now() < end);
	clock_sleep(writer->delay);
	if (!writer->err)
		writer->err = module_set("enabled", "0");
}

/* Are both the parameter and the module off, as the writer wanted? */
static int is_off(unsigned long round)
{
	struct taskrt *handle = window_open();
	struct taskrt_info info;
	char value[8] = "";

	window_info(handle, &info);
	taskrt_close(handle);
	module_get("enabled", value, sizeof(value));
	if (info.enabled || strcmp(value, "N"))
		tap_diag("round %lu: the parameter is %s, enabled %u", round, value, info.enabled);
	return !info.enabled && !strcmp(value, "N");
}

static void must_remove(void)
{
	int err = module_loaded(MODULE_TASKRT) ? module_remove(MODULE_TASKRT) : 0;

	if (err)
		tap_bail("removing: %s", strerror(-err));
}

static uint64_t insert(void)
{
	const uint64_t begin = clock_now();
	int err = module_insert(MODULE_TASKRT, "");

	if (err)
		tap_bail("inserting: %s", strerror(-err));
	return clock_now() - begin;
}

int main(void)
{
	unsigned long rounds = tap_setting("TASKRT_TEST_ROUNDS", 12), i, written = 0, off = 0;
	struct writer writer;
	struct thread thread;
	uint64_t took;

	must_remove();
	took = insert();
	for (i = 0; i < rounds; i++) {
		must_remove();
		writer.delay = took * i / rounds;
		thread_start(&thread, switch_off, &writer);
		insert();
		thread_join(&thread);
		written += !writer.err;
		off += is_off(i);
	}
	tap_diag("an insertion takes %llu us", (unsigned long long)(took / US));
	tap_equal(written, rounds, "accounting is switched off while the module is inserted");
	tap_equal(off, rounds, "and is off");
	module_again("");
	return tap_done();
}
