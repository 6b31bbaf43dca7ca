// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give one CPU a deep idle state, whose exit takes long.
 *
 * Such a processor executes nothing between what wakes it and the end of the exit; only then
 * does it serve the interrupt that has woken it.  So the time passes at the beginning of the
 * first interrupt after the CPU went to sleep, before its handler: the tracepoints there are
 * the first that a processor executes, and interrupts are off.
 *
 * A cpuidle driver would not do the same.  On x86, hlt ends only if interrupts are on, so
 * that the handler has run, and has woken the thread in time, before the driver goes on: such
 * a thread is queued, and its timer is not late.  The emulator's mwait does not wait.  The end
 * of the tracepoint cpu_idle is too late for the same reason, on arm64 before 6.3 as well.
 */
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#ifdef CONFIG_X86
#include <asm/trace/irq_vectors.h>
#else
#include <trace/events/ipi.h>
#endif

#include "internal.h"

/* The longest time that others are kept off the CPU. */
#define MOST_NS		NSEC_PER_SEC

static void leave(struct test_idle *idle, u64 ns)
{
	const u64 end = ktime_get_ns() + ns;

	if (!ns || atomic64_sub_return(ns, &idle->rest_ns) < 0)
		return;
	while (ktime_get_ns() < end)
		cpu_relax();
	atomic_inc(&idle->slept);
}

/* An interrupt begins.  If the CPU runs a thread again, something else has woken it. */
static void interrupt(struct test_idle *idle)
{
	if (smp_processor_id() != idle->cpu || !idle->asleep)
		return;
	idle->asleep = false;
	if (is_idle_task(current))
		leave(idle, READ_ONCE(idle->exit_ns));
}

/* It does not count that the CPU ends to be idle: the interrupt may come after that. */
static void on_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct test_idle *idle = data;

	if (cpu == idle->cpu && state != PWR_EVENT_EXIT)
		idle->asleep = true;
}

static void on_handler(void *data, int irq, struct irqaction *action)
{
	interrupt(data);
}

#ifdef CONFIG_X86
static void on_vector(void *data, int vector)
#else
static void on_vector(void *data, const char *reason)
#endif
{
	interrupt(data);
}

/* A kernel need not have all of them. */
static struct point {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
} points[] = {
	{ "cpu_idle", on_idle },
	{ "irq_handler_entry", on_handler },
#ifdef CONFIG_X86
	{ "local_timer_entry", on_vector },
	{ "reschedule_entry", on_vector },
	{ "call_function_entry", on_vector },
	{ "call_function_single_entry", on_vector },
	{ "irq_work_entry", on_vector },
#else
	{ "ipi_entry", on_vector },
#endif
};

static void note(struct tracepoint *tracepoint, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (!strcmp(points[i].name, tracepoint->name))
			points[i].tracepoint = tracepoint;
}

void test_idle_init(void)
{
	for_each_kernel_tracepoint(note, NULL);
}

static void unregister(struct test_idle *idle, unsigned int nr)
{
	while (nr--)
		if (points[nr].tracepoint)
			tracepoint_probe_unregister(points[nr].tracepoint, points[nr].probe, idle);
	tracepoint_synchronize_unregister();
}

static int register_all(struct test_idle *idle)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (!points[i].tracepoint)
			continue;
		err = tracepoint_probe_register(points[i].tracepoint, points[i].probe, idle);
		if (err) {
			unregister(idle, i);
			return err;
		}
	}
	return 0;
}

void test_idle_forget(struct test_idle *idle)
{
	if (idle->registered)
		unregister(idle, ARRAY_SIZE(points));
	idle->registered = false;
}

static int deepen(struct test_idle *idle, u32 cpu)
{
	int err;

	test_idle_forget(idle);
	idle->cpu = cpu;
	idle->asleep = false;
	atomic_set(&idle->slept, 0);
	err = register_all(idle);
	idle->registered = !err;
	return err;
}

/* While it stays the same CPU, the kernel's code need not be changed for another time. */
int test_idle_deepen(struct test_idle *idle, const struct taskrt_test_idle *arg)
{
	if (arg->exit_ns > MOST_NS || arg->cpu >= nr_cpu_ids)
		return -EINVAL;
	if (!arg->exit_ns) {
		test_idle_forget(idle);
		return 0;
	}
	atomic64_set(&idle->rest_ns, MOST_NS);
	WRITE_ONCE(idle->exit_ns, arg->exit_ns);
	if (idle->registered && idle->cpu == arg->cpu)
		return 0;
	return deepen(idle, arg->cpu);
}

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_cpu_idle(on_idle);
	check_trace_callback_type_irq_handler_entry(on_handler);
#ifdef CONFIG_X86
	check_trace_callback_type_local_timer_entry(on_vector);
#else
	check_trace_callback_type_ipi_entry(on_vector);
#endif
}
