/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the task on a processor spins for.  It tells the end of a spin, which is nothing to
 * us, from the end of a wait for a sleeping lock: the two have the same address if the
 * spinlock is the first member of that lock, as it is of semaphores and rt-mutexes.
 *
 * A task that spins is not preempted, so one object for each processor is enough, and no
 * thread has to be found, which would make the spinlock's critical section longer.  Interrupts
 * and NMIs that spin meanwhile must not come here.  Then spins nest only in one way: a
 * queued rwlock spins for the spinlock that its waiters queue for.  Therefore there
 * is room for two.
 *
 * A spin whose end was not seen, because the hooks were attached or detached in the
 * middle of it, leaves its address behind.  The next spin on the processor overwrites that.
 */
#ifndef TASKRT_SPINS_H
#define TASKRT_SPINS_H

#include "engine/record_env.h"

struct spins {
	u64 lock;		/* 0: it does not spin */
	u64 outer;		/* that it spun for when this began */
};

static __always_inline void spins_begin(struct spins *s, u64 lock)
{
	s->outer = s->lock;
	s->lock = lock;
}

/* Called if what has ended is s->lock. */
static __always_inline void spins_end(struct spins *s)
{
	s->lock = s->outer;
	s->outer = 0;
}

#endif /* TASKRT_SPINS_H */
