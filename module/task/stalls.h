/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stalls for memory, as the kernel's delay accounting counts them for each task, from
 * its creation on: timers that need no hook.  A task has these counters if delay
 * accounting was on when it was created (kernel.task_delayacct, or the boot parameter
 * delayacct), and keeps them until it is freed.
 */
#ifndef TASKRT_STALLS_H
#define TASKRT_STALLS_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/taskrt_numbers.h>
/* It needs the type of its lock from elsewhere. */
#include <linux/delayacct.h>
#include "engine/totals.h"

/* The timers that this kernel counts. */
#ifdef CONFIG_TASK_DELAY_ACCT
#define STALLS_RECLAIM	(BIT(TASKRT_TIMER_RECLAIM) | BIT(TASKRT_TIMER_THRASHING) | \
			 BIT(TASKRT_TIMER_SWAPIN))
#else
#define STALLS_RECLAIM	0
#endif
#ifdef TASKRT_HAVE_DELAYS_COMPACT
#define STALLS_COMPACT	BIT(TASKRT_TIMER_COMPACT)
#else
#define STALLS_COMPACT	0
#endif
#ifdef TASKRT_HAVE_DELAYS_WPCOPY
#define STALLS_WPCOPY	BIT(TASKRT_TIMER_WPCOPY)
#else
#define STALLS_WPCOPY	0
#endif
#define STALLS_MEASURED	((u32)(STALLS_RECLAIM | STALLS_COMPACT | STALLS_WPCOPY))

static_assert(!(STALLS_MEASURED & ~TASKRT_TIMERS_SINCE_CREATION));
static_assert(TASKRT_TIMERS_SINCE_CREATION >> FIRST_STALL == BIT(NR_STALLS) - 1);

/* Are they counted for this task?  That never changes.  Context: @task is not freed. */
static inline bool stalls_counted(const struct task_struct *task)
{
#ifdef CONFIG_TASK_DELAY_ACCT
	return task->delays;
#else
	return false;
#endif
}

/*
 * stalls_add() - add all stalls of one task
 *
 * Context: any but NMI; stalls_counted().  It takes a raw lock of the kernel, with
 * interrupts off, and no other under it.
 */
void stalls_add(struct totals *sum, const struct task_struct *task);

#endif /* TASKRT_STALLS_H */
