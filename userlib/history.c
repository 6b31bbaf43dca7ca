// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The single intervals since a reader's last look.  The page counts from its
 * mapping on; the look remembers what it counted then, and when the newest
 * interval ended that it had seen.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "page.h"

/* Of the same instant as the copied intervals: what is in progress, and the longest of all. */
struct present {
	uint32_t status;
	uint64_t now_ns;
	uint64_t since_ns[TASKRT_NR_TIMERS];	/* 0: none */
	struct taskrt_longest longest[TASKRT_NR_TIMERS];
};

static void set_present(const struct taskrt_page *page, uint64_t now, struct present *present)
{
	uint64_t since = TASKRT_PAGE_GET(page->since_ns);
	uint32_t state = TASKRT_PAGE_GET(page->state), in = TASKRT_PAGE_GET(page->in_progress);
	bool live;

	present->status = TASKRT_PAGE_GET(page->status);
	live = present->status == TASKRT_PAGE_LIVE && state < TASKRT_NR_STATES;
	memset(present->since_ns, 0, sizeof(present->since_ns));
	taskrt_page_copy(present->longest, page->longest, sizeof(present->longest));
	present->now_ns = live && now > since ? now : since;
	if (!live)
		return;
	present->since_ns[state] = since;
	if (in & TASKRT_IN_FAULT)
		present->since_ns[TASKRT_TIMER_FAULT] = TASKRT_PAGE_GET(page->fault_since_ns);
	if (in & TASKRT_IN_LOCK)
		present->since_ns[TASKRT_TIMER_LOCK] = TASKRT_PAGE_GET(page->lock_since_ns);
}

static int copy(const struct taskrt_self *self, struct taskrt_look *look, struct present *present)
{
	const struct taskrt_page *page = self->page;
	uint64_t counts, now = taskrt_page_now(self);

	TASKRT_PAGE_TRY(page, counts) {
		taskrt_page_copy(look->copy, page->intervals, sizeof(look->copy));
		set_present(page, now, present);
		if (taskrt_page_unchanged(page, counts))
			return present->status == TASKRT_PAGE_LIVE ? 0 : TASKRT_SELF_STOPPED;
	}
	return -EAGAIN;
}

static uint64_t end_of(const struct taskrt_longest *interval)
{
	return interval->at_ns + interval->ns;
}

/*
 * The first that ended after the last look is the longest of those that did.  Where
 * one was dropped since, it may have been longer; but if the longest of all
 * ended since, then it is that one.
 */
static void set_longest(struct taskrt_timer_history *timer, const struct taskrt_intervals *of,
			const struct taskrt_longest *of_all, uint64_t seen_ns, uint64_t from_ns)
{
	uint32_t i;

	timer->exact = of->dropped_ns <= seen_ns;
	if (!timer->exact && end_of(of_all) > seen_ns && end_of(of_all) > from_ns) {
		timer->longest = *of_all;
		timer->exact = 1;
		return;
	}
	for (i = 0; i < of->nr_peaks && i < TASKRT_NR_PEAKS; i++)
		if (end_of(&of->peaks[i]) > seen_ns) {
			timer->longest = of->peaks[i];
			return;
		}
}

static void set_in_progress(struct taskrt_timer_history *timer, uint64_t since, uint64_t now)
{
	uint64_t ns = taskrt_page_elapsed(since, now);

	if (!since || ns < timer->longest.ns || !ns)
		return;
	timer->longest.ns = ns;
	timer->longest.at_ns = since;
	timer->in_progress = 1;
}

/* Counts may wrap around; their differences do not mind. */
static void set_timer(struct taskrt_timer_history *timer, struct taskrt_look *look, unsigned int n,
		      const struct present *present, uint64_t from_ns)
{
	const struct taskrt_intervals *of = &look->copy[n];
	uint32_t last = of->nr_peaks < TASKRT_NR_PEAKS ? of->nr_peaks : TASKRT_NR_PEAKS;
	unsigned int i;

	for (i = 0; i < TASKRT_NR_BUCKETS; i++)
		timer->counts[i] = of->counts[i] - look->counts[n][i];
	set_longest(timer, of, &present->longest[n], look->seen_ns[n], from_ns);
	set_in_progress(timer, present->since_ns[n], present->now_ns);
	memcpy(look->counts[n], of->counts, sizeof(look->counts[n]));
	if (last)
		look->seen_ns[n] = end_of(&of->peaks[last - 1]);
}

int taskrt_history(const struct taskrt_self *self, struct taskrt_look *look,
		   struct taskrt_history *since)
{
	struct present present;
	unsigned int n;
	int status;

	if (!self)
		return -EINVAL;
	if (!self->page)
		return self->mine ? -EOPNOTSUPP : -ECHILD;
	status = copy(self, look, &present);
	if (status < 0)
		return status;
	memset(since, 0, sizeof(*since));
	since->from_ns = look->at_ns ? look->at_ns : self->page->mapped_since_ns;
	since->to_ns = present.now_ns;
	for (n = 0; n < TASKRT_NR_TIMERS; n++)
		set_timer(&since->timers[n], look, n, &present, since->from_ns);
	look->at_ns = present.now_ns;
	return status;
}
