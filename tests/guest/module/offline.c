// SPDX-License-Identifier: GPL-2.0-only
/*
 * No thread runs on a CPU that is offline: not even the thread that stopped it, whose last
 * switch no tracepoint shows.
 */
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "clock.h"
#include "setting.h"
#include "tap.h"
#include "task.h"
#include "thread.h"
#include "window.h"

#define CPU_1	"/sys/devices/system/cpu/cpu1/online"
#define OFFLINE	(1 * SEC)

/* The first number of schedstat is how long it ran, as the kernel counts it. */
static uint64_t kernel_ran(pid_t tid)
{
	unsigned long long ran = 0;
	char path[64], text[128];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	if (!setting_read(path, text, sizeof(text)) || sscanf(text, "%llu", &ran) != 1)
		tap_bail("%s", path);
	return ran;
}

static uint64_t hook_hits(struct taskrt *handle)
{
	struct taskrt_info info;
	struct taskrt_hook hook;

	window_info(handle, &info);
	if (!window_find_hook(handle, "cpu_offline", &hook))
		tap_bail("no hook cpu_offline");
	return hook.hits;
}

static void check(struct taskrt *handle)
{
	const uint64_t hits = hook_hits(handle);
	struct taskrt_reading before, during, after;
	pid_t stopper = task_named("migration/1");
	uint64_t ran, mine;

	ran = kernel_ran(stopper);
	window_thread(handle, stopper, &before);
	setting_must_write(CPU_1, "0");
	clock_sleep(OFFLINE);
	window_thread(handle, stopper, &during);
	setting_must_write(CPU_1, "1");
	thread_pin(1);
	thread_unpin();
	window_thread(handle, stopper, &after);
	ran = kernel_ran(stopper) - ran;
	mine = after.stats.cpu_time_ns - before.stats.cpu_time_ns;
	tap_ok(window_adds_up(&during) && window_adds_up(&after), "its states add up");
	tap_ok(during.times.states_ns[TASKRT_STATE_SLEEPING] >=
	       before.times.states_ns[TASKRT_STATE_SLEEPING] + OFFLINE / 2,
	       "who has stopped the CPU sleeps meanwhile");
	tap_at_most(mine, ran + OFFLINE / 2, "and has run no longer than the kernel says");
	tap_equal(hook_hits(handle), hits + 1, "the hook was called once");
}

int main(void)
{
	struct taskrt *handle = window_open();

	if (access(CPU_1, W_OK))
		tap_skip("a CPU that is taken off", "CPU 1 cannot be switched off");
	else
		check(handle);
	taskrt_close(handle);
	return tap_done();
}
