/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine: a clock with states, for one thread.
 *
 * At every instant a thread is in one state.  An event closes the interval
 * since the last one into the state's accumulator and opens the next, so that
 *
 *	sum of the states (the present one extended to now) == now - tracked_since
 *
 * holds exactly, always.  Beside the states run inclusive timers, page fault
 * and lock contention, which may overlap the states and each other.
 *
 * The engine reads no clock, takes no lock and knows no task: the caller says
 * what happened and when.  It is plain C over integers and compiles in user
 * space, where the tests replay exact times.
 *
 * Two groups of fields, each with one writer at a time and a sequence count:
 *
 *	sched	written under the runqueue lock of the task
 *	self	written by the task itself, with preemption off
 *
 * A writer makes the count odd, *then* reads the clock, writes, and makes it
 * even again: a reader that saw an even count and reads the clock after that
 * cannot be ahead of a writer it did not see (but for the time a store takes
 * to become visible, see READ_GUARD_NS in sample.c).
 */
#ifndef TASKRT_RECORD_H
#define TASKRT_RECORD_H

#include <linux/taskrt.h>
#include "engine/record_env.h"

/* What is measured of the uapi's enums where nothing is missing, as in taskrt_measured. */
#define UP_TO(number)	((2ULL << (number)) - 1)
#define MEASURED_STATES	UP_TO(TASKRT_STATE_STOPPED)
#define MEASURED_TIMERS	UP_TO(TASKRT_TIMER_LOCK)
#define MEASURED_LOCKS	UP_TO(TASKRT_LOCK_OTHER)
#define MEASURED_VALUES	UP_TO(TASKRT_VALUE_MAJOR_FAULT_NS)

/* Elements up to the last of them; one in between that is not measured stays 0. */
#define ELEMENTS(mask)	(64 - __builtin_clzll(mask))
enum {
	NR_STATES = ELEMENTS(MEASURED_STATES),
	NR_TIMERS = ELEMENTS(MEASURED_TIMERS),
	NR_LOCKS = ELEMENTS(MEASURED_LOCKS),
	NR_VALUES = ELEMENTS(MEASURED_VALUES),
};

/* Beside the states, as TASKRT_STATE_EXITED: tracked, but no event yet; see guess. */
#define STATE_UNSEEN		30

/*
 * With a state: somebody looks at each event of this thread.  It is no state
 * below NR_STATES then, so that nobody else's event costs a test more.
 */
#define STATE_OBSERVED		0x80

struct record_longest {
	u64 ns;
	u64 at;			/* when it began */
};

/* Intervals of one state or timer.  Those of no length count, too. */
struct record_time {
	u64 ns;
	u64 count;		/* finished */
	struct record_longest longest;
};

struct record_sum {
	u64 ns;
	u64 count;
};

/* Before self_seq in a cache line of struct thread. */
#define BEFORE_SELF	(48 + NR_STATES * sizeof(struct record_time) + \
			 NR_LOCKS * sizeof(struct record_sum))

/* In this order, so that an event writes to few cache lines: see thread.h. */
struct record {
	/* sched: under the runqueue lock */
	u32 sched_seq;
	u8 state;		/* enum taskrt_state or STATE_UNSEEN, and STATE_OBSERVED */
	u8 guess;		/* of the tracker, while state is UNSEEN */
	u8 woken_before;	/* its first interval was WOKEN: by whom is not known */
	u8 reserved;
	u64 since;		/* the present state was entered */
	struct record_time states[NR_STATES];

	/* self: by the task itself */
	struct record_sum locks[NR_LOCKS];
	u64 tracked_since;	/* constant */
	u64 fill[-BEFORE_SELF % 64 / sizeof(u64)];
	u32 self_seq;
	u8 fault_depth;
	u8 lock_kind;
	u8 lock_spins;		/* spins on the word of the awaited lock */
	u8 reserved2;
	u64 lock_addr;		/* the lock being waited for, or 0 */
	u64 timers_since[NR_TIMERS];	/* valid while in progress */
	struct record_time timers[NR_TIMERS];

	/*
	 * Only what nothing else tells: the time of major faults; and, when it is freed, what
	 * the kernel counted.  The slots of WAKEUPS and MINOR_FAULT_NS stay 0, as these follow
	 * from the rest: record_wakeups(), record_minor_fault_ns().
	 */
	u64 values[NR_VALUES];
};

static __always_inline void record_sched_begin(struct record *r)
{
	shared_count(&r->sched_seq);
	smp_wmb();	/* odd before the first change; pairs with record_read_retry() */
}

static __always_inline void record_sched_end(struct record *r)
{
	smp_wmb();	/* even after the last change; pairs with record_read_begin() */
	shared_count(&r->sched_seq);
}

static __always_inline void record_self_begin(struct record *r)
{
	shared_count(&r->self_seq);
	smp_wmb();	/* as in record_sched_begin() */
}

static __always_inline void record_self_end(struct record *r)
{
	smp_wmb();	/* as in record_sched_end() */
	shared_count(&r->self_seq);
}

/* The clock may step back by a hair. */
static __always_inline u64 record_elapsed(u64 since, u64 now)
{
	const s64 ns = now - since;

	return ns > 0 ? ns : 0;
}

/* An interval has finished.  Return: had it any length? */
static __always_inline bool record_time_add(struct record_time *t, u64 since, u64 now)
{
	const s64 ns = now - since;

	shared_add(&t->count, 1);
	if (unlikely(ns <= 0))
		return false;
	shared_add(&t->ns, ns);
	if (unlikely((u64)ns > t->longest.ns)) {
		shared_store(&t->longest.ns, ns);
		shared_store(&t->longest.at, since);
	}
	return true;
}

/*
 * The one transition.  A clock that stepped back by a hair makes an interval
 * of no length and moves nothing: the next one begins where this one did.
 */
static __always_inline void record_move(struct record *r, u8 from, u8 to, u64 now)
{
	if (likely(record_time_add(&r->states[from], r->since, now)))
		shared_store(&r->since, now);
	shared_store(&r->state, to);
}

/* An event on a thread that was tracked while it was already in some state. */
u8 record_unseen_out(const struct record *r);
u8 record_unseen_in(struct record *r);
u8 record_unseen_wake(const struct record *r);

/* Is it in a state, and observed by nobody?  Then an event is one move, and no more. */
static __always_inline bool record_plain(const struct record *r)
{
	return r->state < NR_STATES;
}

/* The state, or STATE_UNSEEN. */
static __always_inline u8 record_present(const struct record *r)
{
	return r->state & ~STATE_OBSERVED;
}

/*
 * Leaves the CPU for state @to.  Between record_sched_begin() and _end().
 * Return: the state that was left; TASKRT_STATE_EXITED: nothing happens any more.
 */
static __always_inline u8 record_switch_out(struct record *r, u8 to, u64 now)
{
	u8 from = r->state;

	if (unlikely(from >= NR_STATES)) {
		if (to != TASKRT_STATE_EXITED)
			to |= from & STATE_OBSERVED;
		from = record_present(r);
		if (from == TASKRT_STATE_EXITED)
			return from;
		if (from == STATE_UNSEEN)
			from = record_unseen_out(r);
	}
	record_move(r, from, to, now);
	return from;
}

/* Gets the CPU.  As record_switch_out(). */
static __always_inline u8 record_switch_in(struct record *r, u64 now)
{
	u8 from = r->state, to = TASKRT_STATE_RUNNING;

	if (unlikely(from >= NR_STATES)) {
		to |= from & STATE_OBSERVED;
		from = record_present(r);
		if (from == TASKRT_STATE_EXITED)
			return from;
		if (from == STATE_UNSEEN)
			from = record_unseen_in(r);
	}
	record_move(r, from, to, now);
	return from;
}

/* Would a wake-up change anything?  Not for a thread that runs or is queued. */
static __always_inline bool record_waits(const struct record *r)
{
	const u8 state = record_present(r);

	return state > TASKRT_STATE_WOKEN && state != TASKRT_STATE_EXITED;
}

/*
 * Woken; record_waits() was true.  @from: r->state as it was then, so that it is looked at
 * but once.  As record_switch_out().
 */
static __always_inline u8 record_wake(struct record *r, u8 from, u64 now)
{
	u8 to = TASKRT_STATE_WOKEN;

	if (unlikely(from >= NR_STATES)) {
		to |= from & STATE_OBSERVED;
		from = record_present(r);
		if (from == STATE_UNSEEN)
			from = record_unseen_wake(r);
	}
	record_move(r, from, to, now);
	return from;
}

/*
 * The state of a thread that is switched out not runnable: a lock wait comes
 * before a fault, a fault before what the scheduler knows (@otherwise).
 */
static __always_inline u8 record_wait_state(const struct record *r, u8 otherwise)
{
	if (r->lock_addr)
		return TASKRT_STATE_BLOCKED_LOCK;
	if (r->fault_depth)
		return TASKRT_STATE_BLOCKED_FAULT;
	return otherwise;
}

/*
 * Page faults.  A fault inside a fault belongs to the outer one: only the
 * outermost pair needs the clock, so that begin says whether it is wanted.
 * Between record_self_begin() and _end().
 */
static __always_inline void record_fault_begin(struct record *r, u64 now)
{
	if (likely(!r->fault_depth))
		shared_store(&r->timers_since[TASKRT_TIMER_FAULT], now);
	shared_store(&r->fault_depth, r->fault_depth + 1);
}

static __always_inline void record_fault_end(struct record *r, bool major, u64 now)
{
	const u64 since = r->timers_since[TASKRT_TIMER_FAULT];

	if (unlikely(!r->fault_depth))
		return;
	shared_store(&r->fault_depth, r->fault_depth - 1);
	if (unlikely(r->fault_depth))
		return;
	if (likely(record_time_add(&r->timers[TASKRT_TIMER_FAULT], since, now)) && unlikely(major))
		shared_add(&r->values[TASKRT_VALUE_MAJOR_FAULT_NS], now - since);
}

/*
 * Lock contention, from the first begin to the end of one lock.  Further
 * begins of the same acquisition (a mutex reports each spin) and waits for
 * another lock inside this wait belong to it.
 */
static __always_inline bool record_lock_opens(const struct record *r)
{
	return !r->lock_addr;
}

static __always_inline void record_lock_begin(struct record *r, u64 lock, u8 kind, u64 now)
{
	shared_store(&r->lock_addr, lock);
	shared_store(&r->lock_kind, kind);
	shared_store(&r->timers_since[TASKRT_TIMER_LOCK], now);
	shared_store(&r->lock_spins, 0);
}

/*
 * A semaphore begins with its own spinlock, whose contention ends at the same
 * address: that end is not the end of the wait.
 */
static __always_inline void record_lock_spin(struct record *r, u64 lock)
{
	if (unlikely(r->lock_addr == lock))
		shared_store(&r->lock_spins, r->lock_spins + 1);
}

static __always_inline bool record_lock_closes(struct record *r, u64 lock)
{
	if (r->lock_addr != lock)
		return false;
	if (likely(!r->lock_spins))
		return true;
	shared_store(&r->lock_spins, r->lock_spins - 1);
	return false;
}

static __always_inline void record_lock_end(struct record *r, u64 now)
{
	const u64 since = r->timers_since[TASKRT_TIMER_LOCK];
	struct record_sum *kind = &r->locks[r->lock_kind];

	shared_store(&r->lock_addr, 0);
	shared_add(&kind->count, 1);
	if (likely(record_time_add(&r->timers[TASKRT_TIMER_LOCK], since, now)))
		shared_add(&kind->ns, now - since);
}

/*
 * Reading, from any context that may spin for the length of a hook:
 *
 *	do {
 *		seq = record_read_begin(r);
 *		now = clock
 *		at = totals_of(&totals, r, now, groups);
 *	} while (record_read_retry(r, seq));
 *
 * Until that says no, what was read may not fit together: no index follows from two fields.
 */
static inline u64 record_read_begin(const struct record *r)
{
	u32 sched, self;

	for (;;) {
		sched = READ_ONCE(r->sched_seq);
		self = READ_ONCE(r->self_seq);
		if (likely(!((sched | self) & 1)))
			break;
		cpu_relax();
	}
	smp_rmb();	/* nothing is read before the counts */
	return (u64)self << 32 | sched;
}

static inline bool record_read_retry(const struct record *r, u64 seq)
{
	smp_rmb();	/* nothing is read after the counts */
	return unlikely(READ_ONCE(r->sched_seq) != (u32)seq ||
			READ_ONCE(r->self_seq) != seq >> 32);
}

/*
 * record_init() - start the clock
 * @state: STATE_UNSEEN for a thread that existed before; then @guess is what
 * it seems to be doing, until its first event tells.
 */
void record_init(struct record *r, u8 state, u8 guess, u64 now);

/* What follows, a reader may ask as well. */

/* The state, with the guess where nothing better is known. */
static inline u8 record_state(const struct record *r)
{
	const u8 state = shared_load(&r->state) & ~STATE_OBSERVED;

	return state == STATE_UNSEEN ? shared_load(&r->guess) : state;
}

/* The timers that run: 1 << enum taskrt_timer each. */
static __always_inline u32 record_in_progress(const struct record *r)
{
	return (shared_load(&r->fault_depth) ? 1U << TASKRT_TIMER_FAULT : 0) |
	       (shared_load(&r->lock_addr) ? 1U << TASKRT_TIMER_LOCK : 0);
}

/* Every wake-up that ended a wait began an interval of WOKEN. */
static inline u64 record_wakeups(const struct record *r)
{
	const u8 state = shared_load(&r->state) & ~STATE_OBSERVED;

	return shared_load(&r->states[TASKRT_STATE_WOKEN].count) +
	       (state == TASKRT_STATE_WOKEN) - shared_load(&r->woken_before);
}

/* Of all finished faults. */
static inline u64 record_minor_fault_ns(const struct record *r)
{
	return shared_load(&r->timers[TASKRT_TIMER_FAULT].ns) -
	       shared_load(&r->values[TASKRT_VALUE_MAJOR_FAULT_NS]);
}

#endif /* TASKRT_RECORD_H */
