// SPDX-License-Identifier: GPL-2.0-only
/* What can be measured. */
#include <string.h>

#include "bench/call.h"
#include "bench/event.h"
#include "bench/fault.h"
#include "bench/fork.h"
#include "bench/pingpong.h"

const struct event event_all[EVENT_COUNT] = {
	{
		.name = "switch", .what = "a switch and a wake-up", .measure = pingpong_measure,
		.check = "switches a round trip", .least = 1.98, .most = 2.02,
	}, {
		.name = "fault", .what = "a minor page fault", .measure = fault_measure,
		.check = "faults a page", .least = 0.99, .most = 1.01,
	}, {
		.name = "fork", .what = "fork, exit and wait", .measure = fork_measure,
		.remark = "with the page faults of the child",
	}, {
		.name = "self", .what = "taskrt_self_read()", .measure = call_self, .is_call = 1,
	}, {
		.name = "get", .what = "taskrt_get(), times", .measure = call_get, .is_call = 1,
	}, {
		.name = "clock", .what = "clock_gettime(CLOCK_MONOTONIC)", .measure = call_clock,
		.is_call = 1,
	}, {
		.name = "getrusage", .what = "getrusage(RUSAGE_THREAD)",
		.measure = call_getrusage, .is_call = 1,
	},
};

int event_find(const char *name)
{
	int i;

	for (i = 0; i < EVENT_COUNT; i++)
		if (!strcmp(event_all[i].name, name))
			return i;
	return -1;
}
