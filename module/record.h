/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine: a clock with states, for one thread.
 *
 * At every instant a thread is in one state.  An event closes the interval
 * since the last one into the state's accumulator and opens the next, so that
 *
 *	sum of the states (the present one extended to now) == now - tracked_since
 *
 * holds exactly, always.  Beside the states run two inclusive timers, page
 * fault and lock contention, which may overlap the states and each other.
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

#include "record_env.h"

/* As enum taskrt_state of the uapi, which a static assert in stats.c holds. */
enum record_state {
	STATE_RUNNING,
	STATE_PREEMPTED,
	STATE_WOKEN,
	STATE_BLOCKED_LOCK,
	STATE_BLOCKED_FAULT,
	STATE_BLOCKED_IO,
	STATE_BLOCKED_OTHER,
	STATE_SLEEPING_FUTEX,
	STATE_SLEEPING_POLL,
	STATE_SLEEPING_TIMER,
	STATE_SLEEPING,
	STATE_STOPPED,
	NR_STATES,
	/* No time is spent in these: */
	STATE_EXITED = NR_STATES,
	STATE_UNSEEN,		/* tracked, but no event yet: see guess */
};

/*
 * With a state: somebody looks at each event of this thread.  It is no state
 * below NR_STATES then, so that nobody else's event costs a test more.
 */
#define STATE_WATCHED		0x80

enum record_lock {
	LOCK_MUTEX,
	LOCK_RWSEM_READ,
	LOCK_RWSEM_WRITE,
	LOCK_RT_MUTEX,
	LOCK_OTHER,
	NR_LOCKS,
};

struct record_longest {
	u64 ns;
	u64 at;			/* when it began */
};

struct record_time {
	u64 ns;
	struct record_longest longest;
};

struct record {
	/* sched: under the runqueue lock */
	u32 sched_seq;
	u8 state;		/* enum record_state, and STATE_WATCHED */
	u8 guess;		/* of the tracker, while state is UNSEEN */
	u8 reserved[2];
	u64 since;		/* the present state was entered */
	u64 wakeups;
	struct record_time states[NR_STATES];

	/* self: by the task itself */
	u32 self_seq;
	u8 fault_depth;
	u8 lock_kind;
	u8 lock_spins;		/* spins on the word of the awaited lock */
	u8 reserved2;
	u64 fault_since;	/* valid while fault_depth */
	u64 fault_ns[2];	/* finished ones: minor, major */
	struct record_longest fault_longest;
	u64 lock_addr;		/* the lock being waited for, or 0 */
	u64 lock_since;
	u64 lock_ns[NR_LOCKS];	/* finished ones */
	u64 lock_count[NR_LOCKS];
	struct record_longest lock_longest;

	u64 tracked_since;	/* constant */
};

static __always_inline void record_sched_begin(struct record *r)
{
	WRITE_ONCE(r->sched_seq, r->sched_seq + 1);
	smp_wmb();	/* odd before the first change; pairs with record_read_retry() */
}

static __always_inline void record_sched_end(struct record *r)
{
	smp_wmb();	/* even after the last change; pairs with record_read_begin() */
	WRITE_ONCE(r->sched_seq, r->sched_seq + 1);
}

static __always_inline void record_self_begin(struct record *r)
{
	WRITE_ONCE(r->self_seq, r->self_seq + 1);
	smp_wmb();	/* as in record_sched_begin() */
}

static __always_inline void record_self_end(struct record *r)
{
	smp_wmb();	/* as in record_sched_end() */
	WRITE_ONCE(r->self_seq, r->self_seq + 1);
}

static __always_inline void record_longest_note(struct record_longest *l, u64 ns, u64 at)
{
	if (unlikely(ns > l->ns)) {
		shared_store(&l->ns, ns);
		shared_store(&l->at, at);
	}
}

/*
 * The one transition.  A clock that stepped back by a hair makes an interval
 * of no length and moves nothing: the next one begins where this one did.
 */
static __always_inline void record_move(struct record *r, u8 from, u8 to, u64 now)
{
	u64 since = r->since;

	if (likely((s64)(now - since) > 0)) {
		struct record_time *t = &r->states[from];

		shared_add(&t->ns, now - since);
		record_longest_note(&t->longest, now - since, since);
		shared_store(&r->since, now);
	}
	shared_store(&r->state, to);
}

/* An event on a thread that was tracked while it was already in some state. */
u8 record_unseen_out(const struct record *r);
u8 record_unseen_in(const struct record *r);
u8 record_unseen_wake(const struct record *r);

/* Is it in a state, and watched by nobody?  Then an event is one move, and no more. */
static __always_inline bool record_plain(const struct record *r)
{
	return r->state < NR_STATES;
}

/* The state, or STATE_EXITED or STATE_UNSEEN. */
static __always_inline u8 record_present(const struct record *r)
{
	return r->state & ~STATE_WATCHED;
}

/*
 * Leaves the CPU for state @to.  Between record_sched_begin() and _end().
 * Return: the state that was left; STATE_EXITED: nothing happens any more.
 */
static __always_inline u8 record_switch_out(struct record *r, u8 to, u64 now)
{
	u8 from = r->state;

	if (unlikely(from >= NR_STATES)) {
		if (to != STATE_EXITED)
			to |= from & STATE_WATCHED;
		from = record_present(r);
		if (from == STATE_EXITED)
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
	u8 from = r->state, to = STATE_RUNNING;

	if (unlikely(from >= NR_STATES)) {
		to |= from & STATE_WATCHED;
		from = record_present(r);
		if (from == STATE_EXITED)
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

	return state > STATE_WOKEN && state != STATE_EXITED;
}

/*
 * Woken; record_waits() was true.  @from: r->state as it was then, so that it is looked at
 * but once.  As record_switch_out().
 */
static __always_inline u8 record_wake(struct record *r, u8 from, u64 now)
{
	u8 to = STATE_WOKEN;

	if (unlikely(from >= NR_STATES)) {
		to |= from & STATE_WATCHED;
		from = record_present(r);
		if (from == STATE_UNSEEN)
			from = record_unseen_wake(r);
	}
	shared_add(&r->wakeups, 1);
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
		return STATE_BLOCKED_LOCK;
	if (r->fault_depth)
		return STATE_BLOCKED_FAULT;
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
		shared_store(&r->fault_since, now);
	shared_store(&r->fault_depth, r->fault_depth + 1);
}

static __always_inline void record_fault_end(struct record *r, bool major, u64 now)
{
	s64 ns = now - r->fault_since;

	if (unlikely(!r->fault_depth))
		return;
	shared_store(&r->fault_depth, r->fault_depth - 1);
	if (unlikely(r->fault_depth) || unlikely(ns <= 0))
		return;
	shared_add(&r->fault_ns[major], ns);
	record_longest_note(&r->fault_longest, ns, r->fault_since);
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
	shared_store(&r->lock_since, now);
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
	s64 ns = now - r->lock_since;

	shared_store(&r->lock_addr, 0);
	shared_add(&r->lock_count[r->lock_kind], 1);
	if (unlikely(ns <= 0))
		return;
	shared_add(&r->lock_ns[r->lock_kind], ns);
	record_longest_note(&r->lock_longest, ns, r->lock_since);
}

/*
 * Reading, from any context that may spin for the length of a hook:
 *
 *	do {
 *		seq = record_read_begin(r);
 *		now = clock
 *		shared_copy(&copy, r);
 *	} while (record_read_retry(r, seq));
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

/* The state of a copied record, with the guess where nothing better is known. */
u8 record_state(const struct record *r);

#endif /* TASKRT_RECORD_H */
