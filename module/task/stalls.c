// SPDX-License-Identifier: GPL-2.0-only
#include <linux/spinlock.h>
#include <linux/string.h>
#include "task/stalls.h"

#ifdef CONFIG_TASK_DELAY_ACCT

#define STALL(timer)	stalls[(timer) - FIRST_STALL]

void stalls_of_task(struct record_sum *stalls, const struct task_struct *task)
{
	struct task_delay_info *d = task->delays;
	unsigned long flags;

	memset(stalls, 0, NR_STALLS * sizeof(*stalls));
	/* Under the lock, time and count are of the same stalls. */
	raw_spin_lock_irqsave(&d->lock, flags);
	STALL(TASKRT_TIMER_RECLAIM) = (struct record_sum){ d->freepages_delay, d->freepages_count };
	STALL(TASKRT_TIMER_THRASHING) = (struct record_sum){ d->thrashing_delay,
							     d->thrashing_count };
	STALL(TASKRT_TIMER_SWAPIN) = (struct record_sum){ d->swapin_delay, d->swapin_count };
#ifdef TASKRT_HAVE_DELAYS_COMPACT
	STALL(TASKRT_TIMER_COMPACT) = (struct record_sum){ d->compact_delay, d->compact_count };
#endif
#ifdef TASKRT_HAVE_DELAYS_WPCOPY
	STALL(TASKRT_TIMER_WPCOPY) = (struct record_sum){ d->wpcopy_delay, d->wpcopy_count };
#endif
	raw_spin_unlock_irqrestore(&d->lock, flags);
}

#else

void stalls_of_task(struct record_sum *stalls, const struct task_struct *task)
{
	memset(stalls, 0, NR_STALLS * sizeof(*stalls));
}

#endif
