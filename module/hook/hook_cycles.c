// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/perf_event.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/time64.h>
#include "compat/clock.h"
#include "engine/record_sched.h"
#include "hook/hook.h"
#include "hook/hook_cycles.h"
#include "hook/probes.h"
#include "observe/occupants.h"

static const u64 hook_cycles_config[NR_COUNTERS] = {
	[COUNTED_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
	[COUNTED_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
};

/*
 * A counter that has lost its state, as in a suspend, seems to have advanced by about 2^47.  A real
 * counter advances by at most 2^5 per nanosecond.  JITTER_NS allows for the time between reading
 * the counters and reading the clock.
 */
#define PER_NS_SHIFT	5
#define JITTER_NS	NSEC_PER_SEC

struct hook_cycles_cpu {
	struct perf_event *events[NR_COUNTERS];
	u64 last[NR_COUNTED];
	bool known;		/* last is valid */
};

static DEFINE_PER_CPU(struct hook_cycles_cpu, hook_cycles_cpu);
static int hook_cycles_state;	/* allocated by CPU hotplug */

DEFINE_STATIC_KEY_FALSE(hook_cycles_counted);

/*
 * Does the same as perf_event_read_local(), which is not exported.  An event counts on its own CPU
 * only, or nowhere if the processor has no counter left for it.
 * Context: interrupts off.
 */
static bool hook_cycles_read(const struct hook_cycles_cpu *c, u64 *now)
{
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		struct perf_event *event = READ_ONCE(c->events[i]);

		if (unlikely(!event || READ_ONCE(event->oncpu) < 0))
			return false;
		event->pmu->read(event);
		now[i] = local64_read(&event->count);
	}
	return true;
}

/* True if the counters advanced more than a processor can in that time. */
static bool hook_cycles_jumped(const u64 *counted)
{
	const u64 most = max(counted[COUNTED_CYCLES], counted[COUNTED_INSTRUCTIONS]);

	return most >> PER_NS_SHIFT > counted[COUNTED_NS] + JITTER_NS;
}

/*
 * The counters are read before record_sched_begin(): in a guest, each may take some microseconds,
 * and readers of the record would wait for that.
 */
void hook_cycles_add(struct thread *out)
{
	struct hook_cycles_cpu *c = this_cpu_ptr(&hook_cycles_cpu);
	u64 now[NR_COUNTED], counted[NR_COUNTED];
	bool known = c->known;
	int i;

	c->known = hook_cycles_read(c, now);
	if (unlikely(!c->known)) {
		hook_miss(HOOK_CYCLES);
		return;
	}
	/* The clock may step back slightly. */
	now[COUNTED_NS] = max(clock_now(), c->last[COUNTED_NS]);
	for (i = 0; i < NR_COUNTED; i++) {
		counted[i] = now[i] - c->last[i];
		c->last[i] = now[i];
	}
	if (unlikely(!known || !out))
		return;
	if (hook_cycles_jumped(counted)) {
		hook_miss(HOOK_CYCLES);
		return;
	}
	hook_hit(HOOK_CYCLES);
	record_sched_begin(&out->record);
	record_count(&out->record, counted);
	record_sched_end(&out->record);
}

void hook_cycles_renew(void)
{
	struct thread *t;
	unsigned long flags;

	if (!static_branch_unlikely(&hook_cycles_counted))
		return;
	/* While a thread runs, only its own CPU writes its record, with interrupts off. */
	local_irq_save(flags);
	t = thread_of_cpu(current);
	if (t)
		hook_cycles_add(t);
	local_irq_restore(flags);
}

static struct perf_event *hook_cycles_create(unsigned int cpu, int which)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = hook_cycles_config[which],
		.pinned = 1,
		.exclude_guest = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/* Context: no hook of this CPU uses the events. */
static void hook_cycles_release(struct perf_event **events)
{
	int i;

	for (i = 0; i < NR_COUNTERS; i++)
		if (events[i])
			perf_event_release_kernel(events[i]);
}

/* Return: 0 if both count; or an error: -EBUSY if others have taken the counters. */
static int hook_cycles_create_all(unsigned int cpu, struct perf_event **events)
{
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		struct perf_event *event = hook_cycles_create(cpu, i);

		if (IS_ERR(event))
			return PTR_ERR(event);
		events[i] = event;
		if (READ_ONCE(event->oncpu) < 0)
			return -EBUSY;
	}
	return 0;
}

static int hook_cycles_begin(unsigned int cpu)
{
	struct hook_cycles_cpu *c = per_cpu_ptr(&hook_cycles_cpu, cpu);
	struct perf_event *events[NR_COUNTERS] = {};
	int err, i;

	if (c->events[0])
		return 0;
	err = hook_cycles_create_all(cpu, events);
	if (err) {
		hook_cycles_release(events);
		return err;
	}
	for (i = 0; i < NR_COUNTERS; i++)
		/* The event is complete before hook_cycles_read() sees it. */
		smp_store_release(&c->events[i], events[i]);
	return 0;
}

/* Context: @cpu itself, which is going offline; or no hook reads its events. */
static int hook_cycles_end(unsigned int cpu)
{
	struct hook_cycles_cpu *c = per_cpu_ptr(&hook_cycles_cpu, cpu);
	struct perf_event *events[NR_COUNTERS];
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		events[i] = c->events[i];
		WRITE_ONCE(c->events[i], NULL);
	}
	c->known = false;
	hook_cycles_release(events);
	return 0;
}

/* A CPU that cannot count comes online all the same; its switches are misses. */
static int hook_cycles_online(unsigned int cpu)
{
	int err = hook_cycles_begin(cpu);

	if (err)
		pr_warn("cannot count the cycles of processor %u: error %d\n", cpu, err);
	return 0;
}

/* Context: cpus_read_lock().  Return: 0, or the error if no CPU can count. */
static int hook_cycles_begin_all(void)
{
	int err = -EOPNOTSUPP, one, done = 0;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		one = hook_cycles_begin(cpu);
		done += !one;
		err = one ?: err;
	}
	if (done && done < num_online_cpus())
		pr_warn("cannot count the cycles of %u processors: error %d\n",
			num_online_cpus() - done, err);
	/* -ENODEV would mean that the option is off. */
	return done ? 0 : err == -ENODEV ? -EOPNOTSUPP : err;
}

static void hook_cycles_end_all(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		hook_cycles_end(cpu);
}

static void hook_cycles_enable(struct perf_event *event)
{
	if (event)
		perf_event_enable(event);
}

static void hook_cycles_disable(struct perf_event *event)
{
	if (event)
		perf_event_disable(event);
}

static void hook_cycles_each(void (*fn)(struct perf_event *event))
{
	unsigned int cpu;
	int i;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		for (i = 0; i < NR_COUNTERS; i++)
			fn(per_cpu(hook_cycles_cpu, cpu).events[i]);
	cpus_read_unlock();
}

/* Stop counting before a suspend: not every processor restores its counters on resume. */
static int hook_cycles_sleep(struct notifier_block *unused, unsigned long event, void *unused2)
{
	if (event == PM_SUSPEND_PREPARE || event == PM_HIBERNATION_PREPARE)
		hook_cycles_each(hook_cycles_disable);
	if (event == PM_POST_SUSPEND || event == PM_POST_HIBERNATION)
		hook_cycles_each(hook_cycles_enable);
	return NOTIFY_DONE;
}

static struct notifier_block hook_cycles_pm = { .notifier_call = hook_cycles_sleep };

static int hook_cycles_begin_locked(void)
{
	int err = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN, "taskrt:cycles",
						       hook_cycles_online, hook_cycles_end);

	if (err < 0)
		return err;
	hook_cycles_state = err;
	err = hook_cycles_begin_all();
	if (err)
		cpuhp_remove_state_nocalls_cpuslocked(hook_cycles_state);
	return err;
}

static int hook_cycles_attach(void)
{
	int err;

	cpus_read_lock();
	err = hook_cycles_begin_locked();
	cpus_read_unlock();
	if (err)
		return err;
	register_pm_notifier(&hook_cycles_pm);
	static_branch_enable(&hook_cycles_counted);
	static_branch_inc(&switch_watched);
	return 0;
}

static void hook_cycles_detach(void)
{
	static_branch_dec(&switch_watched);
	static_branch_disable(&hook_cycles_counted);
	synchronize_rcu();	/* the hooks run with preemption off */
	unregister_pm_notifier(&hook_cycles_pm);
	cpus_read_lock();
	cpuhp_remove_state_nocalls_cpuslocked(hook_cycles_state);
	hook_cycles_end_all();
	cpus_read_unlock();
}

/* Tries again to get the counters that others had taken. */
static void hook_cycles_retry(void)
{
	cpus_read_lock();
	hook_cycles_begin_all();
	cpus_read_unlock();
	hook_cycles_each(hook_cycles_enable);
}

const struct hook_counters hook_cycles = {
	.attach = hook_cycles_attach,
	.detach = hook_cycles_detach,
	.retry = hook_cycles_retry,
};
