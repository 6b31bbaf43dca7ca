/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lock contention.  A wait lasts from the first report of contention for a lock to the first
 * report of its end.  Further reports of contention (a mutex reports each spin), and waits for
 * other locks in between, are part of it.  Context: as in record_fault.h.
 */
#ifndef TASKRT_RECORD_LOCK_H
#define TASKRT_RECORD_LOCK_H

#include "engine/record.h"

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

/* True if this ends the wait.  Callers exclude the ends of spins: see struct spins. */
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
 * The spinlocks for which the task on a CPU spins.  The end of a spin must not end a wait for a
 * sleeping lock, which has the same address if the spinlock is its first member, as in semaphores
 * and rt-mutexes.
 *
 * One object per CPU is enough, because a spinning task is not preempted.  One per thread would
 * need a look-up of the thread in the critical section.  Spins of interrupts and NMIs are not
 * noted, so spins nest in one way only: a queued rwlock spins for the spinlock of its queue.  If
 * an address is left behind when hooks are attached or detached, the CPU's next spin replaces it.
 */
struct spins {
	u64 lock;		/* 0: no spin */
	u64 outer;		/* lock of the spin around this one */
};

static __always_inline void spins_begin(struct spins *s, u64 lock)
{
	s->outer = s->lock;
	s->lock = lock;
}

/* The spin for s->lock has ended. */
static __always_inline void spins_end(struct spins *s)
{
	s->lock = s->outer;
	s->outer = 0;
}

#endif /* TASKRT_RECORD_LOCK_H */
