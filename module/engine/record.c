// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow paths of the engine: initializing a record, a wake-up by a timer, and the first
 * event of a thread that existed before it was tracked.
 */
#include "engine/record.h"

void record_init(struct record *r, u8 state, u8 guess, u64 now)
{
	memset(r, 0, sizeof(*r));
	r->state = state;
	r->guess = guess;
	r->woken_before = state == TASKRT_STATE_WOKEN;
	r->since = now;
	r->tracked_since = now;
}

/*
 * A timer that fired before the wait has tried to wake the thread while it did not wait.
 * One that was set for a time before the wait is late from the beginning of the wait on.
 *
 * A wait for a lock is not for a timer.  With PREEMPT_RT, a thread that a callback wakes may
 * have to wait for the lock that the callback holds, and be woken by it once more.
 */
u64 record_wake_expired(struct record *r, u64 now)
{
	const u64 since = r->since;
	u64 fired, expiry;

	smp_rmb();	/* expired, fired, expiry: pairs with record_expire(), as the next one */
	fired = shared_load(&r->fired);
	smp_rmb();	/* as above */
	expiry = shared_load(&r->expiry);
	WRITE_ONCE(r->expired, 0);
	if ((s64)(fired - since) < 0 || record_state(r) == TASKRT_STATE_BLOCKED_LOCK)
		return 0;
	record_time_add(&r->timers[RECORD_EXPIRY],
			(s64)(expiry - since) < 0 ? since : expiry, now);
	return expiry;
}

/*
 * A thread that existed before it was tracked has been in one state until its
 * first event.  The event says which state that was, whatever the guess.
 *
 * A thread that is switched out was running.
 */
u8 record_unseen_out(const struct record *r)
{
	return TASKRT_STATE_RUNNING;
}

/* A thread that is switched in, and was not woken before, was queued. */
u8 record_unseen_in(struct record *r)
{
	if (r->guess != TASKRT_STATE_WOKEN)
		return TASKRT_STATE_PREEMPTED;
	shared_store(&r->woken_before, 1);
	return TASKRT_STATE_WOKEN;
}

/* A thread that is woken was waiting.  Only the guess can say for what. */
u8 record_unseen_wake(const struct record *r)
{
	if (record_plain_wait(r->guess))
		return r->guess;
	return TASKRT_STATE_SLEEPING;
}
