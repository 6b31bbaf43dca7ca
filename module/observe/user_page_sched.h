/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a switch and a wake-up change in the mapped pages.  It is inline, because these are
 * the events that a thread has most of: each value is at hand from the move of the record.
 *
 * The page was filled from the record, and has had each of its moves since then.  So it is
 * enough to add what the move has added.
 *
 * The functions are called after the record has moved, within a change of the page, and
 * end that.
 * @left: the interval that has ended
 * @to: the state that has begun
 */
#ifndef TASKRT_USER_PAGE_SCHED_H
#define TASKRT_USER_PAGE_SCHED_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include "engine/record_sched.h"
#include "observe/user_page.h"
#include "observe/waker.h"

/*
 * A state that is not measured stays 0.  It is enough to test whether any state is
 * measured: if so, those that are not measured are never entered.
 */
static __always_inline void user_page_set_left(struct user_page *up, struct record_interval left)
{
	struct taskrt_intervals *intervals = &up->states[left.state];

	/* Otherwise the compiler would compute the address anew for each member. */
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

/* The thread was neither in the queue of its wake-up nor on a CPU. */
static __always_inline void user_page_set_held(struct user_page *up, struct record_interval left)
{
	up->held_states[left.state] += left.ns;
	up->page.held = 1;
}

/*
 * A wait has ended.  Those that the thread did not ask for, for a kernel lock or a page, may
 * come between that and the work that it has waited for, and are not noted.
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

/*
 * @expiry: see record_wake_expired()
 * @waker: noted when the wake-up started, if it was
 */
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
 * The thread is still queued.  If it was throttled when it was woken, its queue of the wake-up
 * ends here; otherwise the rest of the wait is that.
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
	/* For the first time since it was woken, or after something else. */
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
