/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Updates of the mapped pages at a switch and at a wake-up.  These are inline, because a thread
 * has more of them than of all other events.  The page was filled from the record, and has followed
 * each move since then.  So each update adds only what the move has added.
 *
 * Context: after the record has moved, within a change of the page, which these functions end.
 * @left: the interval that has ended
 * @to: the state that has started
 */
#ifndef TASKRT_USER_PAGE_SCHED_H
#define TASKRT_USER_PAGE_SCHED_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include "engine/record_sched.h"
#include "observe/user_page.h"
#include "observe/waker.h"

/* States that are not measured stay 0.  If any state is measured, the others are never entered. */
static __always_inline void user_page_set_left(struct user_page *up, struct record_interval left)
{
	struct taskrt_intervals *intervals = &up->states[left.state];

	/* Keep the compiler from computing the address again for each member. */
	OPTIMIZER_HIDE_VAR(intervals);
	if (unlikely(!up->page.measured.states))
		return;
	up->counts.states[left.state]++;
	if (unlikely(!left.ns))
		return;
	up->page.times.states_ns[left.state] += left.ns;
	if (unlikely(left.ns > intervals->longest.ns)) {
		intervals->longest.ns = left.ns;
		intervals->longest.at_ns = left.since;
	}
	intervals_add(intervals, left.ns, left.since);
}

/* The thread has waited again since its wake-up: for a lock, a page or a CPU. */
static __always_inline void user_page_set_held(struct user_page *up, struct record_interval left)
{
	up->held_states[left.state] += left.ns;
	up->page.held = 1;
}

/*
 * A wait has ended.  Note it, unless it was for a kernel lock or a page: the thread did not ask for
 * such a wait, which may come between the wait that it asked for and its work.
 */
static __always_inline void user_page_set_wake(struct user_page *up, const struct thread *t,
					       struct record_interval left, u8 to, u64 expiry,
					       const struct waker_early *waker)
{
	struct taskrt_page *page = &up->page;

	if (left.state == TASKRT_STATE_BLOCKED_LOCK || left.state == TASKRT_STATE_BLOCKED_FAULT) {
		user_page_set_held(up, left);
		return;
	}
	page->expiry_ns = expiry;
	page->wait_ns = left.since;
	page->woken_ns = t->record.since;
	page->queued_ns = U64_MAX;
	page->waited = left.state;
	page->queued_as = to;
	if (unlikely(page->held))
		user_page_clear_held(up);
	if (unlikely(expiry)) {
		page->waker_kind = TASKRT_WAKER_TIMER;
		user_page_set_expiry(up, &t->record, max(expiry, left.since));
		up->waker.slack_us = left.state != TASKRT_STATE_SLEEPING_TIMER ? 0 :
			min_t(u64, waker_slack(t->task) / NSEC_PER_USEC, U32_MAX);
	} else if (unlikely(waker->kind)) {
		up->waker = waker->who;
		page->waker_kind = waker->kind;
	} else {
		page->waker_kind = waker_note(&up->waker, t->task);
	}
}

/* @expiry: see record_wake_expired(); @waker: as noted by dispatch_waking(), if at all */
static __always_inline void user_page_woken(struct user_page *up, const struct thread *t,
					    struct record_interval left, u8 to, u64 expiry,
					    const struct waker_early *waker)
{
	if (likely(up->page.measured.states))
		up->counts.values[TASKRT_VALUE_WAKEUPS]++;
	user_page_set_left(up, left);
	user_page_set_wake(up, t, left, to, expiry, waker);
	user_page_set_present(up, to, t->record.since);
	user_page_change_end(up, USER_PAGE_SCHED);
}

/*
 * The first @ns of the wait of a queued thread were throttled.  If its wake-up found it throttled,
 * queued_ns is that part of the wait.  Otherwise it is the rest.
 */
static inline void user_page_throttled(struct user_page *up, const struct thread *t, u64 since,
				       u64 ns)
{
	const struct record_interval left = {
		.state = TASKRT_STATE_THROTTLED, .since = since, .ns = ns,
	};
	struct taskrt_page *page = &up->page;

	user_page_set_left(up, left);
	if (page->state == TASKRT_STATE_THROTTLED && page->queued_ns == U64_MAX)
		page->queued_ns = ns;
	else if (ns)
		user_page_set_held(up, left);
	user_page_set_present(up, record_present(&t->record), t->record.since);
	user_page_change_end(up, USER_PAGE_SCHED);
}

static __always_inline void user_page_switched_in(struct user_page *up, const struct thread *t,
						  struct record_interval left)
{
	struct taskrt_page *page = &up->page;

	user_page_set_left(up, left);
	/* This is the first switch-in after a wake-up. */
	if (likely(page->queued_ns == U64_MAX))
		page->queued_ns = left.ns;
	else if (left.ns)
		user_page_set_held(up, left);
	user_page_set_present(up, TASKRT_STATE_RUNNING, t->record.since);
	user_page_change_end(up, USER_PAGE_SCHED);
}

static __always_inline void user_page_switched_out(struct user_page *up, const struct thread *t,
						   struct record_interval left, u8 to)
{
	user_page_set_left(up, left);
	/* The kernel has counted the switch by now. */
	counters_of_switch(up->counts.values, t->task);
	user_page_set_present(up, to, t->record.since);
	if (unlikely(to == TASKRT_STATE_EXITED))
		user_page_set_closed(up, t->record.since);
	user_page_change_end(up, USER_PAGE_SCHED);
}

#endif /* TASKRT_USER_PAGE_SCHED_H */
