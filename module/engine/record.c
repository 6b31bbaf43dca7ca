// SPDX-License-Identifier: GPL-2.0-only
/* The engine's slow half: starting a record, and the first event of an old thread. */
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
 * A thread that existed before it was tracked has been in one state ever
 * since, whatever the guess: its first event says which.
 *
 * Switched out: it was running.
 */
u8 record_unseen_out(const struct record *r)
{
	return TASKRT_STATE_RUNNING;
}

/* Switched in and not woken before: it was queued. */
u8 record_unseen_in(struct record *r)
{
	if (r->guess != TASKRT_STATE_WOKEN)
		return TASKRT_STATE_PREEMPTED;
	shared_store(&r->woken_before, 1);
	return TASKRT_STATE_WOKEN;
}

/* Woken: it was waiting; for what, only the guess can know. */
u8 record_unseen_wake(const struct record *r)
{
	if (r->guess > TASKRT_STATE_WOKEN && r->guess < NR_STATES)
		return r->guess;
	return TASKRT_STATE_SLEEPING;
}
