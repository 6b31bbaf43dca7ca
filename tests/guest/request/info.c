// SPDX-License-Identifier: GPL-2.0-only
/* What the module reports about itself, and that nothing of ended tasks is left. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "delays.h"
#include "load.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

/* Hooks that all kernels of the matrix have. */
static const char *const hooks[] = {
	"sched_switch", "sched_wakeup", "sched_wakeup_new", "task_newtask",
	"sched_process_exec", "sched_process_free", "handle_mm_fault", "sched_process_exit",
	"release_task",
};

/* One INFO, with all that the library has an accessor for. */
#define MOST_HOOKS	32

struct report {
	struct taskrt_info info;
	struct taskrt_hook hooks[MOST_HOOKS];
	unsigned int nr_hooks;
};

/* Processes and threads are counted one after the other: one that ends meanwhile is in one. */
static void get_info(struct taskrt *handle, struct taskrt_info *info)
{
	do
		window_info(handle, info);
	while (info->processes > info->threads && patience_lasts());
}

static void get_report(struct taskrt *handle, struct report *report)
{
	get_info(handle, &report->info);
	for (report->nr_hooks = 0; report->nr_hooks < MOST_HOOKS; report->nr_hooks++)
		if (taskrt_info_hook(handle, report->nr_hooks, &report->hooks[report->nr_hooks],
				     sizeof(*report->hooks)))
			return;
}

/* NULL: the module has no such hook on this kernel. */
static const struct taskrt_hook *find_hook(const struct report *report, const char *name)
{
	unsigned int i;

	for (i = 0; i < report->nr_hooks; i++)
		if (!strcmp(report->hooks[i].name, name))
			return &report->hooks[i];
	return NULL;
}

#define MANY	20	/* threads that begin meanwhile */

/* The hooks for contended locks, by kernel: tracepoints; before 5.19; with PREEMPT_RT. */
#define LOCK_HOOKS	6
static const char *const lock_hooks[][LOCK_HOOKS] = {
	{ "contention_begin", "contention_end" },
	{ "mutex_slowpath", "rwsem_read_slowpath", "rwsem_write_slowpath", "rt_mutex_slowpath",
	  "semaphore_slowpath", "percpu_rwsem_wait" },
	{ "rt_spin_lock_slowpath", "rwsem_read_slowpath", "rwsem_write_slowpath",
	  "rt_mutex_slowpath", "semaphore_slowpath", "percpu_rwsem_wait" },
};

static void check_hooks(const struct report *before, const struct report *after)
{
	unsigned int i;

	tap_at_least(before->nr_hooks, sizeof(hooks) / sizeof(*hooks), "hooks");
	tap_equal(before->nr_hooks, before->info.nr_hooks, "as many as INFO says");
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		const struct taskrt_hook *first = find_hook(before, hooks[i]);
		const struct taskrt_hook *second = find_hook(after, hooks[i]);

		if (!tap_ok(first && second, "%s: listed", hooks[i]))
			continue;
		tap_errno(second->status, 0, "%s: attached", hooks[i]);
		tap_ok(second->hits > first->hits, "%s: called meanwhile", hooks[i]);
		tap_equal(second->misses, 0, "%s: no call was missed", hooks[i]);
	}
}

/* At least one is called; which one depends on the contended locks. */
static void check_lock_hooks(const struct report *before, const struct report *after)
{
	const char *const *names;
	unsigned long hits = 0;
	size_t i;

	for (i = 0; i < sizeof(lock_hooks) / sizeof(*lock_hooks); i++)
		if (find_hook(after, lock_hooks[i][0]))
			break;
	if (!tap_ok(i < sizeof(lock_hooks) / sizeof(*lock_hooks), "locks: hooks listed"))
		return;
	names = lock_hooks[i];
	for (i = 0; i < LOCK_HOOKS && names[i]; i++) {
		const struct taskrt_hook *first = find_hook(before, names[i]);
		const struct taskrt_hook *second = find_hook(after, names[i]);

		if (!tap_ok(first && second, "%s: listed", names[i]))
			continue;
		tap_errno(second->status, 0, "%s: attached", names[i]);
		tap_equal(second->misses, 0, "%s: no call was missed", names[i]);
		hits += second->hits - first->hits;
	}
	tap_at_least(hits, 1, "locks: hooks called meanwhile");
}

/* Only called while somebody listens with OWN. */
static void check_exit_signals(const struct report *report)
{
	const struct taskrt_hook *hook = find_hook(report, "exit_signals");

	if (tap_ok(hook != NULL, "exit_signals: listed"))
		tap_errno(hook->status, 0, "exit_signals: attached");
}

/* The conditions that the other tests use; CGROUP only if the kernel has cgroups. */
static void check_filters(const struct taskrt_info *info)
{
	const uint32_t always = 1U << TASKRT_FILTER_A_OWN | 1U << TASKRT_FILTER_A_TGID;

	tap_equal(info->filters & ~(1U << TASKRT_FILTER_A_CGROUP), always,
		  "the filters that are served: %#x", info->filters);
}

#define OFFSET_S	1000

/* Status: 0, or which step has failed.  The new time namespace is that of its children. */
static int ask_in_time_namespace(void *unused)
{
	struct taskrt_info info;
	struct taskrt *handle;
	int status, fd;
	pid_t pid;

	(void)unused;
	if (unshare(0x80 /* CLONE_NEWTIME */))
		return errno == EINVAL ? 100 : 1;
	fd = open("/proc/self/timens_offsets", O_WRONLY);
	if (fd < 0 || dprintf(fd, "monotonic %d 0\n", OFFSET_S) < 0 || close(fd))
		return 2;
	pid = fork();
	if (!pid) {
		if (taskrt_open(&handle) || taskrt_get_info(handle, &info, sizeof(info)))
			_exit(3);
		_exit(info.monotonic_offset_ns == (int64_t)OFFSET_S * SEC ? 0 : 4);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

static void check_time_namespace(const struct taskrt_info *info)
{
	int status = ask_in_child(ask_in_time_namespace, NULL);

	tap_equal(info->monotonic_offset_ns, 0, "no offset in the initial time namespace");
	if (status == 100)
		tap_skip("the offset of another", "this kernel has no time namespaces");
	else
		tap_equal(status, 0, "the offset of another time namespace (step)");
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

static uint64_t calls(const struct report *before, const struct report *now,
		      const char *name)
{
	const struct taskrt_hook *first = find_hook(before, name);
	const struct taskrt_hook *second = find_hook(now, name);

	return first && second ? second->hits - first->hits : 0;
}

/* Has the load reached everything that the test looks at? */
static int all_called(const struct report *before, const struct report *during)
{
	uint64_t locks = 0;
	unsigned int i, j;

	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (!calls(before, during, hooks[i]))
			return 0;
	for (i = 0; i < sizeof(lock_hooks) / sizeof(*lock_hooks); i++)
		for (j = 0; j < LOCK_HOOKS && lock_hooks[i][j]; j++)
			locks += calls(before, during, lock_hooks[i][j]);
	return locks && during->info.threads_made >= before->info.threads_made + MANY;
}

/* Records are freed after a grace period, by a worker. */
static void settle(struct taskrt *handle, const struct taskrt_info *before,
		   struct taskrt_info *after)
{
	do {
		clock_sleep(50 * MS);
		get_info(handle, after);
	} while ((after->threads > before->threads + before->threads / 4 ||
		  after->memory_bytes > before->memory_bytes + before->memory_bytes / 2 ||
		  after->threads_made - after->threads_gone != after->threads) &&
		 patience_lasts());
}

/* Are the first count bits set, and no others? */
static int is_first(uint64_t bits, unsigned int count)
{
	return bits == (1ULL << count) - 1;
}

#define STATES	18
#define TIMERS	(1U << TASKRT_TIMER_FAULT | 1U << TASKRT_TIMER_LOCK | \
		 1U << TASKRT_TIMER_EXPIRY | 1U << TASKRT_TIMER_RECLAIM_CPU | \
		 1U << TASKRT_TIMER_FAULT_CPU)
#define LOCKS	5
#define VALUES	9

static void check_now(const struct taskrt_info *info)
{
	/* The kernel counts them, or another test has had it do so. */
	const uint32_t stalls = info->measured.timers & delays_kinds();
	/* Another test may have stolen time in this boot. */
	const uint32_t timers = info->measured.timers & ~(stalls | 1U << TASKRT_TIMER_STEAL);

	tap_equal(info->enabled, 1, "on");
	tap_equal(info->stats_version, TASKRT_STATS_VERSION, "newest version of the statistics");
	tap_equal(info->valid, (TASKRT_VALID_CGROUP << 1) - 1, "every field is known here");
	tap_equal(info->groups & ~TASKRT_GROUP_SITES, EVERY_GROUP, "all groups");
	tap_ok(is_first(info->measured.states, STATES) && timers == TIMERS &&
	       (!stalls || stalls == delays_kinds()) &&
	       is_first(info->measured.locks, LOCKS) && is_first(info->measured.values, VALUES) &&
	       !info->measured.reserved && !info->measured.reserved2,
	       "everything is measured here: %#x %#x %#x %#llx", info->measured.states,
	       info->measured.timers, info->measured.locks, info->measured.values);
	tap_at_least(info->record_size, 1, "record size");
	tap_ok(info->module_version[0], "module's version: %s", info->module_version);
}

static const char *library_name(const struct taskrt_name *name)
{
	switch (name->kind) {
	case TASKRT_NAME_STATE: return taskrt_state_name(name->number);
	case TASKRT_NAME_TIMER: return taskrt_timer_name(name->number);
	case TASKRT_NAME_LOCK: return taskrt_lock_name(name->number);
	case TASKRT_NAME_VALUE: return taskrt_value_name(name->number);
	}
	return NULL;
}

static uint32_t parent_of(uint32_t state)
{
	if (state == TASKRT_STATE_THROTTLED || state == TASKRT_STATE_YIELDED)
		return TASKRT_STATE_PREEMPTED;
	return state >= TASKRT_STATE_SLEEPING_FILE && state <= TASKRT_STATE_SLEEPING_PAUSE ?
	       TASKRT_STATE_SLEEPING : state;
}

/* The names in the module and in the library are the same, and each is listed once. */
static void check_names(struct taskrt *handle, const struct taskrt_info *info)
{
	uint64_t seen[4] = { 0 };
	struct taskrt_name name;
	unsigned int i, wrong = 0;

	for (i = 0; !taskrt_info_name(handle, i, &name, sizeof(name)); i++) {
		const char *known = library_name(&name);

		if (known && !strcmp(known, name.name) && name.number < 64 &&
		    !(seen[name.kind] >> name.number & 1) &&
		    (name.kind != TASKRT_NAME_STATE || name.parent == parent_of(name.number))) {
			seen[name.kind] |= 1ULL << name.number;
			continue;
		}
		wrong++;
		tap_diag("kind %u, number %u, parent %u: %s, here %s", name.kind, name.number,
			 name.parent, name.name, known ?: "not known");
	}
	tap_equal(i, info->nr_names, "names");
	tap_equal(wrong, 0, "names: those of the library, each once, with its parent");
	tap_ok(!(info->measured.states & ~seen[TASKRT_NAME_STATE]) &&
	       !(info->measured.timers & ~seen[TASKRT_NAME_TIMER]) &&
	       !(info->measured.locks & ~seen[TASKRT_NAME_LOCK]) &&
	       !(info->measured.values & ~seen[TASKRT_NAME_VALUE]),
	       "names: of all that is measured");
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct report before, during, after;

	get_report(handle, &before);
	load_start(LOAD_ALL);
	if (system("/bin/true"))
		tap_bail("nothing can be executed");
	do {
		clock_sleep(2 * SEC);
		get_report(handle, &during);
	} while (!all_called(&before, &during) && patience_lasts());
	load_stop();
	settle(handle, &before.info, &after.info);
	get_report(handle, &after);
	check_now(&after.info);
	check_names(handle, &after.info);
	check_hooks(&before, &during);
	check_lock_hooks(&before, &during);
	check_exit_signals(&after);
	check_filters(&after.info);
	check_time_namespace(&after.info);
	check_books(&before.info, "before");
	check_books(&after.info, "after");
	tap_at_least(during.info.threads_made, before.info.threads_made + MANY,
		     "many threads began meanwhile");
	tap_at_most(after.info.threads, before.info.threads + before.info.threads / 4,
		    "after: hardly more threads than before");
	tap_at_most(after.info.memory_bytes,
		    before.info.memory_bytes + before.info.memory_bytes / 2,
		    "after: hardly more memory than before");
	taskrt_close(handle);
	return tap_done();
}
