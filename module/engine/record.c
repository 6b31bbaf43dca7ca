// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow paths of the engine: initializing a record, and a wake-up by a timer.
 */
#include "engine/record_sched.h"

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
