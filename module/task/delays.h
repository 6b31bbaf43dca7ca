/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delays: waits for memory that the kernel's delay accounting counts for each task, from
 * its creation on: timers that need no hook.  A task has these counters if delay
 * accounting was on when it was created (kernel.task_delayacct, or the boot parameter
 * delayacct), and keeps them until it is freed.
 */
#ifndef TASKRT_DELAYS_H
#define TASKRT_DELAYS_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/taskrt_numbers.h>
/* It needs the type of its lock from elsewhere. */
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

/* Are they counted for this task?  That never changes.  Context: @task is not freed. */
static inline bool delays_counted(const struct task_struct *task)
{
#ifdef CONFIG_TASK_DELAY_ACCT
	return task->delays;
#else
	return false;
#endif
}

/*
 * delays_add() - add all delays of one task
 *
 * Context: any but NMI; delays_counted().  It takes a raw lock of the kernel, with
 * interrupts off, and no other under it.
 */
void delays_add(struct totals *sum, const struct task_struct *task);

#endif /* TASKRT_DELAYS_H */
