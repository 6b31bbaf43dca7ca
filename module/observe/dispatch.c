// SPDX-License-Identifier: GPL-2.0-only
#include "compat/clock.h"
#include "engine/record_fault.h"
#include "engine/record_lock.h"
#include "engine/record_sched.h"
#include "observe/armed.h"
#include "observe/dispatch.h"
#include "observe/mapping.h"
#include "observe/observer.h"
#include "observe/recorder_events.h"
#include "observe/wchan.h"
#include "observe/user_page_sched.h"

static bool dispatch_observed(const struct mapping *m, const struct recorder *rec)
{
	return m || rec;
}

/* A change of the page starts before the clock is read for the event. */
static __always_inline void dispatch_change(const struct mapping *m, enum user_page_part part)
{
	if (m)
		user_page_change_begin(m->page, part);
}

/* The record was closed already: nothing has changed. */
static void dispatch_unchanged(const struct mapping *m)
{
	if (m)
		user_page_change_end(m->page, USER_PAGE_SCHED);
}

/* @paged: a change of a page has started.  Return: the time of the event. */
static __always_inline u64 dispatch_clock(bool paged)
{
	if (paged)
		smp_mb();	/* odd before the clock is read; pairs with the reader's clock */
	return clock_now();
}

static __always_inline struct record_interval dispatch_move_out(struct thread *t,
								struct mapping *m,
								unsigned long from, u8 to, u64 now)
{
	const struct record_interval left = record_switch_out(&t->record, from, to, now);

	if (unlikely(left.state == TASKRT_STATE_EXITED))
		dispatch_unchanged(m);
	else if (m)
		user_page_switched_out(m->page, t, left, to);
	return left;
}

static __always_inline struct record_interval dispatch_move_in(struct thread *t,
							       struct mapping *m,
							       unsigned long from, u64 now)
{
	const struct record_interval left = record_switch_in(&t->record, from, now);

	if (unlikely(left.state == TASKRT_STATE_EXITED))
		dispatch_unchanged(m);
	else if (m)
		user_page_switched_in(m->page, t, left);
	return left;
}

/* @from: record.state before the move */
static __always_inline void dispatch_unmark(struct thread *t, const struct mapping *m,
					    const struct recorder *rec, unsigned long from)
{
	if (!dispatch_observed(m, rec) && (from & STATE_OBSERVED))
		observer_unmark(t);
}

/*
 * A switch is dispatched if either thread has the mark.  If a thread without the mark has a
 * recorder, this is still being attached and might miss the next event, so it must not get this
 * one: see observer_mark_sync().
 */
static __always_inline struct recorder *dispatch_recorder(const struct thread *t,
							  unsigned long from)
{
	return from & STATE_OBSERVED ? READ_ONCE(t->recorder) : NULL;
}

/* Recorders come last, as they may take long: by then readers find the pages complete. */
static __always_inline void dispatch_record_in(struct thread *t, const struct mapping *m,
					       unsigned long from, struct record_interval left)
{
	struct recorder *rec = dispatch_recorder(t, from);

	if (unlikely(left.state == TASKRT_STATE_EXITED))
		return;
	if (rec)
		recorder_switch_in(rec, t, left.state, left.since);
	dispatch_unmark(t, m, rec, from);
}

static __always_inline void dispatch_record_out(struct thread *t, const struct mapping *m,
						unsigned long from, struct record_interval left,
						const struct thread *next)
{
	struct recorder *rec = dispatch_recorder(t, from);

	if (unlikely(left.state == TASKRT_STATE_EXITED))
		return;
	if (rec)
		recorder_switch_out(rec, t, left.state, left.since, next);
	dispatch_unmark(t, m, rec, from);
}

static __always_inline void dispatch_move(struct thread *out, u8 to, struct thread *in)
{
	struct mapping *out_map = out ? READ_ONCE(out->mapping) : NULL;
	struct mapping *in_map = in ? READ_ONCE(in->mapping) : NULL;
	const unsigned long out_from = out ? shared_load(&out->record.state) : 0;
	const unsigned long in_from = in ? shared_load(&in->record.state) : 0;
	struct record_interval out_left = {}, in_left = {};
	u64 now;

	if (out)
		record_sched_begin(&out->record);
	if (in)
		record_sched_begin(&in->record);
	dispatch_change(out_map, USER_PAGE_SCHED);
	dispatch_change(in_map, USER_PAGE_SCHED);
	now = dispatch_clock(out_map || in_map);
	if (in)
		in_left = dispatch_move_in(in, in_map, in_from, now);
	if (out)
		out_left = dispatch_move_out(out, out_map, out_from, to, now);
	if (in) {
		dispatch_record_in(in, in_map, in_from, in_left);
		record_sched_end(&in->record);
	}
	if (out) {
		dispatch_record_out(out, out_map, out_from, out_left, in);
		record_sched_end(&out->record);
	}
}

void dispatch_switch(struct thread *out, u8 to, struct thread *in)
{
	/* The compiler makes two copies, and the first one need not test for NULL. */
	if (likely(out && in))
		dispatch_move(out, to, in);
	else
		dispatch_move(out, to, in);
}

void dispatch_wake(struct thread *t, u8 to)
{
	struct mapping *m = READ_ONCE(t->mapping);
	const unsigned long from = shared_load(&t->record.state);
	struct record_interval left;
	struct recorder *rec;
	u64 now, expiry = 0;

	record_sched_begin(&t->record);
	dispatch_change(m, USER_PAGE_SCHED);
	now = dispatch_clock(m);
	if (unlikely(shared_load(&t->record.expired)))
		expiry = record_wake_expired(&t->record, now);
	left = record_wake(&t->record, from, to, now);
	if (m)
		user_page_woken(m->page, t, left, to, expiry, &m->waker);
	rec = dispatch_recorder(t, from);
	if (rec)
		recorder_wake(rec, t, left.state, left.since);
	wchan_note(t, left);
	dispatch_unmark(t, m, rec, from);
	record_sched_end(&t->record);
	if (m)
		m->waker.kind = TASKRT_WAKER_UNKNOWN;
}

void dispatch_waking(struct thread *t)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);

	if (m)
		m->waker.kind = waker_note(&m->waker.who, t->task);
	if (rec)
		recorder_waking(rec);
}

void dispatch_wake_nothing(struct thread *t)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);

	if (m)
		m->waker.kind = TASKRT_WAKER_UNKNOWN;
	if (rec)
		recorder_wake_nothing(rec);
}

void dispatch_migrate(struct thread *t, unsigned int cpu)
{
	struct recorder *rec = READ_ONCE(t->recorder);

	if (rec)
		recorder_migrate(rec, t, cpu);
}

void dispatch_throttled(struct thread *t, u64 ns)
{
	struct recorder *rec = dispatch_recorder(t, shared_load(&t->record.state));
	struct mapping *m = READ_ONCE(t->mapping);
	const u64 since = t->record.since;

	record_sched_begin(&t->record);
	dispatch_change(m, USER_PAGE_SCHED);
	record_throttled(&t->record, ns);
	if (m)
		user_page_throttled(m->page, t, since, ns);
	if (rec)
		recorder_throttled(rec, t, since);
	/* The record has this time now: no reader may add it again. */
	WRITE_ONCE(t->throttle_group, THREAD_NO_GROUP);
	record_sched_end(&t->record);
}

static u64 dispatch_begin(struct mapping *m)
{
	dispatch_change(m, USER_PAGE_SELF);
	return dispatch_clock(m);
}

void dispatch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
			  unsigned long address, unsigned int flags)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;
	u32 seq;

	record_self_begin(r);
	dispatch_change(m, USER_PAGE_SELF);
	do {
		seq = record_fault_seq(r);
	} while (unlikely(!record_fault_begin(r, seq, dispatch_clock(m))));
	record_self_end(r);
	if (m)
		user_page_fault(m->page, t, 0, 0, 0);
	if (rec && r->fault_depth == 1)
		recorder_fault_begin(rec, vma, address, flags);
}

void dispatch_fault_end(struct thread *t, bool major, bool counts)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;
	const bool ends = r->fault_depth == 1;
	u64 now, ns;
	u32 seq;

	record_self_begin(r);
	dispatch_change(m, USER_PAGE_SELF);
	do {
		seq = record_fault_seq(r);
		now = dispatch_clock(m);
	} while (unlikely(!record_fault_end(r, major, seq, now)));
	record_self_end(r);
	ns = ends ? record_elapsed(r->timers_since[TASKRT_TIMER_FAULT], now) : 0;
	if (m)
		user_page_fault(m->page, t, ns, counts && !major, counts && major);
	if (rec && ends)
		recorder_fault_end(rec, r->timers_since[TASKRT_TIMER_FAULT], ns, major);
}

void dispatch_lock_begin(struct thread *t, u64 lock, u8 kind)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;

	record_self_begin(r);
	record_lock_begin(r, lock, kind, dispatch_begin(m));
	record_self_end(r);
	if (m)
		user_page_timer(m->page, t, TASKRT_TIMER_LOCK, 0);
	if (rec)
		recorder_lock_begin(rec, r);
}

void dispatch_lock_end(struct thread *t)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;
	const u64 lock = r->lock_addr;
	const u8 kind = r->lock_kind;
	u64 now, ns;

	record_self_begin(r);
	now = dispatch_begin(m);
	record_lock_end(r, now);
	record_self_end(r);
	ns = record_elapsed(r->timers_since[TASKRT_TIMER_LOCK], now);
	if (m)
		user_page_timer(m->page, t, TASKRT_TIMER_LOCK, ns);
	if (rec)
		recorder_lock_end(rec, lock, kind, r->timers_since[TASKRT_TIMER_LOCK], ns);
}

void dispatch_interrupt(struct thread *t, unsigned int timer, u64 since, u64 ns)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);

	if (m)
		user_page_interrupt(m->page, t, timer, ns, since);
	if (rec)
		recorder_interrupt(rec, timer, since, ns);
}

void dispatch_abandon(struct thread *t)
{
	record_self_begin(&t->record);
	record_fault_settle(&t->record, false);
	record_self_end(&t->record);
	while (t->record.fault_depth)
		dispatch_fault_end(t, false, false);
	if (t->record.lock_addr)
		dispatch_lock_end(t);
	t->freeing.depth = 0;
}

void dispatch_exec(struct task_struct *task)
{
	struct thread *t;

	rcu_read_lock();
	t = thread_find(task);
	if (t)
		mapping_end(t);
	rcu_read_unlock();
}

void dispatch_untracked(struct thread *t)
{
	mapping_end(t);
	armed_end(t);
}
