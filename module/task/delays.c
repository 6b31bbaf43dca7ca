// SPDX-License-Identifier: GPL-2.0-only
#include <linux/spinlock.h>
#include "task/delays.h"

#ifdef CONFIG_TASK_DELAY_ACCT

#define ADD_DELAYS(timer, of)	do {						\
	sum->timers_ns[timer] += d->of##_delay;					\
	sum->timers[timer] += d->of##_count;					\
} while (0)

void delays_add(struct totals *sum, const struct task_struct *task)
{
	struct task_delay_info *d = task->delays;
	unsigned long flags;

	/* The lock keeps each delay's time and count consistent. */
	raw_spin_lock_irqsave(&d->lock, flags);
	ADD_DELAYS(TASKRT_TIMER_RECLAIM, freepages);
	ADD_DELAYS(TASKRT_TIMER_THRASHING, thrashing);
	ADD_DELAYS(TASKRT_TIMER_SWAPIN, swapin);
#ifdef TASKRT_HAVE_DELAYS_COMPACT
	ADD_DELAYS(TASKRT_TIMER_COMPACT, compact);
#endif
#ifdef TASKRT_HAVE_DELAYS_WPCOPY
	ADD_DELAYS(TASKRT_TIMER_WPCOPY, wpcopy);
#endif
	raw_spin_unlock_irqrestore(&d->lock, flags);
}

#else

void delays_add(struct totals *sum, const struct task_struct *task)
{
}

#endif
