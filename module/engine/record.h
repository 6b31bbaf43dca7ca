/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine: a clock with states, for one thread.
 *
 * A thread is in exactly one state at every instant.  Each event adds the time since the previous
 * event to the state that the thread leaves.  Therefore this always holds exactly:
 *
 *	sum of the states (the present one extended to now) == now - tracked_since
 *
 * Timers measure other intervals beside the states: see enum taskrt_timer.  The intervals of one
 * timer do not overlap.  The timers of interrupts, softirqs and reclaim count no time twice.
 *
 * The engine reads no clock, takes no lock and knows no task: the caller passes what happened and
 * when.  It also compiles in user space, where tests replay exact times.
 *
 * Two groups of fields have one writer at a time and a sequence count each:
 *
 *	sched	written under the task's runqueue lock; while the task runs, also by
 *		interrupts on its CPU, with interrupts off
 *	self	written by the task itself, with preemption off
 *
 * These fields are written outside the counts: observed and the mark in state (by observer.c),
 * guess (by the walk over all tasks), and expiry, fired and expired (by the timer that wakes the
 * thread).
 *
 * A writer makes the count odd, *then* reads the clock, writes, and makes the count even.  So if a
 * reader sees an even count and then reads the clock, a writer that it did not see has a later
 * time, except as READ_GUARD_NS says (sample.c).
 */
#ifndef TASKRT_RECORD_H
#define TASKRT_RECORD_H

#include <linux/taskrt.h>
#include "engine/record_env.h"

/* What is measured when all hooks are attached, as in struct taskrt_measured. */
#define UP_TO(number)	((2ULL << (number)) - 1)
#define MEASURED_STATES	UP_TO(TASKRT_STATE_YIELDED)
#define MEASURED_TIMERS	(UP_TO(TASKRT_TIMER_STEAL) | 1ULL << TASKRT_TIMER_EXPIRY | \
				 1ULL << TASKRT_TIMER_RECLAIM_CPU | \
				 1ULL << TASKRT_TIMER_FAULT_CPU)
#define MEASURED_LOCKS	UP_TO(TASKRT_LOCK_OTHER)
#define MEASURED_VALUES	UP_TO(TASKRT_VALUE_CYCLES_NS)

/* The length of an array with all elements of a mask.  Elements not in the mask stay 0. */
#define ELEMENTS(mask)	(64 - __builtin_clzll(mask))
enum {
	NR_STATES = ELEMENTS(MEASURED_STATES),
	NR_LOCKS = ELEMENTS(MEASURED_LOCKS),
	NR_VALUES = ELEMENTS(MEASURED_VALUES),
	/* The timers that the thread starts and ends.  A reader may find them in progress. */
	NR_OWN_TIMERS = TASKRT_TIMER_LOCK + 1,
	/* The engine's numbers have no gaps: see record_timer_number().  None is for FAULT_CPU. */
	RECORD_EXPIRY = TASKRT_TIMER_STEAL + 1,
	RECORD_RECLAIM_CPU,
	NR_RECORD_TIMERS,
};

/* The states whose longest wait has a wchan: eight fill the last cache line of struct thread. */
#define WCHAN_STATES(do)	\
	do(BLOCKED_LOCK) do(BLOCKED_FAULT) do(BLOCKED_IO) do(BLOCKED_OTHER)	\
	do(SLEEPING_POLL) do(SLEEPING) do(SLEEPING_FILE) do(SLEEPING_SOCKET)
#define WCHAN_OF(state)	WCHAN_##state,
enum { WCHAN_STATES(WCHAN_OF) NR_WCHANS };

/* What the CPU's counters count while the thread runs, and the time in which they do. */
enum {
	COUNTED_CYCLES,
	COUNTED_INSTRUCTIONS,
	NR_COUNTERS,
	COUNTED_NS = NR_COUNTERS,
	NR_COUNTED,
};

/* The uapi's number of an engine timer.  The kernel's delays lie between STEAL and EXPIRY. */
static __always_inline unsigned int record_timer_number(unsigned int timer)
{
	return timer < RECORD_EXPIRY ? timer : timer - RECORD_EXPIRY + TASKRT_TIMER_EXPIRY;
}

/* A special value of record.state, like EXITED: the thread has had no event yet.  See guess. */
#define STATE_UNSEEN		30

/*
 * A mark in record.state: each event of this thread is dispatched to an observer.  One comparison
 * with NR_STATES finds this mark and the special values, so other threads need no further test.
 */
#define STATE_OBSERVED		0x80

struct record_longest {
	u64 ns;
	u64 at;			/* start */
};

/* The intervals of one state or timer.  Intervals of length 0 count, too. */
struct record_time {
	u64 ns;
	u64 count;		/* of finished intervals */
	struct record_longest longest;
};

struct record_sum {
	u64 ns;
	u64 count;
};

/* The offset of self_seq, without fill, from the cache line in which the record starts. */
#define BEFORE_SELF	(72 + NR_COUNTED * sizeof(u64) + NR_STATES * sizeof(struct record_time) + \
			 NR_LOCKS * sizeof(struct record_sum))

/* A value of fault_depth: see record_fault_speculative(). */
#define FAULT_SPECULATIVE	0x80

/* The order of the members lets an event write to few cache lines: see thread.h. */
struct record {
	/* sched: under the runqueue lock, except the mark in state, and guess */
	u32 sched_seq;
	u8 state;		/* enum taskrt_state or STATE_UNSEEN, and STATE_OBSERVED */
	u8 guess;		/* the tracker's guess of the state, while state is UNSEEN */
	u8 woken_before;	/* the first interval was WOKEN: its wake-up was not seen */
	u8 expired;		/* a timer is waking the thread, or has tried to: see expiry */
	u64 since;		/* when the present state was entered */
	u64 parts_ns;		/* all that record_interrupt() has added */
	struct record_time states[NR_STATES];

	/* self: by the task itself */
	struct record_sum locks[NR_LOCKS];
	u64 tracked_since;	/* of sched; only record_start() changes it */
	u64 throttled_wakeups;	/* of sched: wake-ups that started a THROTTLED interval */
	u64 counted[NR_COUNTED];	/* of sched */
	u64 major_fault_ns;	/* part of the timer FAULT */
	u64 fault_waits_ns;	/* part of FAULT in which the thread itself did not compute */
	u64 fill[-BEFORE_SELF % 64 / sizeof(u64)];
	u32 self_seq;
	u8 fault_depth;		/* or FAULT_SPECULATIVE */
	u8 lock_kind;
	u8 lock_reads;		/* on PREEMPT_RT: see hook_lock.c; no reader uses it */
	u8 observed;		/* the thread has an observer; written by observer.c */
	u64 lock_addr;		/* the lock that the thread waits for, or 0 */
	u64 fault_lag;		/* record_lag() when the fault started */
	u64 timers_since[NR_OWN_TIMERS];	/* valid while in progress */
	struct record_time timers[NR_RECORD_TIMERS];	/* self: the first two; sched: the rest */
	u64 expiry;			/* when the timer that set expired was due */
	u64 fired;			/* when that timer fired */
	u32 wchans[NR_WCHANS];		/* of sched: see record_wchan() */
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

/* The clock may step back slightly between CPUs.  The interval is then 0. */
static __always_inline u64 record_elapsed(u64 since, u64 now)
{
	const s64 ns = now - since;

	return ns > 0 ? ns : 0;
}

/* The interval that an event has ended.  Its length may be 0. */
struct record_interval {
	unsigned long state;
	u64 since;
	u64 ns;
	bool longest;			/* so far, in this state */
};

/* Add an interval from left->since to @now.  Return: false if the clock has stepped back. */
static __always_inline bool record_time_end(struct record_time *t, struct record_interval *left,
					    u64 now)
{
	left->ns = now - left->since;
	left->longest = false;
	shared_add(&t->count, 1);
	/* As a u64, a negative length is larger than all others. */
	if (unlikely(left->ns > t->longest.ns)) {
		if ((s64)left->ns < 0) {
			left->ns = 0;
			return false;
		}
		left->longest = true;
		shared_store(&t->longest.ns, left->ns);
		shared_store(&t->longest.at, left->since);
	}
	shared_add(&t->ns, left->ns);
	return true;
}

/* Add a finished interval, and return its length. */
static __always_inline u64 record_time_add(struct record_time *t, u64 since, u64 now)
{
	struct record_interval left = { .since = since };

	record_time_end(t, &left, now);
	return left.ns;
}

/* The timer FAULT_CPU: how long the thread itself has computed in finished faults. */
static __always_inline u64 record_fault_cpu_ns(const struct record *r)
{
	return shared_load(&r->timers[TASKRT_TIMER_FAULT].ns) - shared_load(&r->fault_waits_ns);
}

/* The state without the mark: enum taskrt_state, or STATE_UNSEEN. */
static __always_inline u8 record_present(const struct record *r)
{
	return shared_load(&r->state) & ~STATE_OBSERVED;
}

/* True if the thread waits for a CPU, or for its CPU time to be replenished. */
static __always_inline bool record_queued(u8 state)
{
	return state == TASKRT_STATE_PREEMPTED || state == TASKRT_STATE_WOKEN ||
	       state == TASKRT_STATE_THROTTLED || state == TASKRT_STATE_YIELDED;
}

/* The state of a queued thread once it is no longer throttled. */
static __always_inline u8 record_unthrottled(u8 state)
{
	return state == TASKRT_STATE_THROTTLED ? TASKRT_STATE_PREEMPTED : state;
}

/*
 * True if a wake-up may change the state: the thread waits, or has had no event yet.  In the
 * latter case, the caller must test that the thread neither runs nor is queued.
 */
static __always_inline bool record_waits(const struct record *r)
{
	const u8 state = record_present(r);

	return state > TASKRT_STATE_WOKEN && state != TASKRT_STATE_EXITED &&
	       state != TASKRT_STATE_THROTTLED && state != TASKRT_STATE_YIELDED;
}

/* Return: NR_WCHANS if the state has no wchan. */
static __always_inline unsigned int record_wchan_index(unsigned int state)
{
#define WCHAN_CASE(which)	case TASKRT_STATE_##which: return WCHAN_##which;
	switch (state) {
	WCHAN_STATES(WCHAN_CASE)
	default:
		return NR_WCHANS;
	}
#undef WCHAN_CASE
}

/* The wchan of the longest finished interval of a state; 0: not known. */
static __always_inline u32 record_wchan(const struct record *r, unsigned int state)
{
	const unsigned int i = record_wchan_index(state);

	return i < NR_WCHANS ? shared_load(&r->wchans[i]) : 0;
}

/*
 * A reader spins while a hook writes the record.  It must not run in an interrupt, which may have
 * interrupted that hook.  Usage:
 *
 *	do {
 *		seq = record_read_begin(r);
 *		now = clock
 *		at = totals_of(&totals, r, now, groups);
 *	} while (record_read_retry(r, seq));
 *
 * Values may be inconsistent until the loop ends: compute no index from two of them.
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
	smp_rmb();	/* the counts before the data; pairs with record_sched_end() */
	return (u64)self << 32 | sched;
}

static inline bool record_read_retry(const struct record *r, u64 seq)
{
	smp_rmb();	/* the data before the counts; pairs with record_sched_begin() */
	return unlikely(READ_ONCE(r->sched_seq) != (u32)seq ||
			READ_ONCE(r->self_seq) != seq >> 32);
}

/* Start the clock.  @guess: what readers see until the first event, if @state is STATE_UNSEEN. */
void record_init(struct record *r, u8 state, u8 guess, u64 now);

/* The state, or the guess before the first event. */
static inline u8 record_state(const struct record *r)
{
	const u8 state = shared_load(&r->state) & ~STATE_OBSERVED;

	return state == STATE_UNSEEN ? shared_load(&r->guess) : state;
}

/* The timers in progress: 1 << enum taskrt_timer each. */
static __always_inline u32 record_in_progress(const struct record *r)
{
	return (shared_load(&r->fault_depth) & ~FAULT_SPECULATIVE ? 1U << TASKRT_TIMER_FAULT : 0) |
	       (shared_load(&r->lock_addr) ? 1U << TASKRT_TIMER_LOCK : 0);
}

/* The number of wake-ups that ended a wait: each has started a WOKEN or THROTTLED interval. */
static inline u64 record_wakeups(const struct record *r)
{
	const u8 state = shared_load(&r->state) & ~STATE_OBSERVED;

	return shared_load(&r->states[TASKRT_STATE_WOKEN].count) +
	       (state == TASKRT_STATE_WOKEN) - shared_load(&r->woken_before) +
	       shared_load(&r->throttled_wakeups);
}

static inline u64 record_minor_fault_ns(const struct record *r)
{
	return shared_load(&r->timers[TASKRT_TIMER_FAULT].ns) -
	       shared_load(&r->major_fault_ns);
}

#endif /* TASKRT_RECORD_H */
