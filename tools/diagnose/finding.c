// SPDX-License-Identifier: GPL-2.0-only
/* The problems of the module on this machine, in plain sentences. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/element.h"
#include "common/names.h"
#include "common/text.h"
#include "common/units.h"
#include "diagnose/finding.h"
#include "diagnose/machine.h"

#define KPROBES		"sys/kernel/debug/kprobes/enabled"
#define FTRACE		"proc/sys/kernel/ftrace_enabled"
#define RELOAD		"modprobe -r taskrt && modprobe taskrt"

/* One missed call in this many is not yet a problem. */
#define MISSES_ALLOWED	1000

/* What is not measured without a hook. */
static const struct {
	const char *name;
	const char *lost;
} purposes[] = {
	{ "sched_switch", "no time at all is measured" },
	{ "cpu_offline", "a thread of the kernel seems to run on a CPU that is switched off" },
	{ "sched_wakeup", "waits for a CPU are counted as part of the preceding sleep" },
	{ "sched_wakeup_new", "the first wait of a new thread for a CPU is not measured" },
	{ "task_newtask", "threads created from now on are not tracked" },
	{ "sched_process_exec", "no thread can map its own counters; names and ids are those from before exec" },
	{ "sched_process_exit", "identity and exit code of ended threads are not known" },
	{ "sched_process_free", "records of ended threads are never freed" },
	{ "contention_begin", "waits for kernel locks are not distinguished" },
	{ "contention_end", "waits for kernel locks are not distinguished" },
	{ "mutex_slowpath", "waits for mutexes are not distinguished" },
	{ "rt_spin_lock_slowpath", "waits for sleeping spinlocks are not distinguished" },
	{ "rwsem_read_slowpath", "waits of readers for rw-semaphores are not distinguished" },
	{ "rwsem_write_slowpath", "waits of writers for rw-semaphores are not distinguished" },
	{ "rt_mutex_slowpath", "waits for rt-mutexes are not distinguished" },
	{ "semaphore_slowpath", "waits for semaphores are not distinguished" },
	{ "percpu_rwsem_wait", "waits for per-CPU rw-semaphores are not distinguished" },
	{ "exit_signals", "a listener cannot be limited to the tasks of its own user" },
	{ "release_task", "totals of children are not known" },
	{ "handle_mm_fault", "waits in page faults, and computing in them, are not distinguished" },
	{ "hrtimer_expire", "it is not known how late timers wake threads, nor what time is stolen" },
	{ "tg_throttle_down", "throttled threads count as preempted or woken" },
	{ "tg_unthrottle_up", "throttled threads count as preempted or woken" },
	{ "sched_migrate_task", "throttled threads that move to another CPU count as preempted or woken" },
	{ "task_change_group_fair", "throttled threads that move to another group count as preempted or woken" },
	{ "reclaim", "making memory free counts as computing" },
	{ "compaction", "making memory free counts as computing" },
	{ "irq_handler", "interrupts of devices count as computing" },
	{ "irq_vectors", "interrupts of timers and of other CPUs count as computing" },
	{ "softirq", "softirqs count as computing" },
	{ "cycles", "cycles and instructions are not counted" },
};

/* The arguments may come from the files or the log of another system. */
static void form(char *text, size_t size, const char *format, va_list arguments)
{
	char raw[FINDING_MAX];

	vsnprintf(raw, sizeof(raw), format, arguments);
	text_utf8(text, size, raw, sizeof(raw));
}

static void add(struct findings *findings, int problem, const char *cause, const char *format,
		va_list arguments)
{
	struct finding *finding = &findings->list[findings->count];

	findings->last = NULL;
	if (findings->count == FINDINGS_MAX)
		return;
	findings->last = finding;
	finding->problem = problem;
	finding->cause = cause;
	finding->fix[0] = '\0';
	form(finding->text, sizeof(finding->text), format, arguments);
	findings->count++;
	findings->problems += problem != 0;
}

void finding_problem(struct findings *findings, const char *cause, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(findings, 1, cause, format, arguments);
	va_end(arguments);
}

void finding_note(struct findings *findings, const char *cause, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(findings, 0, cause, format, arguments);
	va_end(arguments);
}

void finding_fix(struct findings *findings, const char *format, ...)
{
	struct finding *last = findings->last;
	va_list arguments;

	if (!last)
		return;
	va_start(arguments, format);
	form(last->fix, sizeof(last->fix), format, arguments);
	va_end(arguments);
}

int64_t finding_discrepancy(const struct taskrt_info *info)
{
	return (int64_t)(info->threads_made - info->threads_gone - info->threads);
}

/* The newer module may be installed already, but not loaded. */
static void fix_release(struct findings *findings, const struct system *system)
{
	char command[DISTRIBUTION_MAX];
	struct module module;

	module_find(system, &module);
	if (!strcmp(module.version, taskrt_version())) {
		finding_fix(findings, RELOAD);
		return;
	}
	distribution_install(system, "taskrt-dkms", command);
	finding_fix(findings, "%s && " RELOAD, distribution_has_module(system) ? command :
		     "(in the sources of this release) make dkms-install");
}

static void check_version(struct findings *findings, const struct taskrt_info *info,
			  const struct system *system)
{
	const int order = strverscmp(info->module_version, taskrt_version());

	if (info->stats_version < TASKRT_STATS_VERSION) {
		finding_problem(findings, "module_old",
				"the module is too old for this tool: it knows statistics version %u, not %d; newer fields are not measured",
				info->stats_version, TASKRT_STATS_VERSION);
		fix_release(findings, system);
	}
	if (info->stats_version > TASKRT_STATS_VERSION)
		finding_note(findings, "module_new",
			     "the module is newer than this tool: of its statistics version %u only the fields of version %d are shown",
			     info->stats_version, TASKRT_STATS_VERSION);
	if (!order)
		return;
	finding_note(findings, "releases_differ", "the module is of release %.31s, the library of %s",
		     info->module_version, taskrt_version());
	if (order < 0)
		fix_release(findings, system);
}

static void check_parameters(struct findings *findings, const struct taskrt_info *info)
{
	char time[UNITS_MAX];

	if (!info->enabled) {
		finding_problem(findings, "switched_off",
				"accounting is switched off, so no thread is tracked");
		finding_fix(findings, "echo 1 > " FINDING_PARAMETERS "enabled");
	}
	if (info->coarse_ns)
		finding_note(findings, "coarse",
			     "times are rounded down to %s for readers without CAP_PERFMON (parameter coarse_ns)",
			     units_time(time, info->coarse_ns));
}

static const char *lost_without(const struct taskrt_hook *hook)
{
	size_t i;

	for (i = 0; i < sizeof(purposes) / sizeof(purposes[0]); i++)
		if (!strncmp(hook->name, purposes[i].name, sizeof(hook->name)))
			return purposes[i].lost;
	return "something is not measured";
}

static int is_kind(const struct taskrt_hook *hook, const char *kind)
{
	return !strcmp(hook->kind, kind);
}

const char *finding_hook_status(const struct taskrt_hook *hook)
{
	switch (hook->status) {
	case 0:
		return "attached";
	case -ENOENT:
		return is_kind(hook, "counter") ? "not in this processor" : "not in this kernel";
	case -EOPNOTSUPP:
		return is_kind(hook, "counter") ? "not in this processor" : strerror(EOPNOTSUPP);
	case -ECANCELED:
		return "left out, parameter without";
	case -ENODEV:
		return "switched off";
	default:
		return strerror(-hook->status);
	}
}

/* A hook that the kernel lacks cannot be fixed, but one that was left out can. */
static void fix_hook(struct findings *findings, const struct taskrt_hook *hook,
		     const struct system *system)
{
	const char *option = !strcmp(hook->kind, "kprobe") ? "CONFIG_KPROBES" :
			     !strcmp(hook->kind, "kretprobe") ? "CONFIG_KRETPROBES" : NULL;
	struct modprobe_line line;

	if (hook->status != -ECANCELED && option && kernel_option(system, option) == 'n')
		finding_fix(findings, "boot a kernel with %s, which this one was built without",
			    option);
	if (hook->status != -ECANCELED)
		return;
	if (modprobe_find(system, "options", "without=", &line))
		finding_fix(findings, "take without= out of %s, then: " RELOAD, line.place);
	else
		finding_fix(findings, RELOAD);
}

/* The module can time at most as many tasks inside a function as its limit of threads allows. */
static const char *meaning_of_misses(const struct taskrt_hook *hook)
{
	if (is_kind(hook, "kretprobe"))
		return "too many threads were inside at once; threads that were not timed are marked incomplete";
	if (is_kind(hook, "ftrace"))
		return "another program traces the return of the function; threads that were not timed are marked incomplete";
	if (is_kind(hook, "counter"))
		return "a processor could not count, because it was suspended or its counters are in use";
	return "its times are too low by that much";
}

/* An administrator cannot add such a hook.  Cycles differ, because a parameter requests them. */
static int kernel_lacks(const struct taskrt_hook *hook)
{
	return !is_kind(hook, "counter") && (hook->status == -ENOENT ||
		hook->status == -EOPNOTSUPP || hook->status == -ENOSYS);
}

static void check_hook(struct findings *findings, const struct taskrt_hook *hook,
		       const struct system *system, uint64_t threads_max)
{
	int often = hook->misses > hook->hits / MISSES_ALLOWED;

	/* The hooks of an option may be switched off: see optional.c. */
	if (hook->status == -ENODEV)
		return;
	if (hook->status) {
		(kernel_lacks(hook) ? finding_note : finding_problem)(findings, "hook",
			"hook %.31s is not attached (%s): %s", hook->name,
			finding_hook_status(hook), lost_without(hook));
		fix_hook(findings, hook, system);
		return;
	}
	if (hook->misses)
		(often ? finding_problem : finding_note)(findings, "misses",
			"hook %.31s missed %" PRIu64 " of %" PRIu64 " calls: %s", hook->name,
			hook->misses, hook->hits + hook->misses, meaning_of_misses(hook));
	if (often && is_kind(hook, "kretprobe"))
		finding_fix(findings, RELOAD " max_threads=%" PRIu64, 2 * threads_max);
}

static void check_hooks(struct findings *findings, const struct inventory *inventory,
			const struct system *system)
{
	uint32_t i, count = inventory->info.nr_hooks;

	if (!count)
		finding_problem(findings, "no_hooks",
				"the module reports no hooks: nothing is measured");
	for (i = 0; i < count; i++)
		check_hook(findings, &inventory->hooks[i], system,
			   inventory->info.threads_max);
	if (kernel_says(system, KPROBES, "0") == 1) {
		finding_problem(findings, "kprobes_off",
				"all kprobes are switched off: hooks of the kinds kprobe and kretprobe are not called");
		finding_fix(findings, "echo 1 > /" KPROBES);
	}
	if (kernel_says(system, FTRACE, "0") == 1) {
		finding_problem(findings, "ftrace_off",
				"ftrace is switched off: hooks of the kinds ftrace, kprobe and kretprobe may not be called");
		finding_fix(findings, "echo 1 > /" FTRACE);
	}
}

static void check_records(struct findings *findings, const struct taskrt_info *info)
{
	int64_t discrepancy = finding_discrepancy(info);

	if (discrepancy)
		finding_problem(findings, "books",
				"the record counters disagree: made minus gone differs from live by %" PRId64
				" records; please report this",
				discrepancy);
	if (info->refused) {
		finding_problem(findings, "refused_records",
				"threads without a record, because the limit is %" PRIu64 ": %" PRIu64,
				info->threads_max, info->refused);
		finding_fix(findings, RELOAD " max_threads=%" PRIu64, 2 * info->threads_max);
	}
	if (info->no_memory > info->repaired)
		finding_problem(findings, "no_memory",
				"threads without a record, because memory was short: %" PRIu64,
				info->no_memory - info->repaired);
	else if (info->no_memory)
		finding_note(findings, "late_records",
			     "threads whose record was made late, because memory was short: %" PRIu64,
			     info->no_memory);
}

static void check_exits(struct findings *findings, const struct taskrt_info *info)
{
	if (!info->exits_lost)
		return;
	finding_note(findings, "exits_lost",
		     "exits that were not delivered: %" PRIu64 " of %" PRIu64
		     "; a listener read too slowly for its backlog, or the worker could not keep up",
		     info->exits_lost, info->exits_delivered + info->exits_lost);
	finding_fix(findings, "echo %" PRIu64 " > " FINDING_PARAMETERS "backlog_kib",
		    2 * info->backlog_max_bytes / 1024);
}

/* Words separated by commas, as far as there is room. */
struct words {
	char text[FINDING_MAX - 64];
};

static void add_word(struct words *words, const char *kind, const char *name)
{
	size_t used = strlen(words->text);

	snprintf(words->text + used, sizeof(words->text) - used, "%s%s%s%s", used ? ", " : "",
		 kind, *kind && *name ? "." : "", name);
}

/* Add the fields of struct taskrt_stats that are missing. */
static void add_fields(struct words *words, uint64_t missing)
{
	size_t i;

	for (i = 0; i < field_valid_count; i++)
		if (missing & field_valid[i].bit)
			add_word(words, "", field_valid[i].covers);
}

/* Add what the module measures on other kernels only; a whole kind is one word. */
static void add_names(struct words *words, const struct inventory *inventory)
{
	unsigned int kind, i;

	for (kind = 0; kind < NAMES_KINDS; kind++) {
		uint64_t known = names_measured(&inventory->known, kind);
		uint64_t measured = names_measured(&inventory->info.measured, kind);

		if (kind == TASKRT_NAME_TIMER)
			known &= ~(uint64_t)(READING_STALLS | READING_INTERRUPTS | READING_STEAL);
		if (kind == TASKRT_NAME_VALUE)
			known &= ~(uint64_t)READING_CYCLES;
		if (known && !(known & measured)) {
			add_word(words, names_kind(kind), "");
			continue;
		}
		for (i = 0; i < NAMES_MAX; i++)
			if (taskrt_measures(known & ~measured, i))
				add_word(words, names_kind(kind), names_of(kind, i));
	}
}

/* A kernel without cgroups is common. */
#define VALID_SELDOM	TASKRT_VALID_CGROUP

/* Only a note: a reason that can be fixed, such as an old module, is a problem of its own. */
static void check_fields(struct findings *findings, const struct inventory *inventory)
{
	uint64_t missing = field_valid_all() & ~inventory->info.valid;
	struct words words = { "" }, seldom = { "" };

	/* Nothing is measured while accounting is off, which is a finding of its own. */
	if (!inventory->info.enabled)
		return;
	add_fields(&words, missing & ~VALID_SELDOM);
	add_names(&words, inventory);
	add_fields(&seldom, missing & VALID_SELDOM);
	if (*words.text)
		finding_note(findings, "not_measured", "not measured on this kernel: %s", words.text);
	if (*seldom.text)
		finding_note(findings, "not_told", "not available on this kernel: %s", seldom.text);
}

void finding_collect(struct findings *findings, const struct inventory *inventory,
		     const struct system *system)
{
	const struct taskrt_info *info = &inventory->info;

	findings->count = 0;
	findings->problems = 0;
	check_version(findings, info, system);
	check_parameters(findings, info);
	check_hooks(findings, inventory, system);
	check_fields(findings, inventory);
	check_records(findings, info);
	check_exits(findings, info);
}
