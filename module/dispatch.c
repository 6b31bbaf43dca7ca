// SPDX-License-Identifier: GPL-2.0-only
#include "armed.h"
#include "clock.h"
#include "mapping.h"
#include "recorder.h"
#include "watch.h"

DEFINE_RAW_SPINLOCK(watch_lock);

void watch_own(struct thread *t)
{
	WRITE_ONCE(t->watched, true);
	WRITE_ONCE(t->record.state, t->record.state | STATE_WATCHED);
}

/* A hook that is under way may take it away again: it has the state from before. */
static void mark(struct thread *t)
{
	u8 *state = &t->record.state, seen = READ_ONCE(*state);

	while (seen != TASKRT_STATE_EXITED &&
	       cmpxchg(state, seen, (u8)(seen | STATE_WATCHED)) != seen)
		seen = READ_ONCE(*state);
}

static bool marked(const struct thread *t)
{
	const u8 state = READ_ONCE(t->record.state);

	return (state & STATE_WATCHED) || state == TASKRT_STATE_EXITED;
}

/* Marks it where it is not.  Return: is there nothing more to do? */
static bool settle(struct task_struct *task)
{
	struct thread *t;
	bool done;

	rcu_read_lock();
	t = thread_find(task);
	done = !t || !READ_ONCE(t->recorder) || (READ_ONCE(t->watched) && marked(t));
	if (!done) {
		WRITE_ONCE(t->watched, true);
		mark(t);
	}
	rcu_read_unlock();
	return done;
}

void watch_any(struct task_struct *task)
{
	/* What was marked and still is when all hooks that ran are over, stays so. */
	while (!settle(task))
		synchronize_rcu();
}

/* Nobody does any more: from the next event on it is as all others. */
static void unwatch(struct thread *t)
{
	WRITE_ONCE(t->watched, false);
	WRITE_ONCE(t->record.state, record_present(&t->record));
	/* Who arms it now may have seen the marks: then we see the recorder, see attach(). */
	smp_mb();
	if (unlikely(READ_ONCE(t->recorder)))
		watch_own(t);
}

static bool is_watched(const struct mapping *m, const struct recorder *rec)
{
	return m || rec;
}

void watch_switch_out(struct thread *t, u8 to, const struct thread *next, u64 now)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	const u64 since = t->record.since;
	u8 left;

	if (record_present(&t->record) == TASKRT_STATE_EXITED)
		return;
	if (m)
		now = mapping_begin(m, MAPPING_SCHED);
	left = record_switch_out(&t->record, to, now);
	if (m)
		mapping_sched(m, t, left, since);
	if (rec)
		recorder_switch_out(rec, t, left, since, next);
	if (!is_watched(m, rec) && to != TASKRT_STATE_EXITED)
		unwatch(t);
}

void watch_switch_in(struct thread *t, const struct thread *prev, u64 now)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	const u64 since = t->record.since;
	u8 left;

	if (record_present(&t->record) == TASKRT_STATE_EXITED)
		return;
	if (m)
		now = mapping_begin(m, MAPPING_SCHED);
	left = record_switch_in(&t->record, now);
	if (m)
		mapping_sched(m, t, left, since);
	if (rec)
		recorder_switch_in(rec, t, left, since, prev);
	if (!is_watched(m, rec))
		unwatch(t);
}

void watch_wake(struct thread *t, u64 now)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	const u64 since = t->record.since;
	u8 left;

	if (m)
		now = mapping_begin(m, MAPPING_SCHED);
	left = record_wake(&t->record, t->record.state, now);
	if (m)
		mapping_sched(m, t, left, since);
	if (rec)
		recorder_wake(rec, t, left, since);
	if (!is_watched(m, rec))
		unwatch(t);
}

static u64 begin(struct mapping *m)
{
	return m ? mapping_begin(m, MAPPING_SELF) : clock_now();
}

/* A fault inside a fault belongs to the outer one. */
void watch_fault_begin(struct thread *t, const struct vm_area_struct *vma,
		       unsigned long address, unsigned int flags)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;

	record_self_begin(r);
	record_fault_begin(r, begin(m));
	record_self_end(r);
	if (m)
		mapping_timer(m, t, TASKRT_TIMER_FAULT, 0);
	if (rec && r->fault_depth == 1)
		recorder_fault_begin(rec, vma, address, flags);
}

void watch_fault_end(struct thread *t, bool major)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;
	const bool ends = r->fault_depth == 1;
	u64 now, ns;

	record_self_begin(r);
	now = begin(m);
	record_fault_end(r, major, now);
	record_self_end(r);
	ns = ends ? record_elapsed(r->timers_since[TASKRT_TIMER_FAULT], now) : 0;
	if (m)
		mapping_timer(m, t, TASKRT_TIMER_FAULT, ns);
	if (rec && ends)
		recorder_fault_end(rec, r->timers_since[TASKRT_TIMER_FAULT], ns, major);
}

void watch_lock_begin(struct thread *t, u64 lock, u8 kind)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;

	record_self_begin(r);
	record_lock_begin(r, lock, kind, begin(m));
	record_self_end(r);
	if (m)
		mapping_timer(m, t, TASKRT_TIMER_LOCK, 0);
	if (rec)
		recorder_lock_begin(rec, r);
}

void watch_lock_end(struct thread *t)
{
	struct recorder *rec = READ_ONCE(t->recorder);
	struct mapping *m = READ_ONCE(t->mapping);
	struct record *r = &t->record;
	u64 now, ns;

	record_self_begin(r);
	now = begin(m);
	record_lock_end(r, now);
	record_self_end(r);
	ns = record_elapsed(r->timers_since[TASKRT_TIMER_LOCK], now);
	if (m)
		mapping_timer(m, t, TASKRT_TIMER_LOCK, ns);
	if (rec)
		recorder_lock_end(rec, r->timers_since[TASKRT_TIMER_LOCK], ns);
}

void watch_exec(struct task_struct *task)
{
	struct thread *t;

	rcu_read_lock();
	t = thread_find(task);
	if (t)
		mapping_end(t, TASKRT_PAGE_ENDED);
	rcu_read_unlock();
}

void watch_gone(struct thread *t, bool stopped)
{
	mapping_end(t, stopped ? TASKRT_PAGE_STOPPED : TASKRT_PAGE_ENDED);
	armed_end(t);
}
