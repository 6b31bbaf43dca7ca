// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where the time of a window went: causes by their share of it, in one line. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "line.h"
#include "page.h"

static const uint8_t state_causes_names[TASKRT_NR_STATES] = {
	[TASKRT_STATE_RUNNING]		= TASKRT_CAUSE_COMPUTING,
	[TASKRT_STATE_PREEMPTED]	= TASKRT_CAUSE_QUEUED,
	[TASKRT_STATE_WOKEN]		= TASKRT_CAUSE_QUEUED,
	[TASKRT_STATE_BLOCKED_LOCK]	= TASKRT_CAUSE_LOCK,
	[TASKRT_STATE_BLOCKED_FAULT]	= TASKRT_CAUSE_FAULT,
	[TASKRT_STATE_BLOCKED_IO]	= TASKRT_CAUSE_IO,
	[TASKRT_STATE_BLOCKED_OTHER]	= TASKRT_CAUSE_BLOCKED,
	[TASKRT_STATE_SLEEPING_FUTEX]	= TASKRT_CAUSE_FUTEX,
	[TASKRT_STATE_SLEEPING_POLL]	= TASKRT_CAUSE_POLL,
	[TASKRT_STATE_SLEEPING_TIMER]	= TASKRT_CAUSE_TIMER,
	[TASKRT_STATE_SLEEPING]		= TASKRT_CAUSE_ASLEEP,
	[TASKRT_STATE_STOPPED]		= TASKRT_CAUSE_STOPPED,
};

/* The remainder is a cause of its own, so the sum is what elapsed. */
static void set_causes(const struct taskrt_window *w, uint64_t *ns)
{
	uint64_t left = w->elapsed_ns, spent;
	unsigned int state;

	memset(ns, 0, TASKRT_NR_CAUSES * sizeof(*ns));
	for (state = 0; state < TASKRT_NR_STATES; state++) {
		/* Coarse times, over netlink, may sum to more. */
		spent = w->spent.states_ns[state] < left ? w->spent.states_ns[state] : left;
		ns[state_causes_names[state]] += spent;
		left -= spent;
	}
	ns[TASKRT_CAUSE_UNEXPLAINED] = left;
}

/* The largest first; of two as large the one with the lower number. */
static void rank(struct taskrt_explanation *e, const uint64_t *ns)
{
	uint32_t cause, at;

	for (cause = 0; cause < TASKRT_NR_CAUSES; cause++) {
		if (!ns[cause] && cause != TASKRT_CAUSE_UNEXPLAINED)
			continue;
		for (at = e->nr; at && e->shares[at - 1].ns < ns[cause]; at--)
			e->shares[at] = e->shares[at - 1];
		e->shares[at] = (struct taskrt_share){ .ns = ns[cause], .cause = cause };
		e->nr++;
	}
}

static uint32_t longest_lock(const struct taskrt_totals *spent)
{
	uint32_t lock, longest = TASKRT_NR_LOCKS;

	for (lock = 0; lock < TASKRT_NR_LOCKS; lock++)
		if (spent->lock_time_ns[lock] &&
		    (longest == TASKRT_NR_LOCKS ||
		     spent->lock_time_ns[lock] > spent->lock_time_ns[longest]))
			longest = lock;
	return longest;
}

/* One state's intervals; the one in progress is the last of them. */
struct intervals {
	struct taskrt_intervals finished;
	struct taskrt_longest longest;	/* of all that finished */
	struct taskrt_longest present;
};

static int copy(const struct taskrt_self *self, uint32_t state, struct intervals *to)
{
	const struct taskrt_page *page = self->page;
	uint64_t counts, since, now = taskrt_page_now(self);

	TASKRT_PAGE_TRY(page, counts) {
		taskrt_page_copy(&to->finished, &page->intervals[state], sizeof(to->finished));
		taskrt_page_copy(&to->longest, &page->longest[state], sizeof(to->longest));
		to->present = (struct taskrt_longest){ 0 };
		since = TASKRT_PAGE_GET(page->since_ns);
		if (TASKRT_PAGE_GET(page->state) == state &&
		    TASKRT_PAGE_GET(page->status) == TASKRT_PAGE_LIVE)
			to->present = (struct taskrt_longest){
				.ns = taskrt_page_elapsed(since, now),
				.at_ns = since,
			};
		if (taskrt_page_unchanged(page, counts))
			return 0;
	}
	return -EAGAIN;
}

/* The longest inside the window, and the longest that began after it. */
struct found {
	struct taskrt_longest inside;
	uint64_t later_ns;
};

static void look_at(const struct taskrt_window *w, const struct taskrt_longest *interval,
		    struct found *found)
{
	uint64_t begin = interval->at_ns, end = begin + interval->ns;

	if (begin >= w->end.at_ns) {
		if (interval->ns > found->later_ns)
			found->later_ns = interval->ns;
		return;
	}
	if (begin < w->begin.at_ns)
		begin = w->begin.at_ns;
	if (end > w->end.at_ns)
		end = w->end.at_ns;
	if (end > begin && end - begin > found->inside.ns)
		found->inside = (struct taskrt_longest){ .ns = end - begin, .at_ns = begin };
}

/*
 * A later one that is longer takes the place of those before, and the oldest is
 * dropped when there is no room: then only the longest of all is known.
 */
static bool find(const struct taskrt_window *w, uint32_t state, struct found *found)
{
	struct intervals of;
	uint32_t i;

	memset(found, 0, sizeof(*found));
	if (copy(w->self, state, &of))
		return false;
	for (i = 0; i < of.finished.nr_peaks && i < TASKRT_NR_PEAKS; i++)
		look_at(w, &of.finished.peaks[i], found);
	look_at(w, &of.present, found);
	look_at(w, &of.longest, found);
	return found->inside.ns >= found->later_ns &&
	       (of.finished.dropped_ns <= w->begin.at_ns ||
		of.longest.at_ns == found->inside.at_ns);
}

static void set_longest(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	uint32_t state;
	struct found found;

	e->timer = TASKRT_NO_TIMER;
	if (!e->shares[0].ns || !w->self->page)
		return;
	for (state = 0; state < TASKRT_NR_STATES; state++) {
		if (state_causes_names[state] != e->shares[0].cause || !w->spent.states_ns[state])
			continue;
		if (!find(w, state, &found)) {
			e->timer = TASKRT_NO_TIMER;
			e->longest = (struct taskrt_longest){ 0 };
			return;
		}
		if (found.inside.ns > e->longest.ns) {
			e->timer = state;
			e->longest = found.inside;
		}
	}
}

int taskrt_explain(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	uint64_t ns[TASKRT_NR_CAUSES];

	if (!w->ended)
		return -EINVAL;
	memset(e, 0, sizeof(*e));
	e->at_ns = w->begin.at_ns;
	e->elapsed_ns = w->elapsed_ns;
	e->lock = longest_lock(&w->spent);
	set_causes(w, ns);
	rank(e, ns);
	set_longest(w, e);
	return 0;
}

static void put_share(struct taskrt_line *line, const struct taskrt_explanation *e, uint32_t i)
{
	const struct taskrt_share *share = &e->shares[i];

	taskrt_line_text(line, taskrt_cause_name(share->cause));
	taskrt_line_text(line, " ");
	taskrt_line_ms(line, share->ns);
	taskrt_line_text(line, " ms (");
	taskrt_line_percent(line, share->ns, e->elapsed_ns);
	if (share->cause == TASKRT_CAUSE_LOCK && e->lock < TASKRT_NR_LOCKS) {
		taskrt_line_text(line, ", ");
		taskrt_line_text(line, taskrt_lock_name(e->lock));
	}
	if (!i && e->timer < TASKRT_NR_STATES) {
		taskrt_line_text(line, ", longest ");
		taskrt_line_ms(line, e->longest.ns);
		taskrt_line_text(line, " ms from ");
		taskrt_line_seconds(line, e->longest.at_ns);
	}
	taskrt_line_text(line, ")");
}

static void put_verdict(struct taskrt_line *line, uint64_t elapsed_ns, uint64_t deadline_ns)
{
	bool late = deadline_ns && elapsed_ns > deadline_ns;

	if (deadline_ns)
		taskrt_line_text(line, late ? "late by " : "in time, ");
	taskrt_line_ms(line, late ? elapsed_ns - deadline_ns : elapsed_ns);
	taskrt_line_text(line, " ms");
	if (deadline_ns) {
		taskrt_line_text(line, " of ");
		taskrt_line_ms(line, deadline_ns);
	}
}

int taskrt_explain_line(const struct taskrt_explanation *e, uint64_t deadline_ns,
			char *text, size_t size)
{
	struct taskrt_line line;
	uint32_t i;

	taskrt_line_init(&line, text, size);
	put_verdict(&line, e->elapsed_ns, deadline_ns);
	for (i = 0; i < e->nr && i < TASKRT_NR_CAUSES; i++) {
		taskrt_line_text(&line, i ? ", " : ": ");
		put_share(&line, e, i);
	}
	return taskrt_line_end(&line);
}
