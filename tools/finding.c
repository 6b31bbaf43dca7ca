// SPDX-License-Identifier: GPL-2.0-only
/* What is wrong with the module on this machine, in plain sentences. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "field.h"
#include "finding.h"
#include "units.h"

#define PARAMETERS	"/sys/module/taskrt/parameters/"

/* A hook may miss one call in so many before that is a problem. */
#define MISSES_ALLOWED	1000

/* What is not known without a hook; another than these is not ours to judge. */
static const struct {
	const char *name;
	const char *lost;
} purposes[] = {
	{ "sched_switch", "no time at all is measured" },
	{ "sched_wakeup", "waits for a CPU count as part of the sleep before" },
	{ "sched_wakeup_new", "the first wait of a new thread for a CPU is not seen" },
	{ "task_newtask", "threads created from now on are not tracked" },
	{ "sched_process_exec", "names and ids are those from before exec" },
	{ "sched_process_exit", "identity and exit code of ended threads are not known" },
	{ "sched_process_free", "records of ended threads are never freed" },
	{ "contention_begin", "waits for kernel locks are not told apart" },
	{ "contention_end", "waits for kernel locks are not told apart" },
	{ "exit_signals", "no listener can be told of its own user's tasks only" },
	{ "release_task", "totals of children are not known" },
	{ "handle_mm_fault", "waits in page faults are not told apart" },
};

void finding_add(struct findings *findings, int problem, const char *format, ...)
{
	struct finding *finding = &findings->list[findings->count];
	va_list arguments;

	if (findings->count == FINDINGS_MAX)
		return;
	finding->problem = problem;
	va_start(arguments, format);
	vsnprintf(finding->text, sizeof(finding->text), format, arguments);
	va_end(arguments);
	findings->count++;
	findings->problems += problem != 0;
}

int64_t finding_discrepancy(const struct taskrt_info *info)
{
	return (int64_t)(info->threads_made - info->threads_gone - info->threads);
}

static void check_version(struct findings *findings, const struct taskrt_info *info)
{
	if (info->stats_version < TASKRT_STATS_VERSION)
		finding_add(findings, 1,
			    "the module is too old for this tool: it knows statistics version %u, not %d; newer fields are not measured",
			    info->stats_version, TASKRT_STATS_VERSION);
	if (info->stats_version > TASKRT_STATS_VERSION)
		finding_add(findings, 0,
			    "the module is newer than this tool: of its statistics version %u only the fields of version %d are shown",
			    info->stats_version, TASKRT_STATS_VERSION);
	if (strcmp(info->module_version, taskrt_version()))
		finding_add(findings, 0, "the module is of release %.31s, the library of %s",
			    info->module_version, taskrt_version());
}

static void check_parameters(struct findings *findings, const struct taskrt_info *info)
{
	char time[UNITS_MAX];

	if (!info->enabled)
		finding_add(findings, 1,
			    "accounting is switched off, no thread is tracked; as root: echo 1 > "
			    PARAMETERS "enabled");
	if (info->coarse_ns)
		finding_add(findings, 0,
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

const char *finding_hook_status(const struct taskrt_hook *hook)
{
	switch (hook->status) {
	case 0:
		return "attached";
	case -ENOENT:
		return "not in this kernel";
	case -ECANCELED:
		return "left out, parameter without";
	default:
		return strerror(-hook->status);
	}
}

static void check_hook(struct findings *findings, const struct taskrt_hook *hook)
{
	int often = hook->misses > hook->hits / MISSES_ALLOWED;

	if (hook->status) {
		finding_add(findings, 1, "hook %.31s is not attached (%s): %s", hook->name,
			    finding_hook_status(hook), lost_without(hook));
		return;
	}
	if (hook->misses)
		finding_add(findings, often,
			    "hook %.31s missed %" PRIu64 " of %" PRIu64
			    " calls: its times are too low by these",
			    hook->name, hook->misses, hook->hits + hook->misses);
}

static void check_hooks(struct findings *findings, const struct taskrt_info *info)
{
	uint32_t i;

	if (!info->nr_hooks)
		finding_add(findings, 1, "the module tells of no hooks: nothing is measured");
	for (i = 0; i < info->nr_hooks && i < TASKRT_HOOKS_MAX; i++)
		check_hook(findings, &info->hooks[i]);
}

static void check_records(struct findings *findings, const struct taskrt_info *info)
{
	int64_t discrepancy = finding_discrepancy(info);

	if (discrepancy)
		finding_add(findings, 1,
			    "the books are wrong: made less gone is not live, by %" PRId64
			    " records; please report this",
			    discrepancy);
	if (info->refused)
		finding_add(findings, 1,
			    "threads refused a record: %" PRIu64
			    "; load the module with a greater max_threads than %" PRIu64,
			    info->refused, info->threads_max);
	if (info->no_memory > info->repaired)
		finding_add(findings, 1,
			    "threads without a record, for want of memory: %" PRIu64,
			    info->no_memory - info->repaired);
	else if (info->no_memory)
		finding_add(findings, 0,
			    "threads that got their record late, for want of memory: %" PRIu64,
			    info->no_memory);
}

static void check_exits(struct findings *findings, const struct taskrt_info *info)
{
	if (info->exits_lost)
		finding_add(findings, 0,
			    "exits that were not told: %" PRIu64 " of %" PRIu64
			    "; a listener read too slowly for its backlog, see " PARAMETERS
			    "backlog_kib",
			    info->exits_lost, info->exits_told + info->exits_lost);
}

static void check_fields(struct findings *findings, const struct taskrt_info *info)
{
	char fields[sizeof(findings->list[0].text) - 64] = "";
	size_t i;

	for (i = 0; i < field_valid_count; i++) {
		size_t used = strlen(fields);

		if (!(info->valid & field_valid[i].bit))
			snprintf(fields + used, sizeof(fields) - used, "%s%s",
				 used ? ", " : "", field_valid[i].covers);
	}
	/* While accounting is off nothing is, and that has been said. */
	if (*fields && info->enabled)
		finding_add(findings, 1, "not measured on this kernel: %s", fields);
}

void finding_collect(struct findings *findings, const struct taskrt_info *info)
{
	findings->count = 0;
	findings->problems = 0;
	check_version(findings, info);
	check_parameters(findings, info);
	check_hooks(findings, info);
	check_fields(findings, info);
	check_records(findings, info);
	check_exits(findings, info);
}
