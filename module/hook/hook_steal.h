/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stolen time: a hypervisor has not let the processor run.  At each tick the kernel asks the
 * hypervisor, and adds it to the "steal" of /proc/stat.  The thread that the tick interrupts is
 * charged with it, up to the time for which the thread has been running.
 */
#ifndef TASKRT_HOOK_STEAL_H
#define TASKRT_HOOK_STEAL_H

#include <linux/jiffies.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>

struct hook_steal_cpu {
	u64 before;		/* the steal when a hook looked last */
	u64 until;		/* the end of the last interval of stolen time */
	unsigned long idle_at;	/* when the idle task left the CPU last, in jiffies */
};

DECLARE_PER_CPU(struct hook_steal_cpu, hook_steal_cpu);

/*
 * The kernel has ever reported stolen time.  If not, it is not known whether there is any: a
 * hypervisor may tell the kernel nothing.
 */
extern bool hook_steal_seen;

/* Time before this is charged to no thread. */
void hook_steal_prepare(void);

/* Without timers of high resolution, the tick is none of them. */
bool hook_steal_possible(void);

/* The rest of hook_steal_look(). */
void hook_steal_charge(u64 reported);

/*
 * hook_steal_look() - has the kernel's tick reported stolen time?
 *
 * Context: a hook at the end of a timer, in a hard interrupt.
 */
static __always_inline void hook_steal_look(void)
{
	const u64 reported = __this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]);

	if (unlikely(reported != __this_cpu_read(hook_steal_cpu.before)))
		hook_steal_charge(reported);
}

/*
 * hook_steal_skip() - the idle task leaves the CPU: time stolen from it is charged to no thread
 *
 * An idle processor that is to run again may have to wait for that.  The kernel learns of it
 * when the idle task has missed a tick, and else with the next tick.
 * Context: the hook of a switch.
 */
static __always_inline void hook_steal_skip(void)
{
	__this_cpu_write(hook_steal_cpu.before,
			 __this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]));
	__this_cpu_write(hook_steal_cpu.idle_at, jiffies);
}

#endif /* TASKRT_HOOK_STEAL_H */
