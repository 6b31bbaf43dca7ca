/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of the scheduler.  Context: a hook, under the runqueue lock, between
 * record_sched_begin() and record_sched_end(), unless a function says otherwise.
 */
#ifndef TASKRT_RECORD_SCHED_H
#define TASKRT_RECORD_SCHED_H

#include "engine/record.h"

/*
 * record_interrupt() - add time in which the running thread did not do its own work
 * @timer: TASKRT_TIMER_HARDIRQ, TASKRT_TIMER_SOFTIRQ, TASKRT_TIMER_STEAL or RECORD_RECLAIM_CPU
 * @ns: its length; of a softirq, without hard interrupts; of reclaim, in record_computed() time
 *
 * Context: a hook, with interrupts off, on the thread's CPU.  The thread runs, so all other
 * writers of sched are on this CPU as well, with interrupts off.
 */
static __always_inline void record_interrupt(struct record *r, unsigned int timer, u64 since,
					     u64 ns)
{
	shared_add(&r->parts_ns, record_time_add(&r->timers[timer], since, since + ns));
}

/*
 * record_lag() - the clock, less what the thread itself has computed
 *
 * Each wait and each interval of record_interrupt() adds its length; nothing else changes it.
 * Context: the thread itself, with interrupts off, or as in record_fault.h.
 */
static __always_inline u64 record_lag(const struct record *r)
{
	return shared_peek(&r->since) + shared_peek(&r->parts_ns) -
	       shared_peek(&r->states[TASKRT_STATE_RUNNING].ns);
}

/*
 * How long the thread itself has computed outside finished faults, up to a constant.
 * Context: the thread itself, with interrupts off.
 */
static __always_inline u64 record_computed(const struct record *r, u64 now)
{
	return now - record_lag(r) - record_fault_cpu_ns(r);
}

/* Add what the CPU's counters counted since the last read.  Context: as record_interrupt(). */
static __always_inline void record_count(struct record *r, const u64 counted[NR_COUNTED])
{
	int i;

	for (i = 0; i < NR_COUNTED; i++)
		shared_add(&r->counted[i], counted[i]);
}

/* The only transition.  If the clock has stepped back, the interval is 0, and since stays. */
static __always_inline struct record_interval
record_move(struct record *r, unsigned long from, u8 to, u64 now)
{
	struct record_interval left = { .state = from, .since = r->since };
	struct record_time *time = &r->states[from];

	/* Keep the compiler from computing the address again for each member. */
	OPTIMIZER_HIDE_VAR(time);
	if (likely(record_time_end(time, &left, now)))
		shared_store(&r->since, now);
	shared_store(&r->state, to);
	return left;
}

/* True if r->state is an unmarked state: then an event is only one record_move(). */
static __always_inline bool record_plain(unsigned long state)
{
	return state < NR_STATES;
}

/* True if record_plain() and record_waits() are both true.  YIELDED is the last state. */
static __always_inline bool record_plain_wait(unsigned long state)
{
	return state - TASKRT_STATE_BLOCKED_LOCK <
	       TASKRT_STATE_YIELDED - TASKRT_STATE_BLOCKED_LOCK &&
	       state != TASKRT_STATE_THROTTLED;
}

/* The first event of a preexisting thread shows its state until then.  This one was RUNNING. */
static inline u8 record_unseen_out(const struct record *r)
{
	return TASKRT_STATE_RUNNING;
}

/* A thread that is switched in was queued. */
static inline u8 record_unseen_in(struct record *r)
{
	if (shared_load(&r->guess) != TASKRT_STATE_WOKEN)
		return TASKRT_STATE_PREEMPTED;
	shared_store(&r->woken_before, 1);
	return TASKRT_STATE_WOKEN;
}

/* A thread that is woken was waiting.  Only the guess can say for what. */
static inline u8 record_unseen_wake(const struct record *r)
{
	const u8 guess = shared_load(&r->guess);

	return record_plain_wait(guess) ? guess : TASKRT_STATE_SLEEPING;
}

/*
 * record_switch_out() - the thread leaves the CPU and enters the state @to
 * @from: r->state, loaded once: the mark may be set between a test and its use as an index
 *
 * Return: the interval that has ended.  The state TASKRT_STATE_EXITED means that the record was
 * closed already, and has not changed.
 */
static __always_inline struct record_interval
record_switch_out(struct record *r, unsigned long from, u8 to, u64 now)
{
	unsigned long state = from & ~STATE_OBSERVED;

	if (unlikely(state >= NR_STATES)) {
		if (state == TASKRT_STATE_EXITED)
			return (struct record_interval){ .state = state };
		state = record_unseen_out(r);
	}
	return record_move(r, state, to | (from & STATE_OBSERVED), now);
}

/* record_switch_in() - the thread gets the CPU.  As record_switch_out(). */
static __always_inline struct record_interval
record_switch_in(struct record *r, unsigned long from, u64 now)
{
	unsigned long state = from & ~STATE_OBSERVED;

	if (unlikely(state >= NR_STATES)) {
		if (state == TASKRT_STATE_EXITED)
			return (struct record_interval){ .state = state };
		state = record_unseen_in(r);
	}
	return record_move(r, state, TASKRT_STATE_RUNNING | (from & STATE_OBSERVED), now);
}

/* The first @ns of the wait of a queued thread were throttled: split the interval there. */
static inline void record_throttled(struct record *r, u64 ns)
{
	const u8 state = shared_load(&r->state);

	record_time_add(&r->states[TASKRT_STATE_THROTTLED], r->since, r->since + ns);
	shared_store(&r->since, r->since + ns);
	shared_store(&r->state, record_unthrottled(state & ~STATE_OBSERVED) |
				(state & STATE_OBSERVED));
}

/* A timer, due at @expiry, is about to wake the thread.  Another CPU may call this, too. */
static __always_inline void record_expire(struct record *r, u64 expiry, u64 now)
{
	WRITE_ONCE(r->expiry, expiry);
	smp_wmb();	/* expiry before fired; pairs with record_wake_expired() */
	WRITE_ONCE(r->fired, now);
	smp_wmb();	/* fired before expired; pairs with record_wake_expired() */
	WRITE_ONCE(r->expired, 1);
}

/* Return: the expiry of the timer that wakes the thread; 0: none.  Call record_wake() next. */
u64 record_wake_expired(struct record *r, u64 now);

/* The thread is woken.  @from: r->state, for which record_waits() was true. */
static __always_inline struct record_interval
record_wake(struct record *r, unsigned long from, u8 to, u64 now)
{
	unsigned long state = from & ~STATE_OBSERVED;

	if (unlikely(to == TASKRT_STATE_THROTTLED))
		shared_add(&r->throttled_wakeups, 1);
	if (unlikely(state == STATE_UNSEEN))
		state = record_unseen_wake(r);
	return record_move(r, state, to | (from & STATE_OBSERVED), now);
}

/*
 * record_has_wchan() - true if a state has a wchan
 *
 * The caller of record_wake() sets the wchan after the longest wait of a state.  If the module did
 * not see the wake-up that ended the longest wait, the wchan is of a shorter one.
 */
static inline bool record_has_wchan(unsigned int state)
{
	return record_wchan_index(state) < NR_WCHANS;
}

/* @wchan: opaque to the engine; 0: not known */
static inline void record_set_wchan(struct record *r, unsigned int state, u32 wchan)
{
	shared_store(&r->wchans[record_wchan_index(state)], wchan);
}

/*
 * The state of a thread that is switched out and not runnable: a lock wait takes precedence over a
 * fault, and a fault over the scheduler's view (@otherwise).
 *
 * A thread that dies of an oops inside a lock wait or a fault never leaves it: EXITED comes first.
 */
static __always_inline u8 record_wait_state(const struct record *r, u8 otherwise)
{
	u8 wait;

	if (r->lock_addr)
		wait = TASKRT_STATE_BLOCKED_LOCK;
	else if (r->fault_depth & ~FAULT_SPECULATIVE)
		wait = TASKRT_STATE_BLOCKED_FAULT;
	else
		return otherwise;
	return unlikely(otherwise == TASKRT_STATE_EXITED) ? otherwise : wait;
}

/* The first wake-up of a new thread, in STATE_UNSEEN.  The time before is not the thread's. */
static __always_inline void record_start(struct record *r, u8 to, u64 now)
{
	if (unlikely(to == TASKRT_STATE_THROTTLED))
		shared_add(&r->throttled_wakeups, 1);
	shared_store(&r->tracked_since, now);
	shared_store(&r->since, now);
	/* The thread may have an observer already. */
	shared_store(&r->state, to | (shared_load(&r->state) & STATE_OBSERVED));
}

#endif /* TASKRT_RECORD_SCHED_H */
