/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults.  A fault inside a fault is part of the outer one: record_fault_open() and
 * record_fault_close() are for the outermost fault only.
 *
 * record_fault_speculative() starts a fault that readers do not see.  record_fault_settle() then
 * confirms the fault, so that they see it, or discards it.
 *
 * A fault counts as computing, except for fault_waits_ns.  record_lag() grows with each wait and
 * with each measured interrupt, reclaim and stolen interval.  While it has not changed, all of
 * the fault counts as computing.
 *
 * An interrupt may come between the reads of the clock and of the record.  So the caller reads
 * record_fault_seq() before the clock, and passes it as @seq.  If it is outdated, the function
 * changes nothing and returns false, and the caller starts again.
 *
 * Context: a hook, between record_self_begin() and record_self_end().
 */
#ifndef TASKRT_RECORD_FAULT_H
#define TASKRT_RECORD_FAULT_H

#include "engine/record_sched.h"

static __always_inline u32 record_fault_seq(const struct record *r)
{
	return shared_peek(&r->sched_seq);
}

/* True if no interrupt has changed the record since @seq was read. */
static __always_inline bool record_fault_undisturbed(const struct record *r, u32 seq)
{
	barrier();	/* the record is read before the count */
	return likely(shared_peek(&r->sched_seq) == seq);
}

static __always_inline bool record_fault_set(struct record *r, u8 depth, u32 seq, u64 now)
{
	const u64 lag = record_lag(r);

	if (!record_fault_undisturbed(r, seq))
		return false;
	shared_store(&r->fault_lag, lag);
	shared_store(&r->timers_since[TASKRT_TIMER_FAULT], now);
	shared_store(&r->fault_depth, depth);
	return true;
}

static __always_inline bool record_fault_open(struct record *r, u32 seq, u64 now)
{
	return record_fault_set(r, 1, seq, now);
}

static inline bool record_fault_speculative(struct record *r, u32 seq, u64 now)
{
	return record_fault_set(r, FAULT_SPECULATIVE, seq, now);
}

static inline void record_fault_settle(struct record *r, bool faults)
{
	if (r->fault_depth == FAULT_SPECULATIVE)
		shared_store(&r->fault_depth, faults);
}

static __always_inline u64 record_fault_add(struct record *r, bool major, u64 now)
{
	const u64 ns = record_time_add(&r->timers[TASKRT_TIMER_FAULT],
				       r->timers_since[TASKRT_TIMER_FAULT], now);

	shared_store(&r->fault_depth, 0);
	if (unlikely(major))
		shared_add(&r->major_fault_ns, ns);
	return ns;
}

/* End the outermost fault.  Return: false if record_lag() has changed: call record_fault_end(). */
static __always_inline bool record_fault_close(struct record *r, bool major, u64 now)
{
	if (unlikely(record_lag(r) != r->fault_lag))
		return false;
	record_fault_add(r, major, now);
	return true;
}

/* It is unknown when the thread left the fault: count none of its time as computing. */
static inline void record_fault_forget(struct record *r)
{
	shared_store(&r->fault_lag, record_lag(r) - (~0ULL >> 2));
}

/* End the outermost fault.  The lag since its start counts as waiting: see fault_waits_ns. */
static inline bool record_fault_close_disturbed(struct record *r, bool major, u32 seq, u64 now)
{
	const u64 lag = record_lag(r);
	u64 ns;

	if (!record_fault_undisturbed(r, seq))
		return false;
	ns = record_fault_add(r, major, now);
	/* Stolen time may be from before the fault; record_fault_forget() makes the lag huge. */
	shared_add(&r->fault_waits_ns, lag - r->fault_lag < ns ? lag - r->fault_lag : ns);
	return true;
}

static __always_inline bool record_fault_begin(struct record *r, u32 seq, u64 now)
{
	if (likely(!r->fault_depth))
		return record_fault_open(r, seq, now);
	if (r->fault_depth < FAULT_SPECULATIVE - 1)
		shared_store(&r->fault_depth, r->fault_depth + 1);
	return true;
}

static __always_inline void record_fault_leave(struct record *r)
{
	if (r->fault_depth & ~FAULT_SPECULATIVE)
		shared_store(&r->fault_depth, r->fault_depth - 1);
}

/* End a fault of any depth. */
static inline bool record_fault_end(struct record *r, bool major, u32 seq, u64 now)
{
	if (r->fault_depth == 1)
		return record_fault_close_disturbed(r, major, seq, now);
	record_fault_leave(r);
	return true;
}

/* End a fault of any depth, without @seq.  Return: as record_fault_close(). */
static __always_inline bool record_fault_end_plain(struct record *r, bool major, u64 now)
{
	if (likely(r->fault_depth == 1))
		return record_fault_close(r, major, now);
	record_fault_leave(r);
	return true;
}

#endif /* TASKRT_RECORD_FAULT_H */
