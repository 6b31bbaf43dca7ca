/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults.  A fault inside a fault is part of the outer one: only the outermost
 * pair of calls is timed, which is what record_fault_open() and record_fault_close() are
 * for.
 *
 * After record_fault_maybe() only the end will show whether there was a fault: it is
 * record_fault_close() if there was one.  Until then no reader is told of it, unless
 * record_fault_settle() decides before.
 * Context: a hook, between record_self_begin() and record_self_end().
 */
#ifndef TASKRT_RECORD_FAULT_H
#define TASKRT_RECORD_FAULT_H

#include "engine/record.h"

static __always_inline void record_fault_open(struct record *r, u64 now)
{
	shared_store(&r->timers_since[TASKRT_TIMER_FAULT], now);
	shared_store(&r->fault_depth, 1);
}

static inline void record_fault_maybe(struct record *r, u64 now)
{
	shared_store(&r->timers_since[TASKRT_TIMER_FAULT], now);
	shared_store(&r->fault_depth, FAULT_MAYBE);
}

static inline void record_fault_settle(struct record *r, bool faults)
{
	if (r->fault_depth == FAULT_MAYBE)
		shared_store(&r->fault_depth, faults);
}

static __always_inline void record_fault_close(struct record *r, bool major, u64 now)
{
	const u64 ns = record_time_add(&r->timers[TASKRT_TIMER_FAULT],
				       r->timers_since[TASKRT_TIMER_FAULT], now);

	shared_store(&r->fault_depth, 0);
	if (unlikely(major))
		shared_add(&r->major_fault_ns, ns);
}

static __always_inline void record_fault_begin(struct record *r, u64 now)
{
	if (likely(!r->fault_depth))
		record_fault_open(r, now);
	else if (r->fault_depth < FAULT_MAYBE - 1)
		shared_store(&r->fault_depth, r->fault_depth + 1);
}

static __always_inline void record_fault_end(struct record *r, bool major, u64 now)
{
	if (likely(r->fault_depth == 1))
		record_fault_close(r, major, now);
	else if (r->fault_depth & ~FAULT_MAYBE)
		shared_store(&r->fault_depth, r->fault_depth - 1);
}

#endif /* TASKRT_RECORD_FAULT_H */
