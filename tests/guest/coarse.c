// SPDX-License-Identifier: GPL-2.0-only
/* Rounded times for those without CAP_PERFMON, exact ones for the others. */
#include <errno.h>
#include <string.h>

#include "ask.h"
#include "clock.h"
#include "module.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define GRAIN	MS

static int multiple(__u64 ns)
{
	return ns % GRAIN == 0;
}

static int all_rounded(const struct taskrt_stats *stats)
{
	unsigned int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		if (!multiple(stats->states_ns[i]) || !multiple(stats->longest_state[i].ns))
			return 0;
	return multiple(stats->cpu_time_ns) && multiple(stats->queue_time_ns) &&
	       multiple(stats->page_fault_time_ns) && multiple(stats->lock_contention_time_ns) &&
	       multiple(stats->minor_fault_time_ns) && multiple(stats->longest_fault.ns);
}

/* Return: 0, or the number of the first promise that does not hold. */
static int poll_coarse(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_stats before = { 0 }, after;
	int i, grown = 0;

	for (i = 0; i < 300; i++) {
		window_thread(handle, 0, &after);
		if (!all_rounded(&after))
			return 1;
		if (!(after.flags & TASKRT_FLAG_COARSE))
			return 2;
		if (totals_exceed(&before, &after, "coarse") >= 0)
			return 3;
		grown += after.cpu_time_ns > before.cpu_time_ns;
		before = after;
		clock_burn(GRAIN / 10);
	}
	taskrt_close(handle);
	return grown < 5 ? 4 : 0;
}

static int as_user(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

	(void)unused;
	ask_become(&user);
	return poll_coarse();
}

/* To read everything is not to read it exactly. */
static int with_ptrace(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_SYS_PTRACE };

	(void)unused;
	ask_become(&user);
	return poll_coarse();
}

static int with_perfmon(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_PERFMON };
	struct taskrt *handle;
	struct taskrt_stats stats;

	(void)unused;
	ask_become(&user);
	handle = window_open();
	window_thread(handle, 0, &stats);
	if (stats.flags & TASKRT_FLAG_COARSE)
		return 2;
	return all_rounded(&stats) ? 1 : !window_adds_up(&stats);
}

int main(void)
{
	int err = module_set("coarse_ns", "1000000");

	if (err)
		tap_bail("coarse_ns: %s", strerror(-err));
	tap_equal(ask_in_child(as_user, NULL), 0, "user: rounded, flagged, growing");
	tap_equal(ask_in_child(with_ptrace, NULL), 0, "CAP_SYS_PTRACE: the same");
	tap_equal(ask_in_child(with_perfmon, NULL), 0, "CAP_PERFMON: exact");
	module_set("coarse_ns", "0");
	tap_equal(ask_in_child(with_perfmon, NULL), 0, "off again: exact");
	tap_equal(ask_in_child(as_user, NULL), 1, "off again: for the user, too");
	return tap_done();
}
