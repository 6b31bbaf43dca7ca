// SPDX-License-Identifier: GPL-2.0-only
/* What the fake libtaskrt says of the module. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_top.h"

static void add_hook(struct taskrt_info *info, const char *name, const char *kind,
		     int status, uint64_t hits, uint64_t misses)
{
	struct taskrt_hook *hook = &info->hooks[info->nr_hooks++];

	strcpy(hook->name, name);
	strcpy(hook->kind, kind);
	hook->status = status;
	hook->hits = hits;
	hook->misses = misses;
}

static void fill_info(struct taskrt_info *info)
{
	memset(info, 0, sizeof(*info));
	strcpy(info->module_version, fake("v1") ? "0.1.0" : taskrt_version());
	info->stats_version = TASKRT_STATS_VERSION;
	info->enabled = 1;
	info->valid = FAKE_VALID;
	info->threads_max = 65536;
	info->threads_made = 72;
	info->threads_gone = 12;
	info->threads = 60;
	info->processes = 50;
	info->memory_bytes = 871424;
	info->record_size = 560;
	info->process_size = 632;
	info->listeners = fake("v1") ? 0 : 2;
	info->exits_told = fake("v1") ? 0 : 1234;
	info->backlog_max_bytes = fake("v1") ? 0 : 4 << 20;
	info->armed = fake("alerts-unarmed") ? 0 : 1;
	info->initial = (fake("inner-net") ? 0 : TASKRT_INITIAL_NET) |
			(fake("inner-pid") ? 0 : TASKRT_INITIAL_PID);
	add_hook(info, "sched_switch", "tracepoint", 0, 369, 0);
	add_hook(info, "handle_mm_fault", "kretprobe", 0, 1329, 1);
	add_hook(info, "exit_signals", "kprobe", 0, 0, 0);
}

static void spoil_info(struct taskrt_info *info)
{
	if (fake("off") || fake_top_off()) {
		info->enabled = 0;
		info->valid = 0;
	}
	if (fake("nolock") || fake("broken")) {
		info->valid &= ~FAKE_LOCKS;
		add_hook(info, "contention_begin", "tracepoint", -ENOENT, 0, 0);
		add_hook(info, "release_task", "kprobe", -ENOENT, 0, 0);
	}
	if (!fake("broken"))
		return;
	strcpy(info->module_version, "0.0.1");
	info->stats_version = 2;
	info->coarse_ns = 1000;
	info->threads_gone = 13;
	info->refused = 4;
	info->no_memory = 3;
	info->repaired = 1;
	info->exits_lost = 6;
	info->backlog_bytes = 4000000;
	info->hooks[1].misses = 2;
}

int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size)
{
	struct timespec now;

	(void)size;
	if (fake("gone"))
		return fake_answer(handle, -ENODEV);
	fill_info(info);
	spoil_info(info);
	/* A moment ago, so that "on for" begins with "1.". */
	clock_gettime(CLOCK_MONOTONIC, &now);
	info->enabled_since_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec -
				 1000000000;
	return 0;
}
