// SPDX-License-Identifier: LGPL-2.1-or-later
/* A window that starts when the work was due: before the thread came to it. */
#include <errno.h>
#include <stdbool.h>

#include "experimental.h"
#include "self/page.h"
#include "self/window.h"

/* queued_ns of the page. */
#define NOT_STARTED	UINT64_MAX

/* The last wake-up of the thread. */
struct wake {
	struct taskrt_woken woken;
	uint64_t expiry_ns;		/* 0: no timer */
	uint64_t wait_ns;
	uint64_t started_ns;		/* when it got a CPU */
	uint64_t held_ns[TASKRT_STATES_ROOM];	/* since then, but not RUNNING */
	uint64_t counts;		/* of the page */
	uint8_t waited;
	uint8_t queued_as;
};

static __attribute__((noinline)) int wake_copy(const struct taskrt_self *self, struct wake *wake)
{
	const struct taskrt_self_array *states = &self->held_states;
	const struct taskrt_page *page = self->page;
	uint64_t counts, queued;
	uint32_t state, i;

	TASKRT_PAGE_TRY(page, counts) {
		state = TASKRT_PAGE_GET(page->state);
		queued = TASKRT_PAGE_GET(page->queued_ns);
		*wake = (struct wake){
			.expiry_ns = TASKRT_PAGE_GET(page->expiry_ns),
			.wait_ns = TASKRT_PAGE_GET(page->wait_ns),
			.woken.at_ns = TASKRT_PAGE_GET(page->woken_ns),
			.woken.by = TASKRT_PAGE_GET(page->waker_kind),
			.waited = TASKRT_PAGE_GET(page->waited),
			.queued_as = TASKRT_PAGE_GET(page->queued_as),
		};
		wake->started_ns = wake->woken.at_ns + queued;
		for (i = 0; i < states->nr; i++)
			wake->held_ns[i] = TASKRT_PAGE_GET(*(const taskrt_word *)
							   taskrt_page_element(states, i));
		if (self->waker.nr)
			taskrt_page_copy(&wake->woken.waker, self->waker.first,
					 sizeof(wake->woken.waker));
		wake->counts = counts;
		if (!taskrt_page_unchanged(page, counts))
			continue;
		return queued == NOT_STARTED || state != TASKRT_STATE_RUNNING ||
		       wake->waited >= states->nr || wake->queued_as >= states->nr ? -ENODATA : 0;
	}
	return -EAGAIN;
}

int taskrt_last_wait(const struct taskrt_self *self, struct taskrt_wait *wait)
{
	struct wake wake;
	int err;

	if (!self->page || !self->waker.nr)
		return -ENODATA;
	err = wake_copy(self, &wake);
	if (err)
		return err;
	wait->begin_ns = wake.wait_ns;
	wait->state = wake.waited;
	wait->woken = wake.woken;
	return 0;
}

/* Return: the time after @due between two instants. */
static uint64_t after(uint64_t due, uint64_t from, uint64_t to)
{
	return taskrt_page_elapsed(from > due ? from : due, to);
}

/* Go back from the time of @begin to the start of the window. */
static void go_back(struct taskrt_snapshot *begin, uint64_t due, const struct wake *wake,
		    uint32_t nr_states)
{
	struct taskrt_times *times = &begin->times;
	__u64 *states = times->states_ns;
	uint64_t ran = taskrt_page_elapsed(wake->started_ns, begin->at_ns);
	uint32_t i;

	/* A thread that got a CPU, and was not held up, has run. */
	for (i = 0; i < nr_states; i++) {
		states[i] -= wake->held_ns[i];
		ran -= wake->held_ns[i];
	}
	states[TASKRT_STATE_RUNNING] -= ran;
	states[wake->waited] -= after(due, wake->wait_ns, wake->woken.at_ns);
	states[wake->queued_as] -= after(due, wake->woken.at_ns, wake->started_ns);
	/* From the start of the wait on, if the timer was set for a time before that. */
	if (wake->expiry_ns)
		times->timers_ns[TASKRT_TIMER_EXPIRY] -= after(due, wake->expiry_ns, wake->woken.at_ns);
	begin->at_ns = due;
}

/*
 * Start a window, and copy the last wake-up.  Return: true if both are of one instant, because
 * nothing has changed in between.  If false, *@err is what the window returned.
 */
static bool begin_at_once(struct taskrt_window *w, struct taskrt_self *self, struct wake *wake,
			  int *err)
{
	uint64_t counts;
	int tries;

	for (tries = TASKRT_PAGE_TRIES; tries; tries--) {
		counts = taskrt_page_counts(self->page);
		*err = taskrt_window_begin(w, self);
		if (*err || w->flags & TASKRT_FINAL || wake_copy(self, wake))
			return false;
		if (wake->counts == counts)
			return true;
	}
	return false;
}

int taskrt_window_begin_due(struct taskrt_window *w, struct taskrt_self *self, uint64_t due_ns)
{
	struct taskrt_window_own *o = (struct taskrt_window_own *)w->private_;
	struct wake wake;
	int err;

	if (!self || !self->page || !taskrt_measures(self->measured.timers, TASKRT_TIMER_EXPIRY))
		return taskrt_window_begin(w, self);
	if (!begin_at_once(w, self, &wake, &err))
		return err;
	/* The time of a timer belongs to one cycle of the work, and not to the next as well. */
	if (!due_ns && wake.woken.at_ns != self->due_woken_ns)
		due_ns = wake.expiry_ns;
	if (due_ns && due_ns < wake.wait_ns)
		due_ns = wake.wait_ns;
	/* Later than that, the thread was at work, or does not come too late. */
	if (!due_ns || due_ns >= wake.started_ns || due_ns >= w->begin_ns)
		return 0;
	self->due_woken_ns = wake.woken.at_ns;
	go_back(&o->begin, due_ns, &wake, self->held_states.nr);
	o->woken = wake.woken;
	w->begin_ns = due_ns;
	w->flags |= TASKRT_WINDOW_DUE;
	return 0;
}
