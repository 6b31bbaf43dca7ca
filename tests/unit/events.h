/* SPDX-License-Identifier: GPL-2.0-only */
/* What can happen to a thread, and the engine driven by it as the hooks do. */
#ifndef TASKRT_EVENTS_H
#define TASKRT_EVENTS_H

#include "engine/record_fault.h"
#include "engine/record_lock.h"
#include "engine/record_sched.h"
#include "engine/totals.h"

enum event_kind {
	OUT,		/* switched out, arg: what the scheduler knows (a state) */
	IN,
	WAKE,		/* arg: throttled */
	FAULT,		/* handle_mm_fault is entered */
	FAULT_END,	/* arg: major */
	LOCK,		/* contention begins, arg: kind; of lock */
	LOCK_END,	/* of lock, arg not used */
	EXPIRE,		/* a timer, set for expiry, tries to wake the thread */
	EXIT,		/* switched out for the last time */
	NR_EVENTS,
};

struct event {
	u64 at;
	enum event_kind kind;
	u32 arg;
	u64 lock;
	u64 expiry;
};

/* A wchan that tells when the wait ended. */
static inline u32 wchan_at(u64 now)
{
	return (u32)now | 1U << 31;
}

static inline void wake_event(struct record *r, bool throttled, u64 now)
{
	struct record_interval waited;

	if (r->expired)
		record_wake_expired(r, now);
	waited = record_wake(r, r->state, throttled ? TASKRT_STATE_THROTTLED : TASKRT_STATE_WOKEN,
			     now);
	if (waited.longest && record_has_wchan(waited.state))
		record_set_wchan(r, waited.state, wchan_at(now));
}

/* A thread that is still runnable is preempted, throttled or has yielded, whatever it waits in. */
static inline void sched_event(struct record *r, const struct event *e)
{
	u8 to = e->kind == EXIT ? TASKRT_STATE_EXITED : e->arg;

	if (e->kind == WAKE && !record_waits(r))
		return;
	record_sched_begin(r);
	if (e->kind == WAKE)
		wake_event(r, e->arg, e->at);
	else if (e->kind == IN)
		record_switch_in(r, r->state, e->at);
	else if (e->kind == EXIT || to == TASKRT_STATE_PREEMPTED || to == TASKRT_STATE_THROTTLED ||
		 to == TASKRT_STATE_YIELDED)
		record_switch_out(r, r->state, to, e->at);
	else
		record_switch_out(r, r->state, record_wait_state(r, to), e->at);
	record_sched_end(r);
}

/* As the hooks do it: most faults need no second look at the record. */
static inline void fault_event(struct record *r, const struct event *e)
{
	const u32 seq = record_fault_seq(r);

	if (e->kind == FAULT)
		record_fault_begin(r, seq, e->at);
	else if (!record_fault_end_plain(r, e->arg, e->at))
		record_fault_end(r, e->arg, seq, e->at);
}

static inline void self_event(struct record *r, const struct event *e)
{
	if ((e->kind == LOCK && !record_lock_opens(r)) ||
	    (e->kind == LOCK_END && !record_lock_closes(r, e->lock)))
		return;
	record_self_begin(r);
	if (e->kind == FAULT || e->kind == FAULT_END)
		fault_event(r, e);
	else if (e->kind == LOCK)
		record_lock_begin(r, e->lock, e->arg, e->at);
	else
		record_lock_end(r, e->at);
	record_self_end(r);
}

static inline void drive(struct record *r, const struct event *e)
{
	if (e->kind == EXPIRE)
		record_expire(r, e->expiry, e->at);
	else if (e->kind == OUT || e->kind == IN || e->kind == WAKE || e->kind == EXIT)
		sched_event(r, e);
	else
		self_event(r, e);
}

#endif /* TASKRT_EVENTS_H */
