// SPDX-License-Identifier: GPL-2.0-only
/*
 * Be the hypervisor that steals time: the emulator is none that the kernel asks.  The
 * processor stands still, and the kernel is told so where it keeps the "steal" of /proc/stat.
 */
#include <linux/cpumask.h>
#include <linux/kernel_stat.h>
#include <linux/smp.h>

#include "internal.h"

/* The longest time that others are kept off the CPU. */
#define MOST_NS		NSEC_PER_SEC

/* Interrupts are off, so the next tick comes when the time has been stolen. */
static void steal(void *info)
{
	const struct taskrt_test_steal *arg = info;
	const u64 end = ktime_get_ns() + arg->stand_ns;

	while (ktime_get_ns() < end)
		cpu_relax();
	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += arg->told_ns;
}

int test_steal(struct taskrt_test_steal *arg)
{
	if (arg->stand_ns > MOST_NS || arg->told_ns > MOST_NS || arg->cpu >= nr_cpu_ids)
		return -EINVAL;
	return smp_call_function_single(arg->cpu, steal, arg, true);
}
