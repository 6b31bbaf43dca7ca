// SPDX-License-Identifier: GPL-2.0-only
/* What the module says of itself, and that nothing is left of who is gone. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "load.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

/* What the kernels of the matrix all have. */
static const char *const hooks[] = {
	"sched_switch", "sched_wakeup", "sched_wakeup_new", "task_newtask",
	"sched_process_exec", "sched_process_free", "handle_mm_fault", "sched_process_exit",
	"release_task",
};

#define MANY	20	/* that come meanwhile */

/* What sees contended locks, by kernel: tracepoints; before 5.19; with PREEMPT_RT. */
#define LOCK_HOOKS	6
static const char *const lock_hooks[][LOCK_HOOKS] = {
	{ "contention_begin", "contention_end" },
	{ "mutex_slowpath", "rwsem_read_slowpath", "rwsem_write_slowpath", "rt_mutex_slowpath",
	  "semaphore_slowpath", "percpu_rwsem_wait" },
	{ "rt_spin_lock_slowpath", "rwsem_read_slowpath", "rwsem_write_slowpath",
	  "rt_mutex_slowpath", "semaphore_slowpath", "percpu_rwsem_wait" },
};

static void check_hooks(const struct taskrt_info *before, const struct taskrt_info *after)
{
	unsigned int i;

	tap_at_least(before->nr_hooks, sizeof(hooks) / sizeof(*hooks), "hooks");
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		const struct taskrt_hook *first = window_find_hook(before, hooks[i]);
		const struct taskrt_hook *second = window_find_hook(after, hooks[i]);

		if (!tap_ok(first && second, "%s: listed", hooks[i]))
			continue;
		tap_errno(second->status, 0, "%s: attached", hooks[i]);
		tap_ok(second->hits > first->hits, "%s: called meanwhile", hooks[i]);
		tap_equal(second->misses, 0, "%s: never in vain", hooks[i]);
	}
}

/* One at least is called; which, depends on the locks that are fought for. */
static void check_lock_hooks(const struct taskrt_info *before, const struct taskrt_info *after)
{
	const char *const *names;
	unsigned long hits = 0;
	size_t i;

	for (i = 0; i < sizeof(lock_hooks) / sizeof(*lock_hooks); i++)
		if (window_find_hook(after, lock_hooks[i][0]))
			break;
	if (!tap_ok(i < sizeof(lock_hooks) / sizeof(*lock_hooks), "locks: hooks listed"))
		return;
	names = lock_hooks[i];
	for (i = 0; i < LOCK_HOOKS && names[i]; i++) {
		const struct taskrt_hook *first = window_find_hook(before, names[i]);
		const struct taskrt_hook *second = window_find_hook(after, names[i]);

		if (!tap_ok(first && second, "%s: listed", names[i]))
			continue;
		tap_errno(second->status, 0, "%s: attached", names[i]);
		tap_equal(second->misses, 0, "%s: never in vain", names[i]);
		hits += second->hits - first->hits;
	}
	tap_at_least(hits, 1, "locks: hooks called meanwhile");
}

/* Only called while somebody listens with OWN. */
static void check_exit_signals(const struct taskrt_info *info)
{
	const struct taskrt_hook *hook = window_find_hook(info, "exit_signals");

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

static uint64_t calls(const struct taskrt_info *before, const struct taskrt_info *now,
		      const char *name)
{
	const struct taskrt_hook *first = window_find_hook(before, name);
	const struct taskrt_hook *second = window_find_hook(now, name);

	return first && second ? second->hits - first->hits : 0;
}

/* Whether the load has come to everything that is looked at. */
static int all_called(const struct taskrt_info *before, const struct taskrt_info *during)
{
	uint64_t locks = 0;
	unsigned int i, j;

	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (!calls(before, during, hooks[i]))
			return 0;
	for (i = 0; i < sizeof(lock_hooks) / sizeof(*lock_hooks); i++)
		for (j = 0; j < LOCK_HOOKS && lock_hooks[i][j]; j++)
			locks += calls(before, during, lock_hooks[i][j]);
	return locks && during->threads_made >= before->threads_made + MANY;
}

/* Records wait for a grace period and a collector before they are gone. */
static void settle(struct taskrt *handle, const struct taskrt_info *before,
		   struct taskrt_info *after)
{
	do {
		clock_sleep(50 * MS);
		window_info(handle, after);
	} while ((after->threads > before->threads + before->threads / 4 ||
		  after->memory_bytes > before->memory_bytes + before->memory_bytes / 2 ||
		  after->threads_made - after->threads_gone != after->threads) &&
		 patience_lasts());
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct taskrt_info before, during, after;

	window_info(handle, &before);
	load_start(LOAD_ALL);
	if (system("/bin/true"))
		tap_bail("nothing can be executed");
	do {
		clock_sleep(2 * SEC);
		window_info(handle, &during);
	} while (!all_called(&before, &during) && patience_lasts());
	load_stop();
	settle(handle, &before, &after);
	tap_equal(after.enabled, 1, "on");
	tap_equal(after.stats_version, TASKRT_STATS_VERSION, "newest version of the statistics");
	tap_equal(after.valid, (TASKRT_VALID_THREADS << 1) - 1, "everything is measured here");
	tap_at_least(after.record_size, 1, "record size");
	tap_ok(after.module_version[0], "module's version: %s", after.module_version);
	check_hooks(&before, &during);
	check_lock_hooks(&before, &during);
	check_exit_signals(&after);
	check_books(&before, "before");
	check_books(&after, "after");
	tap_at_least(during.threads_made, before.threads_made + MANY, "many came meanwhile");
	tap_at_most(after.threads, before.threads + before.threads / 4,
		    "after: hardly more threads than before");
	tap_at_most(after.memory_bytes, before.memory_bytes + before.memory_bytes / 2,
		    "after: hardly more memory than before");
	taskrt_close(handle);
	return tap_done();
}
