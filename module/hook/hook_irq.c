// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes of interrupts: how long they stop the thread that they interrupt.  Threaded handlers,
 * ksoftirqd, and all softirqs of PREEMPT_RT run in threads, and count under their states.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/irq.h>
#ifdef CONFIG_X86
#include <asm/trace/irq_vectors.h>
#else
#include <trace/events/ipi.h>
#endif
#include "compat/clock.h"
#include "hook/hook.h"
#include "hook/hook_self.h"
#include "hook/probes.h"

/* The interrupts that are in progress on this CPU.  Written with interrupts off. */
struct irq_present {
	u64 hard_since;
	u64 soft_since;
	u64 hard_in_soft;	/* ns of the hard interrupts that ended since soft_since */
	u32 hard_depth;		/* an interprocessor interrupt of arm64 is reported twice */
	bool soft;
};

static DEFINE_PER_CPU(struct irq_present, irq_present);

/* Forgets interrupts whose end was not seen. */
void hook_irq_prepare(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(&irq_present, cpu) = (struct irq_present){ 0 };
}

static void hook_irq_charge(enum taskrt_timer timer, u64 since, u64 ns)
{
	struct thread *t = thread_of_cpu(current);

	if (likely(t))
		hook_charge(t, timer, since, ns);
}

/*
 * Interrupts of the idle task are not measured.  Nor are pseudo-NMIs of arm64, which may interrupt
 * a hook that writes the record.
 */
static __always_inline void hook_irq_begin(enum hook_id id)
{
	struct irq_present *irq = this_cpu_ptr(&irq_present);

	if (in_nmi())
		return;
	hook_hit(id);
	if (is_idle_task(current) || irq->hard_depth++)
		return;
	irq->hard_since = clock_now();
}

static __always_inline void hook_irq_end(void)
{
	struct irq_present *irq = this_cpu_ptr(&irq_present);
	u64 ns;

	/* The start may have been before the probes were attached, or in the idle task. */
	if (in_nmi() || !irq->hard_depth || --irq->hard_depth)
		return;
	ns = record_elapsed(irq->hard_since, clock_now());
	irq->hard_in_soft += ns;
	hook_irq_charge(TASKRT_TIMER_HARDIRQ, irq->hard_since, ns);
}

static void hook_irq_handler_begin(void *data, int irq, struct irqaction *action)
{
	hook_irq_begin(HOOK_IRQ_HANDLER);
}

static void hook_irq_handler_end(void *data, int irq, struct irqaction *action, int ret)
{
	hook_irq_end();
}

struct tracepoint_pairs hook_irq_handler = {
	.names = { "irq_handler" },
	.on_entry = hook_irq_handler_begin,
	.on_exit = hook_irq_handler_end,
};

#ifdef CONFIG_X86

/* Interrupts that do not go through irq_handler_entry. */
static void hook_irq_vector_begin(void *data, int vector)
{
	hook_irq_begin(HOOK_IRQ_VECTORS);
}

static void hook_irq_vector_end(void *data, int vector)
{
	hook_irq_end();
}

struct tracepoint_pairs hook_irq_vectors = {
	.names = { "local_timer", "reschedule", "call_function", "call_function_single",
		   "irq_work", "x86_platform_ipi", "spurious_apic", "error_apic",
		   "threshold_apic", "deferred_error_apic", "thermal_apic" },
	.on_entry = hook_irq_vector_begin,
	.on_exit = hook_irq_vector_end,
};

#else

static void hook_irq_vector_begin(void *data, const char *reason)
{
	hook_irq_begin(HOOK_IRQ_VECTORS);
}

static void hook_irq_vector_end(void *data, const char *reason)
{
	hook_irq_end();
}

struct tracepoint_pairs hook_irq_vectors = {
	.names = { "ipi" },
	.on_entry = hook_irq_vector_begin,
	.on_exit = hook_irq_vector_end,
};

#endif /* CONFIG_X86 */

#ifndef CONFIG_PREEMPT_RT

/* True for a thread whose own work is softirqs.  With threadirqs, 6.13 added ktimers. */
static bool hook_irq_is_ksoftirqd(const struct task_struct *task)
{
	return unlikely(task->flags & PF_KTHREAD) &&
	       (strstarts(task->comm, "ksoftirqd/") || strstarts(task->comm, "ktimers/"));
}

/* Interrupts are on when the kernel calls this, and must not see half of a change. */
static void hook_softirq_begin(void *data, unsigned int nr)
{
	struct irq_present *irq;
	unsigned long flags;

	if (is_idle_task(current) || hook_irq_is_ksoftirqd(current))
		return;
	local_irq_save(flags);
	hook_hit(HOOK_SOFTIRQ);
	irq = this_cpu_ptr(&irq_present);
	irq->soft = true;
	irq->hard_in_soft = 0;
	irq->soft_since = clock_now();
	local_irq_restore(flags);
}

static void hook_softirq_end(void *data, unsigned int nr)
{
	struct irq_present *irq;
	unsigned long flags;
	u64 ns;

	local_irq_save(flags);
	irq = this_cpu_ptr(&irq_present);
	if (irq->soft) {
		irq->soft = false;
		ns = record_elapsed(irq->soft_since + irq->hard_in_soft, clock_now());
		hook_irq_charge(TASKRT_TIMER_SOFTIRQ, irq->soft_since, ns);
	}
	local_irq_restore(flags);
}

struct tracepoint_pairs hook_softirq = {
	.names = { "softirq" },
	.on_entry = hook_softirq_begin,
	.on_exit = hook_softirq_end,
};

#endif /* CONFIG_PREEMPT_RT */

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_irq_handler_entry(hook_irq_handler_begin);
	check_trace_callback_type_irq_handler_exit(hook_irq_handler_end);
#ifdef CONFIG_X86
	check_trace_callback_type_local_timer_entry(hook_irq_vector_begin);
	check_trace_callback_type_local_timer_exit(hook_irq_vector_end);
#else
	check_trace_callback_type_ipi_entry(hook_irq_vector_begin);
	check_trace_callback_type_ipi_exit(hook_irq_vector_end);
#endif
#ifndef CONFIG_PREEMPT_RT
	check_trace_callback_type_softirq_entry(hook_softirq_begin);
	check_trace_callback_type_softirq_exit(hook_softirq_end);
#endif
}
