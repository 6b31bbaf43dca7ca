/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page in ordinary memory, written as the module writes it: between two
 * increments of a count.  And a clock that says what a test wants.
 */
#ifndef TASKRT_FAKE_PAGE_H
#define TASKRT_FAKE_PAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taskrt.h"
#include "self.h"

#define PAGE_SET(member, value)	__atomic_store_n(&(member), value, __ATOMIC_RELAXED)
#define PAGE_ADD(member, value)	PAGE_SET(member, (member) + (value))

/* count: 0 the scheduler's, 1 the thread's own. */
static inline void page_begin(struct taskrt_page *page, int count)
{
	PAGE_SET(page->changes[count], page->changes[count] + 1);
	/* odd before the first change, and before the writer reads its clock */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void page_end(struct taskrt_page *page, int count)
{
	__atomic_store_n(&page->changes[count], page->changes[count] + 1, __ATOMIC_RELEASE);
}

static inline struct taskrt_page *page_new(uint64_t tracked_since_ns)
{
	struct taskrt_page *page = aligned_alloc(64, (sizeof(*page) + 63) / 64 * 64);

	memset(page, 0, sizeof(*page));
	page->version = TASKRT_PAGE_VERSION;
	page->size = sizeof(*page);
	page->valid = 0xffff;
	page->tracked_since_ns = tracked_since_ns;
	page->mapped_since_ns = tracked_since_ns;
	page->since_ns = tracked_since_ns;
	page->start_time_ns = 5;
	page->tid = 11;
	page->tgid = 10;
	return page;
}

/* One interval more of a timer: its count, and the chain of the longest. */
static inline void page_interval(struct taskrt_page *page, unsigned int timer, uint64_t at,
				 uint64_t ns)
{
	struct taskrt_intervals *of = &page->intervals[timer];
	uint32_t n = of->nr_peaks;

	PAGE_ADD(of->counts[ns ? 63 - __builtin_clzll(ns) : 0], 1);
	if (ns > page->longest[timer].ns) {
		PAGE_SET(page->longest[timer].ns, ns);
		PAGE_SET(page->longest[timer].at_ns, at);
	}
	while (n && of->peaks[n - 1].ns <= ns)
		n--;
	if (n == TASKRT_NR_PEAKS) {
		PAGE_SET(of->dropped_ns, of->peaks[0].at_ns + of->peaks[0].ns);
		for (n = 1; n < TASKRT_NR_PEAKS; n++) {
			PAGE_SET(of->peaks[n - 1].ns, of->peaks[n].ns);
			PAGE_SET(of->peaks[n - 1].at_ns, of->peaks[n].at_ns);
		}
		n--;
	}
	PAGE_SET(of->peaks[n].ns, ns);
	PAGE_SET(of->peaks[n].at_ns, at);
	PAGE_SET(of->nr_peaks, n + 1);
}

/* The thread enters a state. */
static inline void page_enter(struct taskrt_page *page, uint32_t state, uint64_t now)
{
	uint64_t ns = now - page->since_ns;

	PAGE_ADD(page->totals.states_ns[page->state], ns);
	page_interval(page, page->state, page->since_ns, ns);
	PAGE_SET(page->state, state);
	PAGE_SET(page->since_ns, now);
}

static inline void page_switch(struct taskrt_page *page, uint32_t state, uint64_t now)
{
	page_begin(page, 0);
	page_enter(page, state, now);
	page_end(page, 0);
}

extern uint64_t fake_now;	/* what the clock says */

static inline int fake_clock(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = fake_now / 1000000000;
	now->tv_nsec = fake_now % 1000000000;
	return 0;
}

/* The calling thread, of this page and that clock. */
static inline struct taskrt_self *fake_self(const struct taskrt_page *page)
{
	struct taskrt_self *self = taskrt_self_new();

	if (!self || taskrt_self_attach(self, page))
		abort();
	self->clock = fake_clock;
	return self;
}

static inline uint64_t sum_of_states(const struct taskrt_totals *totals)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		sum += totals->states_ns[i];
	return sum;
}

#endif /* TASKRT_FAKE_PAGE_H */
