// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's counters at one instant, copied from its page.
 *
 * Real-time threads call taskrt_self_read() all the time, so its instructions are
 * counted, by tests/bench and tests/next.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "self/page.h"
#include "self/self_netlink.h"
#include "self/snapshot.h"
#include "sized.h"

/*
 * A clock may not advance between two reads.  Each read of the thread itself is later
 * than the last one, by a nanosecond if so.
 */
static uint64_t later(const struct taskrt_self *self, uint64_t at)
{
	return at <= self->last_ns ? self->last_ns + 1 : at;
}

/*
 * All rare cases: another thread reads, the page is being changed, or the thread has
 * ended.  Without a page, this is a read over netlink or in a child after fork(2).
 */
static __attribute__((noinline, cold)) int read_seldom(struct taskrt_self *self,
							struct taskrt_snapshot *now)
{
	const bool own = taskrt_this_thread() == self->opener;
	const struct taskrt_page *page = self->page;
	uint64_t counts, at;

	if (!page)
		return taskrt_self_netlink_read(self, now);
	at = taskrt_page_now(self);
	if (own)
		at = later(self, at);
	TASKRT_PAGE_TRY(page, counts) {
		taskrt_page_snapshot(self, at, now);
		if (!taskrt_page_unchanged(page, counts))
			continue;
		if (own && !now->flags)
			self->last_ns = now->at_ns;
		return 0;
	}
	return -EAGAIN;
}

/*
 * The first try of a thread that reads itself.  It is running, and none of its timers is in
 * progress.  The state alone shows that it has not ended.
 *
 * Two details save some of the 91 instructions that this takes without the clock: the clock writes
 * into the snapshot (3), and the asm adds the time since the last change in memory, where the
 * compiler would extract it from a register of 256 bits (2).
 */
TASKRT_INLINE int read_own(struct taskrt_self *self, struct taskrt_snapshot *now,
			   unsigned int width)
{
	const struct taskrt_page *page;
	uint64_t counts, at, since;

	self->clock(CLOCK_MONOTONIC, (struct timespec *)now);
	at = taskrt_page_ns((struct timespec *)now) - self->behind_ns[true];
	page = self->page;
	counts = taskrt_page_counts(page);
	since = TASKRT_PAGE_GET(page->since_ns);
	if (taskrt_unlikely((counts & TASKRT_PAGE_CHANGING) | taskrt_page_state(page)) ||
	    taskrt_unlikely(at <= self->last_ns))
		return read_seldom(self, now);
	if (at < since)
		at = since;
	self->last_ns = at;
	taskrt_page_copy_by(width, &now->times, &page->times, sizeof(now->times));
	now->at_ns = at;
	now->flags = 0;
	__asm__("" : "+m" (now->times.states_ns[TASKRT_STATE_RUNNING]));
	now->times.states_ns[TASKRT_STATE_RUNNING] += at - since;
	if (taskrt_unlikely(!taskrt_page_unchanged(page, counts)))
		return read_seldom(self, now);
	return 0;
}

static int read_own_plain(struct taskrt_self *self, struct taskrt_snapshot *now)
{
	return read_own(self, now, 16);
}

/* Copying 32 bytes at a time saves 22 of 113 instructions, and with the clock 1 of 26 ns. */
#ifdef __x86_64__
static __attribute__((target("avx2"))) int read_own_wide(struct taskrt_self *self,
								 struct taskrt_snapshot *now)
{
	return read_own(self, now, 32);
}
#endif

/* The first try requires that the time in which the thread runs is measured. */
taskrt_read_fn taskrt_snapshot_reader(const struct taskrt_measured *measured)
{
	if (!taskrt_measures(measured->states, TASKRT_STATE_RUNNING))
		return read_seldom;
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return read_own_wide;
#endif
	return read_own_plain;
}

int taskrt_self_read(struct taskrt_self *self, struct taskrt_snapshot *now)
{
	if (taskrt_unlikely(taskrt_this_thread() != self->opener))
		return read_seldom(self, now);
	return self->read_own(self, now);
}

int taskrt_self_measured(const struct taskrt_self *self, struct taskrt_measured *measured,
			 size_t size)
{
	struct taskrt_measured full;

	if (!self || !measured || size < TASKRT_MEASURED_MIN)
		return -EINVAL;
	if (!self->mine)
		return -ECHILD;
	full = self->measured;
	if (self->page)
		full.timers = taskrt_page_measured(self);
	taskrt_sized_out(measured, size, &full, sizeof(full));
	return 0;
}

_Static_assert(!TASKRT_STATE_RUNNING && TASKRT_STATE_EXITED >= TASKRT_STATES_ROOM,
	       "what is usual is 0, and the end is no state that has a time");
_Static_assert(offsetof(struct taskrt_page, changes) == 256 &&
	       offsetof(struct taskrt_page, times) == 320, "all that a read knows");
_Static_assert(sizeof(struct taskrt_snapshot) == 400, "it stands in programs");

/* What a reading has of the same instant besides the times. */
struct present {
	uint32_t status;
	uint32_t state;
	uint32_t in_progress;
	uint64_t since_ns;
	uint64_t timers_since_ns[TASKRT_TIMERS_ROOM];
};

static void copy_present(const struct taskrt_self *self, struct present *present)
{
	const struct taskrt_page *page = self->page;

	present->status = TASKRT_PAGE_GET(page->status);
	present->state = TASKRT_PAGE_GET(page->state);
	present->since_ns = TASKRT_PAGE_GET(page->since_ns);
	present->in_progress = taskrt_page_timers(self, TASKRT_PAGE_GET(page->in_progress),
						  present->timers_since_ns);
}

static void copy_longest(const struct taskrt_self_array *intervals, struct taskrt_longest *to)
{
	const struct taskrt_intervals *of;
	unsigned int i;

	for (i = 0; i < intervals->nr; i++) {
		of = taskrt_page_element(intervals, i);
		taskrt_page_copy(&to[i], &of->longest, sizeof(to[i]));
	}
}

static void copy_groups(const struct taskrt_self *self, struct taskrt_reading *reading)
{
	if (reading->groups & TASKRT_GROUP_COUNTS)
		taskrt_page_copy(reading->counts_room, self->counts.first, self->counts.bytes);
	if (reading->groups & TASKRT_GROUP_LONGEST) {
		copy_longest(&self->state_intervals, reading->longests.states);
		copy_longest(&self->timer_intervals, reading->longests.timers);
	}
}

/* Return: the requested groups that the page has. */
static uint32_t groups_here(const struct taskrt_self *self, uint32_t requested)
{
	uint32_t here = TASKRT_GROUP_TIMES;

	if (self->counts.nr)
		here |= TASKRT_GROUP_COUNTS;
	if (self->state_intervals.nr && self->timer_intervals.nr)
		here |= TASKRT_GROUP_LONGEST;
	return requested & here;
}

static int read_all(const struct taskrt_self *self, struct taskrt_snapshot *now,
		    struct present *present, struct taskrt_reading *reading)
{
	const struct taskrt_page *page = self->page;
	uint64_t counts, at = taskrt_page_now(self);

	TASKRT_PAGE_TRY(page, counts) {
		copy_present(self, present);
		copy_groups(self, reading);
		taskrt_page_snapshot(self, at, now);
		if (taskrt_page_unchanged(page, counts))
			return 0;
	}
	return -EAGAIN;
}

static void extend(struct taskrt_longest *longest, uint64_t since, uint64_t now)
{
	uint64_t ns = taskrt_page_elapsed(since, now);

	if (ns > longest->ns)
		*longest = (struct taskrt_longest){ .ns = ns, .at_ns = since };
}

/* An interval in progress may be longer than all finished ones. */
static void extend_longests(struct taskrt_longests *longests, const struct present *present,
			    uint32_t measured, uint64_t now)
{
	unsigned int timer;

	if (!taskrt_page_lives(present->state))
		return;
	if (taskrt_measures(measured, present->state))
		extend(&longests->states[present->state], present->since_ns, now);
	for (timer = 0; timer < TASKRT_TIMERS_ROOM; timer++)
		if (present->in_progress >> timer & 1)
			extend(&longests->timers[timer], present->timers_since_ns[timer], now);
}

static void set_identity(struct taskrt_stats *stats, const struct taskrt_page *page)
{
	stats->entity = TASKRT_ENTITY_THREAD;
	stats->start_time_ns = page->start_time_ns;
	stats->tid = page->tid;
	stats->tgid = page->tgid;
	stats->ppid = page->ppid;
	stats->uid = page->uid;
	stats->gid = page->gid;
	stats->flags = page->flags;
	memcpy(stats->comm, page->comm, sizeof(stats->comm));
}

/*
 * A thread that has ended is in state EXITED. If it is only no longer measured, its
 * state is unknown.
 */
static void set_state(struct taskrt_stats *stats, const struct present *present)
{
	bool ended = present->status == TASKRT_PAGE_ENDED && present->state == TASKRT_STATE_EXITED;

	if (ended)
		stats->flags |= TASKRT_FLAG_EXITED;
	if (!ended && !taskrt_page_lives(present->state))
		return;
	stats->state = present->state;
	if (taskrt_measures(stats->measured.states, TASKRT_STATE_WOKEN))
		stats->valid |= TASKRT_VALID_STATE;
}

static void set_times(struct taskrt_stats *stats, const struct taskrt_self *self,
		      const struct taskrt_snapshot *now)
{
	const struct taskrt_page *page = self->page;
	const struct taskrt_times *t = &now->times;
	uint64_t cpu = t->states_ns[TASKRT_STATE_RUNNING];
	uint64_t queue = t->states_ns[TASKRT_STATE_PREEMPTED] + t->states_ns[TASKRT_STATE_WOKEN] +
			 t->states_ns[TASKRT_STATE_THROTTLED] +
			 t->states_ns[TASKRT_STATE_YIELDED];

	stats->sample_time_ns = now->at_ns;
	stats->tracked_since_ns = page->tracked_since_ns;
	stats->tracked_time_ns = taskrt_page_elapsed(page->tracked_since_ns, now->at_ns);
	taskrt_self_add_unknown(self, t, &cpu, &queue);
	stats->cpu_time_ns = page->cpu_before_ns + cpu;
	stats->queue_time_ns = page->queue_before_ns + queue;
	stats->page_fault_time_ns = t->timers_ns[TASKRT_TIMER_FAULT];
	stats->lock_contention_time_ns = t->timers_ns[TASKRT_TIMER_LOCK];
}

/*
 * The same fields as in the module, except that the time on a CPU is known from the
 * states alone.
 */
static uint64_t valid_times(const struct taskrt_measured *measured)
{
	uint64_t valid = TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY;

	if (taskrt_measures(measured->states, TASKRT_STATE_RUNNING))
		valid |= TASKRT_VALID_CPU_TIME;
	if (taskrt_measures(measured->states, TASKRT_STATE_WOKEN))
		valid |= TASKRT_VALID_QUEUE_TIME;
	if (taskrt_measures(measured->timers, TASKRT_TIMER_FAULT))
		valid |= TASKRT_VALID_PAGE_FAULT_TIME;
	if (taskrt_measures(measured->timers, TASKRT_TIMER_LOCK))
		valid |= TASKRT_VALID_LOCK_TIME;
	return valid;
}

static void set_stats(struct taskrt_stats *stats, const struct taskrt_self *self,
		      const struct taskrt_snapshot *now, const struct present *present)
{
	stats->version = TASKRT_STATS_VERSION;
	stats->size = sizeof(*stats);
	stats->measured = self->measured;
	stats->measured.timers = taskrt_page_measured(self);
	stats->valid = valid_times(&self->measured);
	set_identity(stats, self->page);
	set_times(stats, self, now);
	set_state(stats, present);
}

int taskrt_self_get(struct taskrt_self *self, uint32_t groups,
		    struct taskrt_reading *reading, size_t size)
{
	struct taskrt_reading full = { 0 };
	struct taskrt_snapshot now;
	struct present present;
	int err;

	if (!self || !reading || size < TASKRT_READING_MIN || groups & TASKRT_GROUPS_REFUSED)
		return -EINVAL;
	if (!self->page)
		return taskrt_self_netlink_get(self, groups, reading, size);
	full.groups = groups_here(self, groups);
	err = read_all(self, &now, &present, &full);
	if (err)
		return err;
	full.flags = now.flags;
	set_stats(&full.stats, self, &now, &present);
	if (full.groups & TASKRT_GROUP_TIMES)
		full.times = now.times;
	if (full.groups & TASKRT_GROUP_LONGEST)
		extend_longests(&full.longests, &present, self->measured.states, now.at_ns);
	taskrt_sized_out(reading, size, &full, sizeof(full));
	return 0;
}
