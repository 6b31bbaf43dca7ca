/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of the scheduler: the thread is switched, woken, throttled or interrupted.
 * Context: a hook, under the runqueue lock, between record_sched_begin() and
 * record_sched_end(), unless a function says otherwise.
 */
#ifndef TASKRT_RECORD_SCHED_H
#define TASKRT_RECORD_SCHED_H

#include "engine/record.h"

/*
 * record_interrupt() - the thread was running, but not with work of its own
 * @timer: TASKRT_TIMER_HARDIRQ, TASKRT_TIMER_SOFTIRQ, TASKRT_TIMER_STEAL or RECORD_RECLAIM_CPU
 * @ns: for how long; of a softirq, without the hard interrupts in it; of
 *	reclaim, without all interruptions in it: see record_computed()
 *
 * Context: a hook, with interrupts off, on the CPU of the thread, between
 * record_sched_begin() and record_sched_end().  Other code that writes what these protect
 * does so with interrupts off as well, and on the same CPU, because the thread runs.
 */
static __always_inline void record_interrupt(struct record *r, unsigned int timer, u64 since,
					     u64 ns)
{
	shared_add(&r->parts_ns, record_time_add(&r->timers[timer], since, since + ns));
}

/*
 * record_lag() - the clock, less what the thread itself has computed
 *
 * Each wait and each interval of record_interrupt() adds to it; nothing else changes it.
 * Context: the thread itself, with interrupts off, or as in record_fault.h.
 */
static __always_inline u64 record_lag(const struct record *r)
{
	return shared_peek(&r->since) + shared_peek(&r->parts_ns) -
	       shared_peek(&r->states[TASKRT_STATE_RUNNING].ns);
}

/*
 * record_computed() - for how long the thread has been running, without interruptions
 *
 * The difference of two values is what the thread itself has computed between them, without
 * its waits, interruptions, and the page faults that ended between them.
 *
 * Context: the thread itself, with interrupts off.
 */
static __always_inline u64 record_computed(const struct record *r, u64 now)
{
	return now - record_lag(r) - record_fault_cpu_ns(r);
}

/*
 * record_count() - the processor has counted this since it was read last
 *
 * Context: as record_interrupt().
 */
static __always_inline void record_count(struct record *r, const u64 counted[NR_COUNTED])
{
	int i;

	for (i = 0; i < NR_COUNTED; i++)
		shared_add(&r->counted[i], counted[i]);
}

/*
 * The one transition.  If the clock has stepped back slightly, the interval has
 * length 0, and the next one starts at the same instant.
 */
static __always_inline struct record_interval
record_move(struct record *r, unsigned long from, u8 to, u64 now)
{
	struct record_interval left = { .state = from, .since = r->since };
	struct record_time *time = &r->states[from];

	/* Otherwise the compiler may compute the address anew for each member. */
	OPTIMIZER_HIDE_VAR(time);
	if (likely(record_time_end(time, &left, now)))
		shared_store(&r->since, now);
	shared_store(&r->state, to);
	return left;
}

/*
 * True if r->state was @state, and the thread is in a state and has no observer.  Then an
 * event is one record_move(), and nothing else needs to be done.
 */
static __always_inline bool record_plain(unsigned long state)
{
	return state < NR_STATES;
}

/*
 * As record_plain(), for a wake-up: then record_waits() is true, too.  THROTTLED is no wait,
 * nor is YIELDED, the last state.
 */
static __always_inline bool record_plain_wait(unsigned long state)
{
	return state - TASKRT_STATE_BLOCKED_LOCK <
	       TASKRT_STATE_YIELDED - TASKRT_STATE_BLOCKED_LOCK &&
	       state != TASKRT_STATE_THROTTLED;
}

/*
 * A thread that existed before it was tracked has been in one state until its
 * first event.  The event says which state that was, whatever the guess.
 *
 * A thread that is switched out was running.
 */
static inline u8 record_unseen_out(const struct record *r)
{
	return TASKRT_STATE_RUNNING;
}

/* A thread that is switched in, and was not woken before, was queued. */
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
 * @from: the value of r->state.  The caller loads it, and only once, because the mark may
 *	  be set at any time: what was tested must be what is used as an index.
 *
 * Context: a hook, between record_sched_begin() and record_sched_end().
 * Return: what was left.  The state TASKRT_STATE_EXITED means that the record was
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

/* record_switch_in() - the thread gets the CPU.  Like record_switch_out(). */
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

/*
 * record_throttled() - of the time that the thread has been queued, @ns were throttled
 *
 * They are counted as one interval, the first part of the wait, although they may have been
 * several, and later: only their sum is known.
 * Context: a hook, between record_sched_begin() and record_sched_end().  The thread is queued,
 * and no longer throttled.
 */
static inline void record_throttled(struct record *r, u64 ns)
{
	const u8 state = shared_load(&r->state);

	record_time_add(&r->states[TASKRT_STATE_THROTTLED], r->since, r->since + ns);
	shared_store(&r->since, r->since + ns);
	shared_store(&r->state, record_unthrottled(state & ~STATE_OBSERVED) |
				(state & STATE_OBSERVED));
}

/*
 * record_expire() - a timer is going to wake the thread
 * @expiry: the time for which it was set
 *
 * Nothing comes of it if the thread does not wait.
 * Context: the callback of the timer.  Another CPU may be waking the thread at the same time.
 */
static __always_inline void record_expire(struct record *r, u64 expiry, u64 now)
{
	WRITE_ONCE(r->expiry, expiry);
	smp_wmb();	/* pairs with record_wake_expired(), as the next one */
	WRITE_ONCE(r->fired, now);
	smp_wmb();	/* as above */
	WRITE_ONCE(r->expired, 1);
}

/*
 * record_wake_expired() - a thread with record.expired is woken
 *
 * Context: as record_wake(), which the caller calls next.
 * Return: the expiry of the timer that wakes the thread; 0: something else does.
 */
u64 record_wake_expired(struct record *r, u64 now);

/*
 * record_wake() - the thread is woken
 * @from: the value of r->state, for which record_waits() was true
 * @to: TASKRT_STATE_WOKEN or TASKRT_STATE_THROTTLED
 *
 * Like record_switch_out().
 */
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
 * record_has_wchan() - does a state have a wchan?
 *
 * It changes when record_wake() has ended the longest wait in this state, whose caller then says
 * where the thread was, by record_set_wchan().  Only a wake-up ends a wait, as long as all of
 * them are seen: otherwise the wchan would be that of a shorter one.
 */
static inline bool record_has_wchan(unsigned int state)
{
	return record_wchan_index(state) < NR_WCHANS;
}

/* @wchan: a number that means nothing to the engine; 0: not known */
static inline void record_set_wchan(struct record *r, unsigned int state, u32 wchan)
{
	shared_store(&r->wchans[record_wchan_index(state)], wchan);
}

/*
 * The state of a thread that is switched out and not runnable: a lock wait has
 * precedence over a fault, and a fault over what the scheduler knows (@otherwise).
 *
 * One that has died of an oops while it ended never returns from either, nor runs again.
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

/*
 * record_start() - a thread that was created is woken for the first time
 * @to: TASKRT_STATE_WOKEN or TASKRT_STATE_THROTTLED
 *
 * Its clock starts here: what was before is the time of the task that created it.
 * Context: a hook, between record_sched_begin() and record_sched_end(); the state is
 * STATE_UNSEEN.
 */
static __always_inline void record_start(struct record *r, u8 to, u64 now)
{
	if (unlikely(to == TASKRT_STATE_THROTTLED))
		shared_add(&r->throttled_wakeups, 1);
	shared_store(&r->tracked_since, now);
	shared_store(&r->since, now);
	/* It may have an observer already. */
	shared_store(&r->state, to | (shared_load(&r->state) & STATE_OBSERVED));
}

#endif /* TASKRT_RECORD_SCHED_H */
