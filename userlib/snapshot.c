// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's counters at one instant, copied from its page.
 *
 * The first function here is the one that every real-time thread calls all the
 * time, so its instructions are counted: see tests/bench.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "ask.h"
#include "page.h"

/*
 * A clock may stand still for a moment, and be asked twice in it: each read of the
 * thread itself is later than the one before, by a nanosecond then.
 */
TASKRT_INLINE uint64_t later(const struct taskrt_self *self, uint64_t at)
{
	return taskrt_unlikely(at <= self->last_ns) ? self->last_ns + 1 : at;
}

/* Of the handle only this changes, and only by its opener. */
TASKRT_INLINE void remember(const struct taskrt_self *self, uint64_t at)
{
	((struct taskrt_self *)self)->last_ns = at;
}

/*
 * All that is seldom: another thread reads, the page is being changed, the end of all.
 * And what is no page at all: netlink, or a child after fork(2).
 */
static __attribute__((noinline, cold)) int read_seldom(const struct taskrt_self *self,
							struct taskrt_snapshot *now)
{
	const bool own = taskrt_this_thread() == self->opener;
	const struct taskrt_page *page = self->page;
	uint64_t counts, at;
	int status;

	if (!page)
		return taskrt_ask_snapshot(self, now);
	at = taskrt_page_now(self);
	if (own)
		at = later(self, at);
	TASKRT_PAGE_TRY(page, counts) {
		status = taskrt_page_snapshot(self, page, at, now);
		if (!taskrt_page_unchanged(page, counts))
			continue;
		if (own && !status)
			remember(self, now->at_ns);
		return status;
	}
	return -EAGAIN;
}

/*
 * The first try of a thread that reads itself: it runs, in no fault and waiting for no
 * lock.  Straight on; what is needed after the call is kept on the stack, which
 * takes less than saving registers for it.
 */
TASKRT_INLINE int read_own(const struct taskrt_self *self, struct taskrt_snapshot *now,
			   unsigned int width)
{
	const struct taskrt_self *volatile kept_self = self;
	struct taskrt_snapshot *volatile kept_now = now;
	const struct taskrt_page *page;
	uint64_t counts, at, since;

	self->clock(CLOCK_MONOTONIC, (struct timespec *)now);
	self = kept_self;
	now = kept_now;
	at = taskrt_page_ns((struct timespec *)now) - self->behind_ns[true];
	page = self->page;
	counts = taskrt_page_counts(page);
	since = TASKRT_PAGE_GET(page->since_ns);
	if (taskrt_unlikely((counts & TASKRT_PAGE_CHANGING) | taskrt_page_state(page) |
			    TASKRT_PAGE_GET(page->status)))
		return read_seldom(self, now);
	if (at < since)
		at = since;
	at = later(self, at);
	remember(self, at);
	taskrt_page_copy_by(width, &now->totals, &page->totals, sizeof(now->totals));
	now->totals.states_ns[TASKRT_STATE_RUNNING] += at - since;
	now->at_ns = at;
	now->valid = self->valid;
	if (taskrt_unlikely(!taskrt_page_unchanged(page, counts)))
		return read_seldom(self, now);
	return 0;
}

static int read_own_plain(const struct taskrt_self *self, struct taskrt_snapshot *now)
{
	return read_own(self, now, 16);
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) int read_own_wide(const struct taskrt_self *self,
								 struct taskrt_snapshot *now)
{
	return read_own(self, now, 32);
}
#endif

taskrt_read_fn taskrt_read_own(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return read_own_wide;
#endif
	return read_own_plain;
}

int taskrt_self_read(const struct taskrt_self *self, struct taskrt_snapshot *now)
{
	if (taskrt_unlikely(taskrt_this_thread() != self->opener))
		return read_seldom(self, now);
	return self->read_own(self, now);
}

_Static_assert(!TASKRT_STATE_RUNNING && !TASKRT_PAGE_LIVE, "what is usual is 0");

/* What the page has beside the totals, at the same instant. */
struct beside {
	struct taskrt_longest longest[TASKRT_NR_TIMERS];
	uint32_t state;
	uint32_t in_progress;
	uint64_t since_ns;
	uint64_t fault_since_ns;
	uint64_t lock_since_ns;
};

static void copy_beside(const struct taskrt_page *page, struct beside *beside)
{
	taskrt_page_copy(beside->longest, page->longest, sizeof(beside->longest));
	beside->state = TASKRT_PAGE_GET(page->state);
	beside->in_progress = TASKRT_PAGE_GET(page->in_progress);
	beside->since_ns = TASKRT_PAGE_GET(page->since_ns);
	beside->fault_since_ns = TASKRT_PAGE_GET(page->fault_since_ns);
	beside->lock_since_ns = TASKRT_PAGE_GET(page->lock_since_ns);
}

static int read_all(const struct taskrt_self *self, struct taskrt_snapshot *now,
		    struct beside *beside)
{
	const struct taskrt_page *page = self->page;
	uint64_t counts, at = taskrt_page_now(self);
	int status;

	TASKRT_PAGE_TRY(page, counts) {
		copy_beside(page, beside);
		status = taskrt_page_snapshot(self, page, at, now);
		if (taskrt_page_unchanged(page, counts))
			return status;
	}
	return -EAGAIN;
}

static void extend(struct taskrt_longest *longest, uint64_t since, uint64_t now)
{
	uint64_t ns = taskrt_page_elapsed(since, now);

	if (ns > longest->ns)
		*longest = (struct taskrt_longest){ .ns = ns, .at_ns = since };
}

static void set_longest(struct taskrt_stats *stats, struct beside *beside, uint64_t now)
{
	if (beside->state < TASKRT_NR_STATES)
		extend(&beside->longest[beside->state], beside->since_ns, now);
	if (beside->in_progress & TASKRT_IN_FAULT)
		extend(&beside->longest[TASKRT_TIMER_FAULT], beside->fault_since_ns, now);
	if (beside->in_progress & TASKRT_IN_LOCK)
		extend(&beside->longest[TASKRT_TIMER_LOCK], beside->lock_since_ns, now);
	memcpy(stats->longest_state, beside->longest, sizeof(stats->longest_state));
	stats->longest_fault = beside->longest[TASKRT_TIMER_FAULT];
	stats->longest_lock = beside->longest[TASKRT_TIMER_LOCK];
}

static void set_identity(struct taskrt_stats *stats, const struct taskrt_page *page)
{
	stats->start_time_ns = page->start_time_ns;
	stats->tid = page->tid;
	stats->tgid = page->tgid;
	stats->ppid = page->ppid;
	stats->uid = page->uid;
	stats->gid = page->gid;
	stats->flags = page->flags;
	memcpy(stats->comm, page->comm, sizeof(stats->comm));
}

static void set_totals(struct taskrt_stats *stats, const struct taskrt_page *page,
		       const struct taskrt_snapshot *now)
{
	const struct taskrt_totals *t = &now->totals;

	stats->valid = now->valid;
	stats->sample_time_ns = now->at_ns;
	stats->tracked_since_ns = page->tracked_since_ns;
	stats->tracked_time_ns = taskrt_page_elapsed(page->tracked_since_ns, now->at_ns);
	stats->cpu_time_ns = page->cpu_before_ns + t->states_ns[TASKRT_STATE_RUNNING];
	stats->queue_time_ns = page->queue_before_ns + t->states_ns[TASKRT_STATE_PREEMPTED] +
			       t->states_ns[TASKRT_STATE_WOKEN];
	stats->page_fault_time_ns = t->page_fault_time_ns;
	stats->lock_contention_time_ns = t->lock_contention_time_ns;
	memcpy(stats->states_ns, t->states_ns, sizeof(stats->states_ns));
	stats->voluntary_switches = t->voluntary_switches;
	stats->involuntary_switches = t->involuntary_switches;
	stats->wakeups = t->wakeups;
	stats->minor_faults = t->minor_faults;
	stats->major_faults = t->major_faults;
	stats->minor_fault_time_ns = t->minor_fault_time_ns;
	stats->major_fault_time_ns = t->major_fault_time_ns;
	memcpy(stats->lock_time_ns, t->lock_time_ns, sizeof(stats->lock_time_ns));
	memcpy(stats->lock_count, t->lock_count, sizeof(stats->lock_count));
}

int taskrt_self_stats(const struct taskrt_self *self, struct taskrt_stats *stats, size_t size)
{
	struct taskrt_stats full = { .version = TASKRT_STATS_VERSION, .size = sizeof(full) };
	struct taskrt_snapshot now;
	struct beside beside;
	int status, err;

	if (!self)
		return -EINVAL;
	if (!self->page)
		return taskrt_ask_stats(self, stats, size);
	status = read_all(self, &now, &beside);
	if (status < 0)
		return status;
	full.state = beside.state;
	set_identity(&full, self->page);
	set_totals(&full, self->page, &now);
	if (status == TASKRT_SELF_STOPPED)
		beside.state = TASKRT_NR_STATES;
	set_longest(&full, &beside, now.at_ns);
	if (full.state == TASKRT_STATE_EXITED)
		full.flags |= TASKRT_FLAG_EXITED;
	err = taskrt_decode(&full, sizeof(full), stats, size);
	return err ? err : status;
}
