/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page in ordinary memory, written as the module writes it, between two increments of a
 * count; and a clock that returns what the test wants.
 */
#ifndef TASKRT_FAKE_PAGE_H
#define TASKRT_FAKE_PAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taskrt.h"
#include "self/handle.h"
#include "self/mapping.h"

#define PAGE_SET(member, value)	__atomic_store_n(&(member), value, __ATOMIC_RELAXED)
#define PAGE_ADD(member, value)	PAGE_SET(member, (member) + (value))

/* How many there are today, on the page as well. */
#define STATES	KNOWN_STATES
#define TIMERS	(32 - __builtin_clz(MEASURED_TIMERS))
#define LOCKS	5

/* The stalls for memory are not measured on a page. */
#define MEASURED_TIMERS	(1u << TASKRT_TIMER_FAULT | 1u << TASKRT_TIMER_LOCK | \
			 1u << TASKRT_TIMER_HARDIRQ | 1u << TASKRT_TIMER_SOFTIRQ | \
			 1u << TASKRT_TIMER_STEAL | 1u << TASKRT_TIMER_EXPIRY | \
			 1u << TASKRT_TIMER_RECLAIM_CPU | 1u << TASKRT_TIMER_FAULT_CPU)

/* The sizes of what is on a page; those of a later module may be larger. */
struct page_shape {
	uint32_t size;		/* of the fixed part */
	uint32_t more;		/* bytes of each element, and */
	uint32_t nr_more;	/* elements of each array, that are unknown here */
	uint32_t nr_states;
	uint32_t nr_timers;
};

static const struct page_shape page_now = {
	.size = TASKRT_PAGE_SIZE, .nr_states = STATES, .nr_timers = TIMERS,
};

static const struct page_shape page_next = {
	.size = TASKRT_PAGE_SIZE + 192, .more = 64, .nr_more = 3,
	.nr_states = TASKRT_STATES_ROOM, .nr_timers = TASKRT_TIMERS_ROOM,
};

/* Fills what is unknown, so that reading it shows. */
#define UNKNOWN		0xa5

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

static inline void *page_at(struct taskrt_page *page, const struct taskrt_page_array *array,
			    unsigned int n)
{
	return (char *)page + array->offset + n * array->stride;
}

static inline struct taskrt_intervals *page_state(struct taskrt_page *page, unsigned int state)
{
	return page_at(page, &page->state_intervals, state);
}

static inline struct taskrt_intervals *page_timer(struct taskrt_page *page, unsigned int timer)
{
	return page_at(page, &page->timer_intervals, timer);
}

static inline struct taskrt_counts *page_counts(struct taskrt_page *page)
{
	return page_at(page, &page->counts, 0);
}

static inline uint64_t *page_held(struct taskrt_page *page, unsigned int state)
{
	return page_at(page, &page->held_states, state);
}

static inline struct taskrt_waker *page_waker(struct taskrt_page *page)
{
	return page_at(page, &page->waker, 0);
}

static inline uint64_t *page_since(struct taskrt_page *page, unsigned int timer)
{
	return page_at(page, &page->timers_since, timer);
}

/* Adds the next array: nr known elements of bytes bytes each, and what the shape adds. */
static inline void page_array(struct taskrt_page_array *array, const struct page_shape *shape,
			      uint32_t bytes, uint32_t nr, uint32_t *end)
{
	*array = (struct taskrt_page_array){
		.offset = *end, .stride = bytes + shape->more, .nr = nr + shape->nr_more,
	};
	*end += array->nr * array->stride;
}

static inline void page_clear(struct taskrt_page *page, const struct taskrt_page_array *array,
			      uint32_t bytes, uint32_t nr)
{
	while (nr--)
		memset(page_at(page, array, nr), 0, bytes);
}

static inline void page_arrays(struct taskrt_page *page, const struct page_shape *shape)
{
	uint32_t end = shape->size;

	page_array(&page->timers_since, shape, 8, shape->nr_timers, &end);
	page_array(&page->counts, shape, sizeof(struct taskrt_counts), 1, &end);
	page_array(&page->state_intervals, shape, sizeof(struct taskrt_intervals),
		   shape->nr_states, &end);
	page_array(&page->timer_intervals, shape, sizeof(struct taskrt_intervals),
		   shape->nr_timers, &end);
	page_array(&page->held_states, shape, 8, shape->nr_states, &end);
	page_array(&page->waker, shape, sizeof(struct taskrt_waker), 1, &end);
	page->map_size = (end + 63) / 64 * 64;
}

static inline void page_set(struct taskrt_page *page, uint64_t tracked_since_ns)
{
	page->measured = (struct taskrt_measured){
		.states = (1u << STATES) - 1, .timers = MEASURED_TIMERS,
		.locks = (1u << LOCKS) - 1, .values = 0x7f,
	};
	page->version = TASKRT_PAGE_VERSION;
	page->tracked_since_ns = tracked_since_ns;
	page->mapped_since_ns = tracked_since_ns;
	page->since_ns = tracked_since_ns;
	page->start_time_ns = 5;
	page->tid = 11;
	page->tgid = 10;
}

static inline struct taskrt_page *page_new_of(const struct page_shape *shape,
					      uint64_t tracked_since_ns)
{
	struct taskrt_page fixed = { .size = shape->size }, *page;

	page_arrays(&fixed, shape);
	page_set(&fixed, tracked_since_ns);
	page = aligned_alloc(64, fixed.map_size);
	memset(page, UNKNOWN, fixed.map_size);
	memcpy(page, &fixed, sizeof(fixed));
	page_clear(page, &page->timers_since, 8, shape->nr_timers);
	page_clear(page, &page->counts, sizeof(struct taskrt_counts), 1);
	page_clear(page, &page->state_intervals, sizeof(struct taskrt_intervals), shape->nr_states);
	page_clear(page, &page->timer_intervals, sizeof(struct taskrt_intervals), shape->nr_timers);
	page_clear(page, &page->held_states, 8, shape->nr_states);
	page_clear(page, &page->waker, sizeof(struct taskrt_waker), 1);
	return page;
}

static inline struct taskrt_page *page_new(uint64_t tracked_since_ns)
{
	return page_new_of(&page_now, tracked_since_ns);
}

/* One interval more: its count, and the chain of the longest. */
static inline void page_interval(struct taskrt_intervals *of, uint64_t at, uint64_t ns)
{
	uint32_t n = of->nr_peaks;

	PAGE_ADD(of->buckets[ns ? 63 - __builtin_clzll(ns) : 0], 1);
	if (ns > of->longest.ns) {
		PAGE_SET(of->longest.ns, ns);
		PAGE_SET(of->longest.at_ns, at);
	}
	while (n && of->peaks[n - 1].ns <= ns)
		n--;
	if (n == TASKRT_PEAKS) {
		PAGE_SET(of->dropped_ns, of->peaks[0].at_ns + of->peaks[0].ns);
		for (n = 1; n < TASKRT_PEAKS; n++) {
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

	PAGE_ADD(page->times.states_ns[page->state], ns);
	PAGE_ADD(page_counts(page)->states[page->state], 1);
	page_interval(page_state(page, page->state), page->since_ns, ns);
	PAGE_SET(page->state, state);
	PAGE_SET(page->since_ns, now);
}

static inline void page_switch(struct taskrt_page *page, uint32_t state, uint64_t now)
{
	page_begin(page, 0);
	page_enter(page, state, now);
	page_end(page, 0);
}

/* Nothing moves any more. */
static inline void page_final(struct taskrt_page *page, uint32_t status, uint64_t now)
{
	page_begin(page, 0);
	page_enter(page, TASKRT_STATE_EXITED, now);
	PAGE_SET(page->status, status);
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

/* A handle of the calling thread, with this page and that clock. */
static inline struct taskrt_self *fake_self(const struct taskrt_page *page)
{
	struct taskrt_self *self = taskrt_self_new();

	if (!self || taskrt_mapping_attach(self, page))
		abort();
	self->clock = fake_clock;
	return self;
}

/* Sums all states that there is room for. */
static inline uint64_t sum_of_states(const struct taskrt_times *times)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		sum += times->states_ns[i];
	return sum;
}

#endif /* TASKRT_FAKE_PAGE_H */
