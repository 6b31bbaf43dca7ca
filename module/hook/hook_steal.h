/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stolen time: a hypervisor did not let the processor run.  At each tick the kernel asks the
 * hypervisor for it, and adds it to "steal" of /proc/stat.  The hook charges the interrupted thread
 * with it, up to the time for which the thread has been running.
 */
#ifndef TASKRT_HOOK_STEAL_H
#define TASKRT_HOOK_STEAL_H

#include <linux/jiffies.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>

struct hook_steal_cpu {
	u64 before;		/* steal when a hook looked last */
	u64 until;		/* the end of the last stolen interval */
	unsigned long idle_at;	/* when the idle task left the CPU last, in jiffies */
};

DECLARE_PER_CPU(struct hook_steal_cpu, hook_steal_cpu);

/* The kernel has reported stolen time.  Until then, it is unknown if a hypervisor reports any. */
extern bool hook_steal_seen;

/* Stolen time that was reported before this call is charged to no thread. */
void hook_steal_prepare(void);

/* True if a hook sees the tick: without high-resolution timers, the tick is no hrtimer. */
bool hook_steal_possible(void);

/* The slow path of hook_steal_look(). */
void hook_steal_charge(u64 reported);

/* Checks for new stolen time.  Context: a hook at the end of a hard-interrupt timer. */
static __always_inline void hook_steal_look(void)
{
	const u64 reported = __this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]);

	if (unlikely(reported != __this_cpu_read(hook_steal_cpu.before)))
		hook_steal_charge(reported);
}

/*
 * The idle task leaves the CPU, so the time stolen until now is charged to no thread.  An idle
 * processor may have to wait before it runs again.  The kernel learns of that when the idle task
 * has missed a tick, otherwise at the next tick.  Context: the hook of a switch.
 */
static __always_inline void hook_steal_skip(void)
{
	__this_cpu_write(hook_steal_cpu.before,
			 __this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]));
	__this_cpu_write(hook_steal_cpu.idle_at, jiffies);
}

#endif /* TASKRT_HOOK_STEAL_H */
