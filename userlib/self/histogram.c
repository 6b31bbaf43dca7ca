// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The single intervals since the last read of a histogram.  The page counts intervals
 * from its mapping on.  The histogram remembers these counts, and when the newest
 * interval that it has seen ended, and takes the difference at the next read.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "memory.h"
#include "self/page.h"
#include "sized.h"

/* The data of one state or timer. */
struct slot {
	const void *intervals;			/* on the page */
	uint32_t bytes;				/* of these, that are known */
	uint64_t seen_ns;			/* the end of the newest interval seen */
	uint32_t buckets[TASKRT_BUCKETS];	/* the counts at the last read */
	struct taskrt_intervals copy;
	struct taskrt_distribution since;	/* the result of the last read */
};

#define NO_SLOT		0xff

struct taskrt_histogram {
	struct taskrt_self *self;		/* NULL: in a child after fork(2) */
	uint64_t at_ns;				/* the last read; 0: there was none */
	uint8_t states[TASKRT_STATES_ROOM];	/* slot numbers, or NO_SLOT */
	uint8_t timers[TASKRT_TIMERS_ROOM];
	uint32_t nr;
	struct slot slots[];
};

_Static_assert(TASKRT_STATES_ROOM + TASKRT_TIMERS_ROOM <= NO_SLOT, "slots have no number");

/* What is in progress, of the same instant as the copied intervals. */
struct present {
	uint32_t flags;
	uint32_t state;				/* has a time unless it is EXITED */
	uint32_t in_progress;
	uint64_t now_ns;
	uint64_t since_ns;
	uint64_t timers_since_ns[TASKRT_TIMERS_ROOM];
};

static void set_present(const struct taskrt_self *self, uint64_t now, struct present *present)
{
	const struct taskrt_page *page = self->page;
	uint64_t since = TASKRT_PAGE_GET(page->since_ns);
	uint32_t in_progress = 0;

	present->state = TASKRT_PAGE_GET(page->state);
	present->since_ns = since;
	present->flags = TASKRT_FINAL;
	present->now_ns = since;
	if (taskrt_page_lives(present->state)) {
		present->flags = 0;
		if (now > since)
			present->now_ns = now;
		in_progress = TASKRT_PAGE_GET(page->in_progress);
	}
	present->in_progress = taskrt_page_timers(self, in_progress, present->timers_since_ns);
}

static int histogram_copy(struct taskrt_histogram *h, struct present *present)
{
	const struct taskrt_page *page = h->self->page;
	uint64_t counts, now = taskrt_page_now(h->self);
	uint32_t i;

	TASKRT_PAGE_TRY(page, counts) {
		for (i = 0; i < h->nr; i++)
			taskrt_page_copy(&h->slots[i].copy, h->slots[i].intervals,
					 h->slots[i].bytes);
		set_present(h->self, now, present);
		if (taskrt_page_unchanged(page, counts))
			return 0;
	}
	return -EAGAIN;
}

static uint64_t end_of(const struct taskrt_longest *interval)
{
	return interval->at_ns + interval->ns;
}

static uint32_t nr_peaks(const struct taskrt_intervals *of)
{
	return of->nr_peaks < TASKRT_PEAKS ? of->nr_peaks : TASKRT_PEAKS;
}

/*
 * Peaks are in the order of their ends, and each is shorter than the one before.  So the
 * first one that ended after the last read is the longest of all that did.  If a peak
 * was dropped since, it may have been longer; but then the longest of all is known if it
 * ended since.
 */
static void histogram_set_longest(struct slot *slot, uint64_t from_ns)
{
	const struct taskrt_intervals *of = &slot->copy;
	struct taskrt_distribution *since = &slot->since;
	uint32_t i;

	since->exact = of->dropped_ns <= slot->seen_ns;
	if (!since->exact && end_of(&of->longest) > slot->seen_ns &&
	    end_of(&of->longest) > from_ns) {
		since->longest = of->longest;
		since->exact = 1;
		return;
	}
	for (i = 0; i < nr_peaks(of); i++)
		if (end_of(&of->peaks[i]) > slot->seen_ns) {
			since->longest = of->peaks[i];
			return;
		}
}

/* The counts may wrap around, which their differences are not affected by. */
static void set_slot(struct slot *slot, uint64_t from_ns)
{
	const struct taskrt_intervals *of = &slot->copy;
	unsigned int i;

	memset(&slot->since, 0, sizeof(slot->since));
	for (i = 0; i < TASKRT_BUCKETS; i++)
		slot->since.counts[i] = of->buckets[i] - slot->buckets[i];
	histogram_set_longest(slot, from_ns);
	memcpy(slot->buckets, of->buckets, sizeof(slot->buckets));
	if (nr_peaks(of))
		slot->seen_ns = end_of(&of->peaks[nr_peaks(of) - 1]);
}

static void set_in_progress(struct taskrt_histogram *h, uint8_t slot, uint64_t since, uint64_t now)
{
	struct taskrt_distribution *distribution;
	uint64_t ns = taskrt_page_elapsed(since, now);

	if (slot == NO_SLOT)
		return;
	distribution = &h->slots[slot].since;
	if (!ns || ns < distribution->longest.ns)
		return;
	distribution->longest = (struct taskrt_longest){ .ns = ns, .at_ns = since };
	distribution->in_progress = 1;
}

/* Set the results from the copy: what happened since the last read. */
static void histogram_update(struct taskrt_histogram *h, const struct present *present,
			     uint64_t from_ns)
{
	uint32_t i;

	for (i = 0; i < h->nr; i++)
		set_slot(&h->slots[i], from_ns);
	if (taskrt_page_lives(present->state))
		set_in_progress(h, h->states[present->state], present->since_ns, present->now_ns);
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		if (present->in_progress >> i & 1)
			set_in_progress(h, h->timers[i], present->timers_since_ns[i],
					present->now_ns);
	h->at_ns = present->now_ns;
}

int taskrt_histogram_read(struct taskrt_histogram *h, struct taskrt_histogram_span *span,
			  size_t size)
{
	struct taskrt_histogram_span full = { 0 };
	struct present present;

	if (!h || (span && size < TASKRT_SPAN_MIN))
		return -EINVAL;
	if (!h->self)
		return -ECHILD;
	if (histogram_copy(h, &present))
		return -EAGAIN;
	full.from_ns = h->at_ns ? h->at_ns : h->self->page->mapped_since_ns;
	full.to_ns = present.now_ns;
	full.flags = present.flags;
	histogram_update(h, &present, full.from_ns);
	if (span)
		taskrt_sized_out(span, size, &full, sizeof(full));
	return 0;
}

static int histogram_check(const struct taskrt_histogram *h,
			   const struct taskrt_distribution *distribution, size_t size)
{
	if (!h || !distribution || !size)
		return -EINVAL;
	return h->self ? 0 : -ECHILD;
}

static int histogram_get(const struct taskrt_histogram *h, uint8_t slot,
			 struct taskrt_distribution *distribution, size_t size)
{
	if (slot == NO_SLOT)
		return -ENODATA;
	taskrt_sized_out(distribution, size, &h->slots[slot].since, sizeof(h->slots[0].since));
	return 0;
}

int taskrt_histogram_state(const struct taskrt_histogram *h, unsigned int state,
			   struct taskrt_distribution *distribution, size_t size)
{
	int err = histogram_check(h, distribution, size);

	if (err)
		return err;
	return histogram_get(h, state < TASKRT_STATES_ROOM ? h->states[state] : NO_SLOT,
			     distribution, size);
}

int taskrt_histogram_timer(const struct taskrt_histogram *h, unsigned int timer,
			   struct taskrt_distribution *distribution, size_t size)
{
	int err = histogram_check(h, distribution, size);

	if (err)
		return err;
	if (timer >= TASKRT_TIMERS_ROOM || !taskrt_measures(taskrt_page_measured(h->self), timer))
		return -ENODATA;
	return histogram_get(h, h->timers[timer], distribution, size);
}

/*
 * Assign a slot to each element that is on the page and is measured, or may be later.  If
 * @h is NULL, only count them.
 */
static uint32_t give_slots(struct taskrt_histogram *h, uint8_t *slots, uint32_t nr,
			   const struct taskrt_self_array *array, uint32_t measured)
{
	uint32_t n;

	for (n = 0; n < array->nr; n++) {
		if (!taskrt_measures(measured, n))
			continue;
		if (h) {
			h->slots[nr].intervals = taskrt_page_element(array, n);
			h->slots[nr].bytes = array->bytes;
			slots[n] = nr;
		}
		nr++;
	}
	return nr;
}

static uint32_t set_slots(struct taskrt_histogram *h, const struct taskrt_self *self)
{
	uint32_t nr;

	nr = give_slots(h, h ? h->states : NULL, 0, &self->state_intervals,
			self->measured.states);
	return give_slots(h, h ? h->timers : NULL, nr, &self->timer_intervals,
			  self->measured.timers | TASKRT_TIMERS_FROM_0);
}

static void histogram_init(struct taskrt_histogram *h, struct taskrt_self *self, size_t length)
{
	memset(h, 0, length);
	h->self = self;
	memset(h->states, NO_SLOT, sizeof(h->states));
	memset(h->timers, NO_SLOT, sizeof(h->timers));
	h->nr = set_slots(h, self);
}

/* Call all functions once, as taskrt_self_open() does, so that no page fault happens later. */
static void histogram_touch(struct taskrt_histogram *h)
{
	struct taskrt_distribution distribution;
	struct taskrt_histogram_span span;
	struct present present = { .state = TASKRT_STATE_EXITED };

	taskrt_histogram_read(h, &span, sizeof(span));
	taskrt_histogram_state(h, TASKRT_STATE_RUNNING, &distribution, sizeof(distribution));
	taskrt_histogram_timer(h, TASKRT_TIMER_FAULT, &distribution, sizeof(distribution));
	/*
	 * The read fails if another thread's counters are changed too often.  Call this
	 * code then, too.
	 */
	histogram_copy(h, &present);
	histogram_update(h, &present, 0);
}

int taskrt_histogram_open(struct taskrt_histogram **histogram, struct taskrt_self *self)
{
	struct taskrt_histogram *h;
	size_t length;

	if (!histogram)
		return -EINVAL;
	*histogram = NULL;
	if (!self)
		return -EINVAL;
	if (!self->page)
		return self->mine ? -EOPNOTSUPP : -ECHILD;
	length = sizeof(*h) + set_slots(NULL, self) * sizeof(h->slots[0]);
	h = taskrt_memory_new(length);
	if (!h)
		return -ENOMEM;
	histogram_init(h, self, length);
	histogram_touch(h);
	histogram_init(h, self, length);
	*histogram = h;
	return 0;
}

void taskrt_histogram_close(struct taskrt_histogram *histogram)
{
	taskrt_memory_free(histogram);
}
