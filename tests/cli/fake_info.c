// SPDX-License-Identifier: GPL-2.0-only
/* What the fake libtaskrt reports about the module. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <linux/taskrt_numbers.h>
#include <taskrt.h>

#include "common/element.h"
#include "fake.h"
#include "fake_reading.h"
#include "fake_top.h"

/* What the last taskrt_get_info() returned. */
static struct taskrt_hook hooks[8];
static uint32_t nr_hooks;
static struct taskrt_name names[80];
static uint32_t nr_names;

static void add_hook(const char *name, const char *kind, int status, uint64_t hits,
		     uint64_t misses)
{
	struct taskrt_hook *hook = &hooks[nr_hooks++];

	strcpy(hook->name, name);
	strcpy(hook->kind, kind);
	hook->status = status;
	hook->hits = hits;
	hook->misses = misses;
}

static void add_name(enum taskrt_name_kind kind, uint32_t number, uint32_t parent,
		     const char *text)
{
	struct taskrt_name *name = &names[nr_names++];

	*name = (struct taskrt_name){ .kind = kind, .number = number, .parent = parent };
	strcpy(name->name, text);
}

/* Of those that the library knows. */
static void add_kind(enum taskrt_name_kind kind, uint64_t known,
		     const char *(*name)(unsigned int number))
{
	uint32_t i;

	for (i = 0; i < 64; i++)
		if (taskrt_measures(known, i) && name(i))
			add_name(kind, i, kind == TASKRT_NAME_STATE ? taskrt_state_parent((uint8_t)i) : 0,
				 name(i));
}

static void add_names(void)
{
	struct taskrt_measured known;

	fake_measure(&known);
	/* The module does not measure these by itself. */
	known.timers |= READING_INTERRUPTS | READING_STEAL | READING_STALLS;
	known.values |= READING_CYCLES;
	add_kind(TASKRT_NAME_STATE, known.states, taskrt_state_name);
	add_kind(TASKRT_NAME_TIMER, known.timers, taskrt_timer_name);
	add_kind(TASKRT_NAME_LOCK, known.locks, taskrt_lock_name);
	add_kind(TASKRT_NAME_VALUE, known.values, taskrt_value_name);
	if (!fake("new"))
		return;
	add_name(TASKRT_NAME_STATE, FAKE_NEW_STATE, TASKRT_STATE_BLOCKED_LOCK, "blocked_gate");
	add_name(TASKRT_NAME_TIMER, FAKE_NEW_TIMER, 0, "drawbridge");
	add_name(TASKRT_NAME_LOCK, FAKE_NEW_LOCK, 0, "portcullis");
	add_name(TASKRT_NAME_VALUE, FAKE_NEW_VALUE, 0, "arrows");
	/* Known, and measured on other kernels. */
	add_name(TASKRT_NAME_STATE, FAKE_NEW_STATE + 2, TASKRT_STATE_SLEEPING, "sleeping_moat");
}

static void fill_info(struct taskrt_info *info)
{
	static int asked;
	int unobserved = fake("unobserved") || (fake("observed-later") && !asked++);

	memset(info, 0, sizeof(*info));
	strcpy(info->module_version, taskrt_version());
	info->stats_version = TASKRT_STATS_VERSION;
	info->enabled = 1;
	info->valid = FAKE_VALID;
	info->groups = FAKE_GROUPS;
	fake_measure(&info->measured);
	info->threads_max = 65536;
	info->monotonic_offset_ns = fake("other-clock") ? -1000000000000000 : 0;
	info->threads_made = 72;
	info->threads_gone = 12;
	info->threads = 60;
	info->processes = 50;
	info->memory_bytes = 871424;
	info->record_size = 560;
	info->process_size = 632;
	info->listeners = unobserved ? 0 : 2;
	info->exits_delivered = 1234;
	info->backlog_max_bytes = 4 << 20;
	info->armed = fake("alerts-unarmed") || unobserved ? 0 : 1;
	info->initial = (fake("inner-net") ? 0 : TASKRT_INITIAL_NET) |
			(fake("inner-pid") ? 0 : TASKRT_INITIAL_PID);
	add_hook("sched_switch", "tracepoint", 0, 369, 0);
	add_hook("handle_mm_fault", "kretprobe", 0, 1329, 1);
	add_hook("exit_signals", "kprobe", 0, 0, 0);
	add_hook("hrtimer_expire", "tracepoint", 0, 777, 0);
	add_hook("irq_vectors", "tracepoint", -ENODEV, 0, 0);
	add_hook("cycles", "counter", fake_counts_cycles() ? 0 : -ENODEV, 0, 0);
}

static void spoil_info(struct taskrt_info *info)
{
	if (fake("off") || fake_top_off()) {
		info->enabled = 0;
		info->valid = 0;
		memset(&info->measured, 0, sizeof(info->measured));
	}
	if (fake("nolock") || fake("broken")) {
		info->valid &= ~TASKRT_VALID_LOCK_TIME;
		fake_forget_locks(&info->measured);
		add_hook("contention_begin", "tracepoint", -ENOENT, 0, 0);
		add_hook("release_task", "kprobe", -ENOENT, 0, 0);
	}
	if (fake("rt"))
		add_hook("rt_spin_lock_slowpath", "kretprobe", 0, 12, 0);
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
	hooks[1].misses = 2;
}

int taskrt_get_info(struct taskrt *handle, struct taskrt_info *info, size_t size)
{
	struct timespec now;

	(void)size;
	if (fake("gone"))
		return fake_answer(handle, -ENODEV);
	fake_asked("info", 0);
	nr_hooks = nr_names = 0;
	memset(hooks, 0, sizeof(hooks));
	fill_info(info);
	spoil_info(info);
	add_names();
	info->nr_hooks = nr_hooks;
	info->nr_names = nr_names;
	/* A moment ago, so that "on for" begins with "1.". */
	clock_gettime(CLOCK_MONOTONIC, &now);
	info->enabled_since_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec -
				 1000000000;
	return 0;
}

int taskrt_info_hook(const struct taskrt *handle, uint32_t index, struct taskrt_hook *hook,
		     size_t size)
{
	(void)handle;
	if (index >= nr_hooks)
		return -ENOENT;
	memcpy(hook, &hooks[index], size);
	return 0;
}

int taskrt_info_name(const struct taskrt *handle, uint32_t index, struct taskrt_name *name,
		     size_t size)
{
	(void)handle;
	if (index >= nr_names)
		return -ENOENT;
	memcpy(name, &names[index], size);
	return 0;
}
