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

#endif /* TASKRT_RECORD_LOCK_H */
