/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delays are waits for memory that the kernel's delay accounting counts, so they need no hook.  A
 * task has these counters until it is freed, but only if delay accounting was on when the task was
 * created (kernel.task_delayacct, or the boot parameter delayacct).
 */
#ifndef TASKRT_DELAYS_H
#define TASKRT_DELAYS_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/taskrt_numbers.h>
/* delayacct.h does not include the type of its lock, so it comes after the others. */
#include <linux/delayacct.h>
#include "engine/totals.h"

/* The timers that this kernel counts. */
#ifdef CONFIG_TASK_DELAY_ACCT
#define DELAYS_RECLAIM	(BIT(TASKRT_TIMER_RECLAIM) | BIT(TASKRT_TIMER_THRASHING) | \
			 BIT(TASKRT_TIMER_SWAPIN))
#else
#define DELAYS_RECLAIM	0
#endif
#ifdef TASKRT_HAVE_DELAYS_COMPACT
#define DELAYS_COMPACT	BIT(TASKRT_TIMER_COMPACT)
#else
#define DELAYS_COMPACT	0
#endif
#ifdef TASKRT_HAVE_DELAYS_WPCOPY
#define DELAYS_WPCOPY	BIT(TASKRT_TIMER_WPCOPY)
#else
#define DELAYS_WPCOPY	0
#endif
#define DELAYS_MEASURED	((u32)(DELAYS_RECLAIM | DELAYS_COMPACT | DELAYS_WPCOPY))

static_assert(!(DELAYS_MEASURED & ~TASKRT_TIMERS_SINCE_CREATION));
static_assert(TASKRT_TIMERS_SINCE_CREATION >> FIRST_DELAY == BIT(NR_DELAYS) - 1);

/* True if the kernel counts the delays of @task: constant.  Context: @task is not freed. */
static inline bool delays_counted(const struct task_struct *task)
{
#ifdef CONFIG_TASK_DELAY_ACCT
	return task->delays;
#else
	return false;
#endif
}

/*
 * Adds all delays of one task for which delays_counted() is true.  Context: any but NMI.  Takes a
 * raw lock of the kernel, which is a leaf, with interrupts off.
 */
void delays_add(struct totals *sum, const struct task_struct *task);

#endif /* TASKRT_DELAYS_H */
