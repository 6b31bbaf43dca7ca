// SPDX-License-Identifier: GPL-2.0-only
/* What the module says of itself, and that nothing is left of who is gone. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "load.h"
#include "tap.h"
#include "window.h"

/* What the kernels of the matrix all have. */
static const char *const hooks[] = {
	"sched_switch", "sched_wakeup", "sched_wakeup_new", "task_newtask",
	"sched_process_exec", "sched_process_free", "contention_begin", "contention_end",
	"handle_mm_fault", "sched_process_exit", "release_task",
};

static const struct taskrt_hook *find_hook(const struct taskrt_info *info, const char *name)
{
	unsigned int i;

	for (i = 0; i < info->nr_hooks; i++)
		if (!strcmp(info->hooks[i].name, name))
			return &info->hooks[i];
	return NULL;
}

static void check_hooks(const struct taskrt_info *before, const struct taskrt_info *after)
{
	unsigned int i;

	tap_at_least(before->nr_hooks, sizeof(hooks) / sizeof(*hooks), "hooks");
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		const struct taskrt_hook *first = find_hook(before, hooks[i]);
		const struct taskrt_hook *second = find_hook(after, hooks[i]);

		if (!tap_ok(first && second, "%s: listed", hooks[i]))
			continue;
		tap_errno(second->status, 0, "%s: attached", hooks[i]);
		tap_ok(second->hits > first->hits, "%s: called meanwhile", hooks[i]);
		tap_equal(second->misses, 0, "%s: never in vain", hooks[i]);
	}
}

/* Only called while somebody listens with OWN. */
static void check_exit_signals(const struct taskrt_info *info)
{
	const struct taskrt_hook *hook = find_hook(info, "exit_signals");

	if (tap_ok(hook != NULL, "exit_signals: listed"))
		tap_errno(hook->status, 0, "exit_signals: attached");
}

static void check_books(const struct taskrt_info *info, const char *when)
{
	tap_equal(info->threads_made - info->threads_gone, info->threads,
		  "%s: made - gone == live", when);
	tap_equal(info->refused + info->no_memory, 0, "%s: none refused", when);
	tap_at_most(info->threads, info->threads_max, "%s: no more than allowed", when);
	tap_at_most(info->processes, info->threads, "%s: no more processes than threads", when);
	tap_at_least(info->memory_bytes, info->threads * info->record_size,
		     "%s: memory holds the records", when);
}

/* Records wait for a grace period and a collector before they are gone. */
static void settle(struct taskrt *handle, const struct taskrt_info *before,
		   struct taskrt_info *after)
{
	uint64_t end = clock_now() + 10 * SEC;

	do {
		clock_sleep(50 * MS);
		window_info(handle, after);
	} while ((after->threads > before->threads + before->threads / 4 ||
		  after->threads_made - after->threads_gone != after->threads) &&
		 clock_now() < end);
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info before, during, after;

	window_info(handle, &before);
	load_start(LOAD_ALL);
	if (system("/bin/true"))
		tap_bail("nothing can be executed");
	clock_sleep(2 * SEC);
	window_info(handle, &during);
	load_stop();
	settle(handle, &before, &after);
	tap_equal(after.enabled, 1, "on");
	tap_equal(after.stats_version, TASKRT_STATS_VERSION, "newest version of the statistics");
	tap_equal(after.valid, (TASKRT_VALID_THREADS << 1) - 1, "everything is measured here");
	tap_at_least(after.record_size, 1, "record size");
	tap_ok(after.module_version[0], "module's version: %s", after.module_version);
	check_hooks(&before, &during);
	check_exit_signals(&after);
	check_books(&before, "before");
	check_books(&after, "after");
	tap_at_least(during.threads_made, before.threads_made + 100, "many came meanwhile");
	tap_at_most(after.threads, before.threads + before.threads / 4,
		    "after: hardly more threads than before");
	tap_at_most(after.memory_bytes, before.memory_bytes + before.memory_bytes / 2,
		    "after: hardly more memory than before");
	taskrt_close(handle);
	return tap_done();
}
