// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include <taskrt.h>
#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "explained.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "thread.h"

#define TRIES	20
#define RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"

static char runtime_before[32];

static uint64_t sum_of(const struct taskrt_explanation *e)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		sum += e->shares[i].ns;
	return sum;
}

/* What was due begins only when it is known how late it is. */
static void make(struct taskrt_window *window, struct taskrt_self *self,
		 const struct reason *reason, uint64_t ns)
{
	if (!reason->due)
		taskrt_window_begin(window, self);
	reason->make(ns);
	if (reason->due)
		taskrt_window_begin_due(window, self, 0);
}

/* Return: 1 if the shares sum to the window. */
static int explain(struct taskrt_self *self, const struct reason *reason, uint64_t ns,
		   struct taskrt_explanation *e)
{
	struct taskrt_window window;

	do {
		make(&window, self, reason, ns);
	} while ((taskrt_window_end(&window) || taskrt_window_explain(&window, e, sizeof(*e))) &&
		 patience_lasts());
	return sum_of(e) == e->elapsed_ns;
}

static int is_first(const struct reason *reason, const struct taskrt_explanation *e)
{
	return e->shares[0].cause == reason->cause;
}

static int is_named(const struct reason *reason, uint64_t ns, const struct taskrt_explanation *e)
{
	return is_first(reason, e) && (!reason->whole || e->shares[0].ns >= ns);
}

static void say(const char *name, const char *which, const struct taskrt_explanation *e)
{
	char line[1000];

	taskrt_explanation_format(e, sizeof(*e), 0, line, sizeof(line));
	tap_diag("%s: %s: %s", name, which, line);
}

void explained_check(struct taskrt_self *self, const struct reason *reason)
{
	unsigned long i, rounds = tap_setting("TASKRT_TEST_ROUNDS", 8);
	unsigned long at_once = 0, first = 0, right = 0, windows = 0, exact = 0;
	struct taskrt_explanation e = { 0 }, other = { 0 };

	for (i = 0; i < rounds; i++) {
		const uint64_t ns = reason->least +
				    (uint64_t)rand() % (reason->most - reason->least);
		unsigned long tries = 0;

		do {
			exact += explain(self, reason, ns, &e);
			windows++;
			first += !tries && is_first(reason, &e);
			if (!is_named(reason, ns, &e))
				other = e;
		} while (!is_named(reason, ns, &e) && (++tries < TRIES || patience_lasts()));
		at_once += !tries;
		right += is_named(reason, ns, &e);
	}
	tap_diag("%s: of %lu windows, %lu have the cause first, %lu also for so long", reason->name,
		 rounds, first, at_once);
	say(reason->name, "the last one", &e);
	if (at_once < rounds)
		say(reason->name, "the last one that was repeated", &other);
	tap_equal(right, rounds, "%s: it is named", reason->name);
	tap_equal(exact, windows, "%s: the shares sum to the window", reason->name);
}

struct taskrt_self *explained_begin(unsigned int cpu)
{
	struct taskrt_self *self;

	module_must_set("interrupts", "1");
	/* Or a thread of real-time priority that computes is throttled now and then. */
	if (setting_read(RUNTIME, runtime_before, sizeof(runtime_before)))
		setting_must_write(RUNTIME, "-1");
	self = self_open();
	thread_pin(cpu);
	thread_fifo(90);
	return self;
}

void explained_end(struct taskrt_self *self)
{
	thread_other();
	taskrt_self_close(self);
	if (runtime_before[0])
		setting_write(RUNTIME, runtime_before);
	module_must_set("interrupts", "0");
}
