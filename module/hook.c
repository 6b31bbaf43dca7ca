// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/string.h>
#include "hook.h"

DEFINE_PER_CPU(struct hook_counts, hook_counts);

struct hook {
	const char *name;
	void * const *probe;		/* NULL: the kretprobe */
	bool required;			/* without it nobody can be tracked */
	struct tracepoint *tracepoint;
	int status;
};

/*
 * In the order of attaching.  Who is freed must be known before anybody has a
 * record; who is born comes last, so that nothing of what a new task does is
 * missed.  Who was born before that is found by the walk that follows.
 */
static struct hook hooks[NR_HOOKS] = {
	[HOOK_SCHED_PROCESS_FREE] = { "sched_process_free", &hook_probe_free, true },
	[HOOK_SCHED_PROCESS_EXEC] = { "sched_process_exec", &hook_probe_exec },
	[HOOK_SCHED_SWITCH]	  = { "sched_switch", &hook_probe_switch },
	[HOOK_SCHED_WAKEUP]	  = { "sched_wakeup", &hook_probe_wakeup },
	[HOOK_SCHED_WAKEUP_NEW]	  = { "sched_wakeup_new", &hook_probe_wakeup_new },
	[HOOK_CONTENTION_BEGIN]	  = { "contention_begin", &hook_probe_contention_begin },
	[HOOK_CONTENTION_END]	  = { "contention_end", &hook_probe_contention_end },
	[HOOK_HANDLE_MM_FAULT]	  = { "handle_mm_fault", NULL },
	[HOOK_TASK_NEWTASK]	  = { "task_newtask", &hook_probe_newtask, true },
};

static struct kretprobe fault_probe;

/* The scheduler's tracepoints are not exported: they are found by name. */
static void tracepoint_note(struct tracepoint *tracepoint, void *unused)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++)
		if (hooks[i].probe && !strcmp(hooks[i].name, tracepoint->name))
			hooks[i].tracepoint = tracepoint;
}

static bool named_in(const char *list, const char *name)
{
	const size_t len = strlen(name);
	const char *at = list;

	while (at && (at = strstr(at, name))) {
		if ((at == list || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
		at += len;
	}
	return false;
}

static bool is_optional(const char *name, size_t len)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++)
		if (!hooks[i].required && strlen(hooks[i].name) == len &&
		    !strncmp(hooks[i].name, name, len))
			return true;
	return false;
}

int hooks_check(const char *without)
{
	while (*without) {
		const size_t len = strcspn(without, ",");

		if (!is_optional(without, len)) {
			pr_err("parameter without: %.*s is no hook that can be left out\n",
			       (int)len, without);
			return -EINVAL;
		}
		without += len;
		without += *without == ',';
	}
	return 0;
}

static int attach(struct hook *hook)
{
	if (!hook->probe) {
		memset(&fault_probe, 0, sizeof(fault_probe));
		fault_probe.kp.symbol_name = hook->name;
		hook_fault_prepare(&fault_probe);
		return register_kretprobe(&fault_probe);
	}
	if (!hook->tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(hook->tracepoint, *hook->probe, NULL);
}

static void detach(struct hook *hook)
{
	if (hook->status)
		return;
	if (hook->probe)
		tracepoint_probe_unregister(hook->tracepoint, *hook->probe, NULL);
	else
		unregister_kretprobe(&fault_probe);
	hook->status = -ENODEV;
}

void hooks_count_anew(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&hook_counts, cpu), 0, sizeof(struct hook_counts));
}

int hooks_attach(const char *without)
{
	int i, err = 0;

	for_each_kernel_tracepoint(tracepoint_note, NULL);
	for (i = 0; i < NR_HOOKS; i++) {
		struct hook *hook = &hooks[i];

		hook->status = named_in(without, hook->name) ? -ECANCELED : attach(hook);
		if (hook->status && hook->status != -ECANCELED)
			pr_warn("cannot hook %s: error %d\n", hook->name, hook->status);
		if (hook->status && hook->required)
			err = hook->status;
	}
	if (err)
		hooks_detach();
	return err;
}

void hooks_detach(void)
{
	int i;

	for (i = NR_HOOKS - 1; i >= 0; i--)
		detach(&hooks[i]);
	/* Not plain synchronize_rcu(): probes run under other kinds of RCU as well. */
	tracepoint_synchronize_unregister();
}

bool hook_attached(enum hook_id id)
{
	return !hooks[id].status;
}

void hook_report(enum hook_id id, struct hook_report *report)
{
	const struct hook *hook = &hooks[id];
	int cpu;

	report->name = hook->name;
	report->kind = hook->probe ? "tracepoint" : "kretprobe";
	report->status = hook->status;
	report->hits = 0;
	report->misses = 0;
	for_each_possible_cpu(cpu) {
		report->hits += per_cpu(hook_counts, cpu).hits[id];
		report->misses += per_cpu(hook_counts, cpu).misses[id];
	}
	if (!hook->probe && !hook->status)
		report->misses += fault_probe.nmissed + fault_probe.kp.nmissed;
}
