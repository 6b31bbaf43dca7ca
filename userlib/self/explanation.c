// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where the time of a window went: its causes, ordered by their share. */
#include <string.h>

#include "experimental.h"
#include "self/page.h"
#include "sized.h"
#include "self/window.h"

#define NR_CAUSES	(TASKRT_CAUSE_FAULT_CPU + 1)

_Static_assert(NR_CAUSES <= TASKRT_CAUSES_ROOM, "there is no room for a share of each");

static const uint8_t known[] = {
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
	[TASKRT_STATE_THROTTLED]	= TASKRT_CAUSE_THROTTLED,
	[TASKRT_STATE_SLEEPING_FILE]	= TASKRT_CAUSE_FILE,
	[TASKRT_STATE_SLEEPING_SOCKET]	= TASKRT_CAUSE_SOCKET,
	[TASKRT_STATE_SLEEPING_WAIT]	= TASKRT_CAUSE_WAIT,
	[TASKRT_STATE_SLEEPING_PAUSE]	= TASKRT_CAUSE_PAUSE,
	[TASKRT_STATE_YIELDED]		= TASKRT_CAUSE_YIELDED,
};

#define NR_KNOWN	(sizeof(known) / sizeof(known[0]))

_Static_assert(NR_KNOWN == KNOWN_STATES, "of others, the parents are asked for");

static uint32_t cause_of(const struct taskrt_self *self, uint32_t state)
{
	state = taskrt_self_known(self, state);
	return state < NR_KNOWN ? known[state] : TASKRT_CAUSE_UNEXPLAINED;
}

static const struct taskrt_window_own *own_of(const struct taskrt_window *w)
{
	return (const struct taskrt_window_own *)w->private_;
}

static const struct taskrt_self *self_of(const struct taskrt_window *w)
{
	return own_of(w)->self;
}

/* Move up to @part of the time of one cause to another.  Return: what is left of @part. */
static uint64_t carve(uint64_t *ns, uint32_t from, uint32_t to, uint64_t part)
{
	const uint64_t moved = part < ns[from] ? part : ns[from];

	ns[from] -= moved;
	ns[to] += moved;
	return part - moved;
}

/* The waits that a timer may end, in the order in which it is likely. */
static const uint8_t timed[] = {
	TASKRT_CAUSE_TIMER, TASKRT_CAUSE_POLL, TASKRT_CAUSE_FUTEX, TASKRT_CAUSE_FILE,
	TASKRT_CAUSE_PAUSE, TASKRT_CAUSE_ASLEEP, TASKRT_CAUSE_SOCKET, TASKRT_CAUSE_WAIT,
	TASKRT_CAUSE_BLOCKED, TASKRT_CAUSE_IO,
};

/*
 * A timer counts a part of the time in a state: interrupts, stolen time, reclaim and page faults
 * while the thread was running, or a late timer during a wait.
 */
static void set_parts(uint64_t *ns, const __u64 *timers_ns)
{
	uint64_t late = timers_ns[TASKRT_TIMER_EXPIRY];
	unsigned int i;

	carve(ns, TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_HARDIRQ, timers_ns[TASKRT_TIMER_HARDIRQ]);
	carve(ns, TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_SOFTIRQ, timers_ns[TASKRT_TIMER_SOFTIRQ]);
	carve(ns, TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_STOLEN, timers_ns[TASKRT_TIMER_STEAL]);
	carve(ns, TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_RECLAIM_CPU,
	      timers_ns[TASKRT_TIMER_RECLAIM_CPU]);
	carve(ns, TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_FAULT_CPU,
	      timers_ns[TASKRT_TIMER_FAULT_CPU]);
	for (i = 0; i < sizeof(timed); i++)
		late = carve(ns, timed[i], TASKRT_CAUSE_EXPIRY, late);
}

/* The remainder is a cause of its own, so that the sum of all is the elapsed time. */
static void set_causes(const struct taskrt_window *w, uint64_t *ns)
{
	uint64_t left = w->elapsed_ns, spent;
	uint32_t state, cause;

	memset(ns, 0, NR_CAUSES * sizeof(*ns));
	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		if (!w->spent.states_ns[state])
			continue;
		cause = cause_of(self_of(w), state);
		if (cause == TASKRT_CAUSE_UNEXPLAINED)
			continue;
		/* The sum of coarse times, over netlink, may exceed the elapsed time. */
		spent = w->spent.states_ns[state] < left ? w->spent.states_ns[state] : left;
		ns[cause] += spent;
		left -= spent;
	}
	ns[TASKRT_CAUSE_UNEXPLAINED] = left;
	set_parts(ns, w->spent.timers_ns);
}

/* The largest share comes first.  Of equal ones, the cause with the lower number does. */
static void explanation_rank(struct taskrt_explanation *e, const uint64_t *ns)
{
	uint32_t cause, at;

	for (cause = 0; cause < NR_CAUSES; cause++) {
		if (!ns[cause] && cause != TASKRT_CAUSE_UNEXPLAINED)
			continue;
		for (at = e->nr; at && e->shares[at - 1].ns < ns[cause]; at--)
			e->shares[at] = e->shares[at - 1];
		e->shares[at] = (struct taskrt_share){ .ns = ns[cause], .cause = cause };
		e->nr++;
	}
}

static uint32_t longest_lock(const __u64 *locks_ns)
{
	uint32_t lock, longest = TASKRT_NONE;

	for (lock = 0; lock < TASKRT_LOCKS_ROOM; lock++)
		if (locks_ns[lock] &&
		    (longest == TASKRT_NONE || locks_ns[lock] > locks_ns[longest]))
			longest = lock;
	return longest;
}

/* The intervals of one state or timer.  The present one of a state is the last of them. */
struct intervals {
	struct taskrt_intervals finished;
	struct taskrt_longest present;
};

/*
 * A function of its own in the machine code, where tests/unit/check_order looks for it.
 *
 * @state: the state of the intervals; TASKRT_NONE: they are of a timer
 */
static __attribute__((noinline)) int explanation_copy(const struct taskrt_self *self,
						      const struct taskrt_self_array *array,
						      uint32_t index, uint32_t state,
						      struct intervals *to)
{
	const void *intervals = taskrt_page_element(array, index);
	const struct taskrt_page *page = self->page;
	uint64_t counts, since, now = taskrt_page_now(self);

	TASKRT_PAGE_TRY(page, counts) {
		taskrt_page_copy(&to->finished, intervals, array->bytes);
		to->present = (struct taskrt_longest){ 0 };
		since = TASKRT_PAGE_GET(page->since_ns);
		if (TASKRT_PAGE_GET(page->state) == state)
			to->present = (struct taskrt_longest){
				.ns = taskrt_page_elapsed(since, now),
				.at_ns = since,
			};
		if (taskrt_page_unchanged(page, counts))
			return 0;
	}
	return -EAGAIN;
}

/*
 * The longest interval inside the window, and the length of the longest one that started after it.
 */
struct found {
	struct taskrt_longest inside;
	uint64_t later_ns;
};

static void look_at(const struct taskrt_window *w, const struct taskrt_longest *interval,
		    struct found *found)
{
	uint64_t begin = interval->at_ns, end = begin + interval->ns;

	if (begin >= w->end_ns) {
		if (interval->ns > found->later_ns)
			found->later_ns = interval->ns;
		return;
	}
	if (begin < w->begin_ns)
		begin = w->begin_ns;
	if (end > w->end_ns)
		end = w->end_ns;
	if (end > begin && end - begin > found->inside.ns)
		found->inside = (struct taskrt_longest){ .ns = end - begin, .at_ns = begin };
}

/*
 * The page keeps peaks: a longer interval replaces shorter ones before it, and the
 * oldest is dropped if there is no room.  In both cases only the longest of all is still
 * known.
 */
static bool find(const struct taskrt_window *w, const struct taskrt_self_array *array,
		 uint32_t index, uint32_t state, struct found *found)
{
	struct intervals of;
	uint32_t i;

	memset(found, 0, sizeof(*found));
	if (index >= array->nr || explanation_copy(self_of(w), array, index, state, &of))
		return false;
	for (i = 0; i < of.finished.nr_peaks && i < TASKRT_PEAKS; i++)
		look_at(w, &of.finished.peaks[i], found);
	look_at(w, &of.present, found);
	look_at(w, &of.finished.longest, found);
	return found->inside.ns >= found->later_ns &&
	       (of.finished.dropped_ns <= w->begin_ns ||
		of.finished.longest.at_ns == found->inside.at_ns);
}

/* @state: the state of the thread during it */
static void set_longest_timer(const struct taskrt_window *w, struct taskrt_explanation *e,
			      uint32_t timer, uint32_t state)
{
	struct found found;

	if (!find(w, &self_of(w)->timer_intervals, timer, TASKRT_NONE, &found) ||
	    !found.inside.ns)
		return;
	e->state = state;
	e->longest = found.inside;
}

/* Return: the state that took most of the time, of those that a timer may end. */
static uint32_t longest_timed(const struct taskrt_window *w)
{
	const __u64 *ns = w->spent.states_ns;
	uint32_t state, longest = TASKRT_NONE;

	for (state = 0; state < TASKRT_STATES_ROOM; state++)
		if (ns[state] && memchr(timed, (int)cause_of(self_of(w), state), sizeof(timed)) &&
		    (longest == TASKRT_NONE || ns[state] > ns[longest]))
			longest = state;
	return longest;
}

static void set_longest_state(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	const struct taskrt_self_array *states = &self_of(w)->state_intervals;
	struct found found;
	uint32_t state;

	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		if (!w->spent.states_ns[state] ||
		    cause_of(self_of(w), state) != e->shares[0].cause)
			continue;
		if (!find(w, states, state, state, &found)) {
			e->state = TASKRT_NONE;
			e->longest = (struct taskrt_longest){ 0 };
			return;
		}
		if (found.inside.ns > e->longest.ns) {
			e->state = state;
			e->longest = found.inside;
		}
	}
}

static void explanation_set_longest(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	e->state = TASKRT_NONE;
	if (!self_of(w)->page)
		return;
	switch (e->shares[0].cause) {
	case TASKRT_CAUSE_UNEXPLAINED:
	case TASKRT_CAUSE_FAULT_CPU:
		return;
	case TASKRT_CAUSE_HARDIRQ:
		return set_longest_timer(w, e, TASKRT_TIMER_HARDIRQ, TASKRT_STATE_RUNNING);
	case TASKRT_CAUSE_SOFTIRQ:
		return set_longest_timer(w, e, TASKRT_TIMER_SOFTIRQ, TASKRT_STATE_RUNNING);
	case TASKRT_CAUSE_STOLEN:
		return set_longest_timer(w, e, TASKRT_TIMER_STEAL, TASKRT_STATE_RUNNING);
	case TASKRT_CAUSE_RECLAIM_CPU:
		return set_longest_timer(w, e, TASKRT_TIMER_RECLAIM_CPU, TASKRT_STATE_RUNNING);
	case TASKRT_CAUSE_EXPIRY:
		return set_longest_timer(w, e, TASKRT_TIMER_EXPIRY, longest_timed(w));
	default:
		return set_longest_state(w, e);
	}
}

static void set_woken(struct taskrt_explanation *e, const struct taskrt_woken *woken)
{
	e->woken_ns = woken->at_ns;
	e->waker_kind = woken->by;
	if (woken->by != TASKRT_WAKER_TASK)
		return;
	e->waker_tid = woken->waker.tid;
	memcpy(e->waker_comm, woken->waker.comm, sizeof(e->waker_comm));
}

/* Of the last wait, if that was a sleep for a time. */
static void explanation_set_slack(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	struct taskrt_wait last;

	if (!w->spent.states_ns[TASKRT_STATE_SLEEPING_TIMER] || taskrt_last_wait(self_of(w), &last))
		return;
	if (last.state == TASKRT_STATE_SLEEPING_TIMER && last.woken.by == TASKRT_WAKER_TIMER &&
	    last.woken.at_ns > w->begin_ns && last.woken.at_ns <= w->end_ns)
		e->slack_ns = last.woken.waker.slack_us * 1000ULL;
}

/*
 * The page has only the waker of the last wait.  If that is the longest one, of the largest
 * cause, its waker is worth knowing.
 */
static void explanation_set_waker(const struct taskrt_window *w, struct taskrt_explanation *e)
{
	const struct taskrt_woken *due = &own_of(w)->woken;
	struct taskrt_wait last;

	if (w->flags & TASKRT_WINDOW_DUE && due->at_ns > w->begin_ns)
		return set_woken(e, due);
	if (e->state == TASKRT_NONE || taskrt_last_wait(self_of(w), &last))
		return;
	if (last.state == e->state && last.begin_ns == e->longest.at_ns &&
	    last.woken.at_ns == e->longest.at_ns + e->longest.ns)
		set_woken(e, &last.woken);
}

int taskrt_window_explain(const struct taskrt_window *w, struct taskrt_explanation *e, size_t size)
{
	struct taskrt_explanation full = { 0 };
	uint64_t ns[NR_CAUSES];

	if (!taskrt_window_ended(w) || size < TASKRT_EXPLANATION_MIN)
		return -EINVAL;
	full.at_ns = w->begin_ns;
	full.elapsed_ns = w->elapsed_ns;
	full.lock = longest_lock(w->spent.locks_ns);
	set_causes(w, ns);
	explanation_rank(&full, ns);
	explanation_set_longest(w, &full);
	explanation_set_waker(w, &full);
	explanation_set_slack(w, &full);
	taskrt_sized_out(e, size, &full, sizeof(full));
	return 0;
}
