// SPDX-License-Identifier: GPL-2.0-only
#include <linux/build_bug.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/string.h>
#include "hook/hook_fault_count.h"
#include "hook/hook_live.h"
#include "hook/hooks.h"
#include "hook/probes.h"
#include "track/track.h"

struct hook {
	const char *name;
	bool required;			/* without it no task can be tracked */
	enum hook_option option;
	const int *needs;		/* status of an earlier hook that this one depends on */
	/* One of probe, kprobe, kretprobes, pairs, counters and offline is set. */
	void * const *probe;
	struct kprobe *kprobe;
	void (*prepare)(void);		/* called before it is attached, if set */
	struct kretprobe_group *kretprobes;
	const struct hook_backend *backend;	/* tried before the kretprobes, if set */
	bool by_backend;			/* the backend is attached */
	struct tracepoint *tracepoint;	/* found by name */
	struct tracepoint_pairs *pairs;
	const struct hook_counters *counters;
	const hook_offline_fn *offline;
	enum cpuhp_state offline_state;		/* allocated when offline is attached */
};

#define TRACEPOINT(event, function)	.name = event, .probe = function
#define KPROBE(symbol, kp, fill)	.name = symbol, .kprobe = kp, .prepare = fill
#define PAIRS(label, group)		.name = label, .pairs = group
#define KRETPROBES(label, group)	.name = label, .kretprobes = group
#define COUNTERS(label, of)		.name = label, .counters = of
#define OFFLINE(label, function)	.name = label, .offline = function

/*
 * The hooks without an option, in the order of attaching, and the others, which
 * hooks_attach_option() attaches.  sched_process_free is attached before the first record is made.
 * task_newtask comes last, so that the hooks without an option see all events of a new task.
 * track_start() then finds the older tasks.
 */
static struct hook hooks[NR_HOOKS] = {
	[HOOK_SCHED_PROCESS_FREE] = { TRACEPOINT("sched_process_free", &hook_probe_free),
				      .required = true },
	[HOOK_SCHED_PROCESS_EXEC] = { TRACEPOINT("sched_process_exec", &hook_probe_exec) },
	[HOOK_SCHED_PROCESS_EXIT] = { TRACEPOINT("sched_process_exit", &hook_probe_exit) },
	[HOOK_EXIT_SIGNALS]	  = { KPROBE("exit_signals", &hook_kprobe_exiting,
					     hook_exiting_prepare) },
	[HOOK_RELEASE_TASK]	  = { KPROBE("release_task", &hook_kprobe_release,
					     hook_release_prepare) },
	[HOOK_SCHED_SWITCH]	  = { TRACEPOINT("sched_switch", &hook_probe_switch),
				      .prepare = hook_sched_prepare },
	[HOOK_SCHED_WAKEUP]	  = { TRACEPOINT("sched_wakeup", &hook_probe_wakeup) },
	[HOOK_SCHED_WAKEUP_NEW]	  = { TRACEPOINT("sched_wakeup_new", &hook_probe_wakeup_new) },
	[HOOK_CPU_OFFLINE]	  = { OFFLINE("cpu_offline", &hook_offline_cpu) },
	[HOOK_HRTIMER_EXPIRE]	  = { PAIRS("hrtimer_expire", &hook_timer),
				      .prepare = hook_timer_prepare },
#ifdef TASKRT_HAVE_CONTENTION_TRACEPOINTS
	[HOOK_CONTENTION_END]	  = { TRACEPOINT("contention_end",
						 &hook_probe_contention_end) },
	/* Without contention_end, a wait would never end. */
	[HOOK_CONTENTION_BEGIN]	  = { TRACEPOINT("contention_begin",
						 &hook_probe_contention_begin),
				      .needs = &hook_status[HOOK_CONTENTION_END],
				      .prepare = hook_lock_prepare },
#else
#ifdef CONFIG_PREEMPT_RT
	[HOOK_RT_SPIN_LOCK]	  = { KRETPROBES("rt_spin_lock_slowpath", &hook_rt_spin_lock) },
#else
	[HOOK_MUTEX]		  = { KRETPROBES("mutex_slowpath", &hook_mutex) },
#endif
	[HOOK_RWSEM_READ]	  = { KRETPROBES("rwsem_read_slowpath", &hook_rwsem_read) },
	[HOOK_RWSEM_WRITE]	  = { KRETPROBES("rwsem_write_slowpath", &hook_rwsem_write) },
	[HOOK_RT_MUTEX]		  = { KRETPROBES("rt_mutex_slowpath", &hook_rt_mutex) },
	[HOOK_SEMAPHORE]	  = { KRETPROBES("semaphore_slowpath", &hook_semaphore) },
	[HOOK_PERCPU_RWSEM]	  = { KRETPROBES("percpu_rwsem_wait", &hook_percpu_rwsem) },
#endif
	[HOOK_HANDLE_MM_FAULT]	  = { KRETPROBES("handle_mm_fault", &hook_fault),
#ifdef HOOK_FAULT_COUNT
				      .backend = &hook_fault_count,
#endif
				    },
	[HOOK_RECLAIM]		  = { PAIRS("reclaim", &hook_reclaim),
				      .needs = &hook_status[HOOK_SCHED_SWITCH] },
#ifdef CONFIG_COMPACTION
	[HOOK_COMPACTION]	  = { PAIRS("compaction", &hook_compaction),
				      .needs = &hook_status[HOOK_SCHED_SWITCH] },
#endif
#ifdef COMPAT_THROTTLES_GROUPS
	/* hook_sched_prepare() initializes these.  Without the first, no throttling would end. */
	[HOOK_UNTHROTTLE]	  = { KPROBE("tg_unthrottle_up", &hook_kprobe_unthrottle, NULL),
				      .needs = &hook_status[HOOK_SCHED_SWITCH] },
	[HOOK_THROTTLE]		  = { KPROBE("tg_throttle_down", &hook_kprobe_throttle, NULL),
				      .needs = &hook_status[HOOK_UNTHROTTLE] },
	[HOOK_TASK_CHANGE_GROUP]  = { KPROBE("task_change_group_fair", &hook_kprobe_change_group,
					     NULL),
				      .needs = &hook_status[HOOK_THROTTLE] },
#endif
	[HOOK_IRQ_HANDLER]	  = { PAIRS("irq_handler", &hook_irq_handler),
				      .option = HOOKS_OF_INTERRUPTS, .prepare = hook_irq_prepare },
	[HOOK_IRQ_VECTORS]	  = { PAIRS("irq_vectors", &hook_irq_vectors),
				      .option = HOOKS_OF_INTERRUPTS },
#ifndef CONFIG_PREEMPT_RT
	[HOOK_SOFTIRQ]		  = { PAIRS("softirq", &hook_softirq),
				      .option = HOOKS_OF_INTERRUPTS },
#endif
#ifdef CONFIG_PERF_EVENTS
	[HOOK_CYCLES]		  = { COUNTERS("cycles", &hook_cycles),
				      .needs = &hook_status[HOOK_SCHED_SWITCH],
				      .option = HOOKS_OF_CYCLES },
#endif
	[HOOK_SCHED_WAKING]	  = { TRACEPOINT("sched_waking", &hook_probe_waking),
				      .option = HOOKS_OF_ARMED },
	[HOOK_SCHED_MIGRATE_TASK] = { TRACEPOINT("sched_migrate_task", &hook_probe_migrate),
#ifndef COMPAT_THROTTLES_GROUPS
				      .option = HOOKS_OF_ARMED,
#endif
				    },
	[HOOK_TASK_NEWTASK]	  = { TRACEPOINT("task_newtask", &hook_probe_newtask),
				      .required = true },
};

/* Tracepoints are found by name, because the kernel does not export most of them. */
static void hooks_note_tracepoint(struct tracepoint *tracepoint, void *unused)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++) {
		if (hooks[i].probe && !strcmp(hooks[i].name, tracepoint->name))
			hooks[i].tracepoint = tracepoint;
		if (hooks[i].pairs)
			tracepoint_pairs_note(hooks[i].pairs, tracepoint);
	}
}

static bool hooks_named_in(const char *list, const char *name)
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

static bool hooks_is_optional(const char *name, size_t len)
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

		if (!hooks_is_optional(without, len)) {
			pr_err("parameter without: %.*s is no hook that can be left out\n",
			       (int)len, without);
			return -EINVAL;
		}
		without += len;
		without += *without == ',';
	}
	return 0;
}

static int hooks_attach_offline(struct hook *hook)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "taskrt:sched", NULL,
					      *hook->offline);

	if (state < 0)
		return state;
	hook->offline_state = state;
	return 0;
}

static int hooks_attach_one(struct hook *hook, u64 max_threads)
{
	if (hook->prepare)
		hook->prepare();
	if (hook->kprobe)
		return register_kprobe(hook->kprobe);
	WRITE_ONCE(hook->by_backend, hook->backend && !hook->backend->attach());
	if (hook->by_backend)
		return 0;
	if (hook->kretprobes)
		return kretprobe_group_attach(hook->kretprobes, max_threads);
	if (hook->pairs)
		return tracepoint_pairs_attach(hook->pairs);
	if (hook->counters)
		return hook->counters->attach();
	if (hook->offline)
		return hooks_attach_offline(hook);
	if (!hook->tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(hook->tracepoint, *hook->probe, NULL);
}

static void hooks_detach_one(enum hook_id id)
{
	struct hook *hook = &hooks[id];

	if (hook_status[id])
		return;
	if (hook->by_backend)
		hook->backend->detach();
	else if (hook->kprobe)
		unregister_kprobe(hook->kprobe);
	else if (hook->kretprobes)
		kretprobe_group_detach(hook->kretprobes);
	else if (hook->pairs)
		tracepoint_pairs_detach(hook->pairs);
	else if (hook->counters)
		hook->counters->detach();
	else if (hook->offline)
		cpuhp_remove_state_nocalls(hook->offline_state);
	else
		tracepoint_probe_unregister(hook->tracepoint, *hook->probe, NULL);
	WRITE_ONCE(hook_status[id], -ENODEV);
}

bool hooks_see(enum hook_id id)
{
	const struct hook *hook = &hooks[id];

	if (!hook_attached(id))
		return false;
	if (READ_ONCE(hook->by_backend))
		return hook_live(LIVE_FTRACE);
	return (!hook->kprobe && !hook->kretprobes) || hook_live(LIVE_KPROBES);
}

int hooks_enable(enum hook_id id)
{
	struct kprobe *kprobe = hooks[id].kprobe;

	if (hook_status[id] || !kprobe_disabled(kprobe))
		return hook_status[id];
	return enable_kprobe(kprobe);
}

static void hooks_forget_counts(struct hook_counts *counts)
{
	memset(counts->hits, 0, sizeof(counts->hits));
	memset(counts->misses, 0, sizeof(counts->misses));
}

void hooks_count_anew(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hooks_forget_counts(per_cpu_ptr(&hook_counts, cpu));
}

static int hooks_attach_wanted(struct hook *hook, const char *without, u64 max_threads)
{
	if (hooks_named_in(without, hook->name))
		return -ECANCELED;
	if (hook->needs && *hook->needs)
		return *hook->needs;
	return hooks_attach_one(hook, max_threads);
}

static int hooks_attach_unless(enum hook_id id, const char *without, u64 max_threads)
{
	int status = hooks_attach_wanted(&hooks[id], without, max_threads);

	WRITE_ONCE(hook_status[id], status);
	if (status && status != -ECANCELED)
		pr_warn("cannot hook %s: error %d\n", hooks[id].name, status);
	return status;
}

/* task_newtask, which makes the first record, is attached last. */
static_assert(ARRAY_SIZE(hooks) == HOOK_TASK_NEWTASK + 1);

int hooks_attach(u64 max_threads, const char *without, int (*ready)(void))
{
	int i;

	for_each_kernel_tracepoint(hooks_note_tracepoint, NULL);
	hook_live_attach();
	for (i = 0; i < NR_HOOKS; i++) {
		int status = 0;

		if (hooks[i].option) {
			WRITE_ONCE(hook_status[i], -ENODEV);
			continue;
		}
		if (i == HOOK_TASK_NEWTASK)
			status = ready();
		if (status)
			return status;
		status = hooks_attach_unless(i, without, max_threads);
		if (status && hooks[i].required)
			return status;
	}
	return 0;
}

static void hooks_detach_all_of(enum hook_option option)
{
	int i;

	for (i = NR_HOOKS - 1; i >= 0; i--)
		if (hooks[i].option == option)
			hooks_detach_one(i);
	tracepoint_synchronize_unregister();
}

/* The option is off from now on, so this also forgets why a hook could not be attached. */
void hooks_detach_option(enum hook_option option)
{
	int i;

	hooks_detach_all_of(option);
	for (i = 0; i < NR_HOOKS; i++)
		if (hooks[i].option == option && hook_status[i] != -ECANCELED)
			WRITE_ONCE(hook_status[i], -ENODEV);
}

/* Unless both hooks of hard interrupts are attached, the option measures nothing: detach all. */
static bool hooks_in_vain(enum hook_option option)
{
	return option == HOOKS_OF_INTERRUPTS &&
	       (hook_status[HOOK_IRQ_HANDLER] || hook_status[HOOK_IRQ_VECTORS]);
}

void hooks_attach_option(enum hook_option option, const char *without)
{
	int i;

	for (i = 0; i < NR_HOOKS; i++) {
		if (hooks[i].option != option)
			continue;
		if (hook_status[i])
			hooks_attach_unless(i, without, 0);
		else if (hooks[i].counters)
			hooks[i].counters->retry();
	}
	if (hooks_in_vain(option))
		hooks_detach_all_of(option);
}

/*
 * The hotplug callback goes first: for a dead CPU it does the work of sched_switch.  The hook of
 * exit follows: while hooks are removed, waits are seen only in part, and no listener may get
 * such a record.  Once sched_switch is removed, thread_on_cpu keeps its last value, and that
 * thread may be freed.  So all probes that read it have ended by then (since 7.0 they may be
 * preempted).
 *
 * synchronize_rcu() is not enough, because probes also run under other kinds of RCU.
 */
void hooks_detach(void)
{
	int i;

	hook_live_detach();
	hooks_detach_one(HOOK_CPU_OFFLINE);
	hooks_detach_one(HOOK_SCHED_PROCESS_EXIT);
	tracepoint_synchronize_unregister();
	for (i = NR_HOOKS - 1; i > HOOK_SCHED_PROCESS_FREE; i--) {
		if (i == HOOK_SCHED_SWITCH)
			tracepoint_synchronize_unregister();
		hooks_detach_one(i);
	}
	tracepoint_synchronize_unregister();
}

void hooks_detach_free(void)
{
	hooks_detach_one(HOOK_SCHED_PROCESS_FREE);
	tracepoint_synchronize_unregister();
}

static_assert(HOOK_SCHED_PROCESS_FREE == 0);

static u64 hooks_frees_missed(void)
{
	struct track_counts counts;

	track_counts(&counts);
	return counts.free_missed;
}

static const char *hooks_kind(const struct hook *hook)
{
	if (hook->probe || hook->pairs)
		return "tracepoint";
	if (hook->counters)
		return "counter";
	if (hook->offline)
		return "hotplug";
	if (READ_ONCE(hook->by_backend))
		return "ftrace";
	return hook->kprobe ? "kprobe" : "kretprobe";
}

/*
 * While accounting is off, INFO calls this without accounting_rwsem, and hooks may be attached at
 * the same time.  The report is then a snapshot.  Nothing that it reads is ever freed.
 */
void hooks_report(enum hook_id id, struct hook_report *report)
{
	const struct hook *hook = &hooks[id];
	int cpu;

	report->name = hook->name;
	report->kind = hooks_kind(hook);
	report->status = READ_ONCE(hook_status[id]);
	report->hits = 0;
	report->misses = 0;
	for_each_possible_cpu(cpu) {
		report->hits += per_cpu(hook_counts, cpu).hits[id];
		report->misses += per_cpu(hook_counts, cpu).misses[id];
	}
	if (report->status)
		return;
	if (id == HOOK_SCHED_PROCESS_FREE)
		report->misses += hooks_frees_missed();
	if (hook->kprobe)
		report->misses += hook->kprobe->nmissed;
	if (hook->kretprobes && !READ_ONCE(hook->by_backend))
		report->misses += kretprobe_group_missed(hook->kretprobes);
}
