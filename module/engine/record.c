// SPDX-License-Identifier: GPL-2.0-only
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
 * A timer that fired before the wait started does not end this wait.  If the timer was set for a
 * time before the wait, it counts as late from the start of the wait on.
 *
 * No timer ends a lock wait.  But on PREEMPT_RT, a thread that a timer's callback has woken may
 * block on a lock that the callback holds.  Its second wake-up is not the timer's.
 */
u64 record_wake_expired(struct record *r, u64 now)
{
	const u64 since = r->since;
	u64 fired, expiry;

	smp_rmb();	/* expired before fired; pairs with record_expire() */
	fired = shared_load(&r->fired);
	smp_rmb();	/* fired before expiry; pairs with record_expire() */
	expiry = shared_load(&r->expiry);
	WRITE_ONCE(r->expired, 0);
	if ((s64)(fired - since) < 0 || record_state(r) == TASKRT_STATE_BLOCKED_LOCK)
		return 0;
	record_time_add(&r->timers[RECORD_EXPIRY],
			(s64)(expiry - since) < 0 ? since : expiry, now);
	return expiry;
}
