/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lock contention: a wait lasts from the first begin that a hook reports for a lock
 * to the end that it reports for the same lock.  A further begin of the same
 * acquisition (a mutex reports each spin), and a wait for another lock inside this
 * wait, are part of it.
 * Context: as in record_fault.h.
 */
#ifndef TASKRT_RECORD_LOCK_H
#define TASKRT_RECORD_LOCK_H

#include "engine/record.h"

/* Return: true if the thread does not wait for a lock yet, so that a wait begins. */
static __always_inline bool record_lock_opens(const struct record *r)
{
	return !r->lock_addr;
}

static __always_inline void record_lock_begin(struct record *r, u64 lock, u8 kind, u64 now)
{
	shared_store(&r->lock_addr, lock);
	shared_store(&r->lock_kind, kind);
	shared_store(&r->timers_since[TASKRT_TIMER_LOCK], now);
}

/* Return: true if this end, which is not that of a spin, is the end of the thread's wait. */
static __always_inline bool record_lock_closes(const struct record *r, u64 lock)
{
	return r->lock_addr == lock;
}

static __always_inline void record_lock_end(struct record *r, u64 now)
{
	struct record_sum *kind = &r->locks[r->lock_kind];

	shared_store(&r->lock_addr, 0);
	shared_add(&kind->count, 1);
	shared_add(&kind->ns, record_time_add(&r->timers[TASKRT_TIMER_LOCK],
					      r->timers_since[TASKRT_TIMER_LOCK], now));
}

/*
 * The spinlocks that the task on a processor spins for.  The end of a spin must not be taken
 * for the end of a wait for a sleeping lock: the two have the same address if the spinlock
 * is the first member of that lock, as in semaphores and rt-mutexes.
 *
 * A task that spins is not preempted, so one object for each processor is enough, and no
 * thread has to be found, which would make the spinlock's critical section longer.  Spins of
 * interrupts and NMIs are not noted.  Then spins nest only in one way: a queued rwlock spins
 * for the spinlock that its waiters queue for.
 *
 * If hooks are attached or detached during a spin, its address is left behind.  The next spin
 * on the processor overwrites it.
 */
struct spins {
	u64 lock;		/* 0: it does not spin */
	u64 outer;		/* that it spins for around this one */
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

#endif /* TASKRT_RECORD_LOCK_H */
