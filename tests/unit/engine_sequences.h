/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to a thread, and exactly what the engine has to report. */
#ifndef TASKRT_ENGINE_SEQUENCES_H
#define TASKRT_ENGINE_SEQUENCES_H

#include "events.h"

#define MANY	24

struct amount {
	u8 index;
	u64 ns;
};

struct span {
	u64 ns, at;
};

/* All that is not named is 0. */
struct sequence {
	const char *name;
	u8 start, guess;
	u64 begun;
	struct event events[MANY];
	u64 asked;
	u64 sample;		/* the instant of the answer, if not asked */
	struct amount states[8];
	struct amount finished[8];	/* checked where one is given */
	u64 wakeups, expiries;
	u64 late_ns;
	struct span latest;
	u64 faults;			/* finished */
	u64 fault_ns, fault_cpu_ns, minor_ns, major_ns;
	struct amount lock_ns[3];	/* by kind */
	struct amount lock_count[3];
	struct span fault_longest, lock_longest;
	struct amount longest_of;	/* state, ns ... */
	u64 longest_at;			/* ... and when it began */
};

#define L1	0x1000
#define L2	0x2000

static const struct sequence sequences[] = {
{
	.name = "a new thread waits to be started",
	.start = TASKRT_STATE_BLOCKED_OTHER, .begun = 1000, .asked = 1010,
	.states = { { TASKRT_STATE_BLOCKED_OTHER, 10 } },
}, {
	.name = "asked at the very instant it began",
	.start = TASKRT_STATE_RUNNING, .begun = 1000, .asked = 1000,
}, {
	.name = "started, run, preempted, run, asleep, woken, run",
	.start = TASKRT_STATE_BLOCKED_OTHER, .begun = 100,
	.events = {
		{ 101, WAKE }, { 103, IN }, { 107, OUT, TASKRT_STATE_PREEMPTED }, { 115, IN },
		{ 131, OUT, TASKRT_STATE_SLEEPING_POLL }, { 163, WAKE }, { 227, IN },
	},
	.asked = 355,
	.states = {
		{ TASKRT_STATE_BLOCKED_OTHER, 1 }, { TASKRT_STATE_WOKEN, 2 + 64 },
		{ TASKRT_STATE_RUNNING, 4 + 16 + 128 }, { TASKRT_STATE_PREEMPTED, 8 },
		{ TASKRT_STATE_SLEEPING_POLL, 32 },
	},
	.finished = {
		{ TASKRT_STATE_BLOCKED_OTHER, 1 }, { TASKRT_STATE_WOKEN, 2 },
		{ TASKRT_STATE_RUNNING, 2 }, { TASKRT_STATE_PREEMPTED, 1 },
		{ TASKRT_STATE_SLEEPING_POLL, 1 },
	},
	.wakeups = 2,
	.longest_of = { TASKRT_STATE_RUNNING, 128 }, .longest_at = 227,
}, {
	.name = "woken by timers: in time, late, and later",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, OUT, TASKRT_STATE_SLEEPING_TIMER },
		{ 20, EXPIRE, .expiry = 20 }, { 20, WAKE }, { 21, IN },
		{ 30, OUT, TASKRT_STATE_SLEEPING_POLL },
		{ 44, EXPIRE, .expiry = 40 }, { 45, WAKE }, { 46, IN },
		{ 50, OUT, TASKRT_STATE_SLEEPING_FUTEX },
		{ 67, EXPIRE, .expiry = 60 }, { 67, WAKE }, { 68, IN },
	},
	.asked = 70,
	.states = {
		{ TASKRT_STATE_RUNNING, 10 + 9 + 4 + 2 }, { TASKRT_STATE_WOKEN, 3 },
		{ TASKRT_STATE_SLEEPING_TIMER, 10 }, { TASKRT_STATE_SLEEPING_POLL, 15 },
		{ TASKRT_STATE_SLEEPING_FUTEX, 17 },
	},
	.wakeups = 3, .expiries = 3, .late_ns = 5 + 7, .latest = { 7, 60 },
}, {
	.name = "a timer that finds the thread running says nothing of its next wait",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 5, EXPIRE, .expiry = 4 }, { 5, WAKE },
		{ 10, OUT, TASKRT_STATE_SLEEPING }, { 30, WAKE }, { 31, IN },
		{ 32, OUT, TASKRT_STATE_SLEEPING }, { 40, WAKE },
	},
	.asked = 41,
	.states = {
		{ TASKRT_STATE_RUNNING, 11 }, { TASKRT_STATE_WOKEN, 2 },
		{ TASKRT_STATE_SLEEPING, 28 },
	},
	.wakeups = 2,
}, {
	.name = "a timer that was set for a time before the wait",
	.start = TASKRT_STATE_RUNNING, .begun = 100,
	.events = {
		{ 150, OUT, TASKRT_STATE_SLEEPING_TIMER }, { 160, EXPIRE, .expiry = 120 },
		{ 161, WAKE }, { 163, IN },
	},
	.asked = 170,
	.states = {
		{ TASKRT_STATE_RUNNING, 57 }, { TASKRT_STATE_WOKEN, 2 },
		{ TASKRT_STATE_SLEEPING_TIMER, 11 },
	},
	.wakeups = 1, .expiries = 1, .late_ns = 11, .latest = { 11, 150 },
}, {
	.name = "a timer whose callback holds the lock that the thread then waits for",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, OUT, TASKRT_STATE_SLEEPING_POLL }, { 25, EXPIRE, .expiry = 20 },
		{ 26, WAKE }, { 27, IN }, { 28, LOCK, TASKRT_LOCK_OTHER, L1 },
		{ 29, OUT, TASKRT_STATE_BLOCKED_OTHER }, { 30, EXPIRE, .expiry = 20 },
		{ 31, WAKE }, { 32, IN }, { 33, LOCK_END, 0, L1 },
	},
	.asked = 40,
	.states = {
		{ TASKRT_STATE_RUNNING, 20 }, { TASKRT_STATE_WOKEN, 2 },
		{ TASKRT_STATE_SLEEPING_POLL, 16 }, { TASKRT_STATE_BLOCKED_LOCK, 2 },
	},
	.wakeups = 2, .expiries = 1, .late_ns = 6, .latest = { 6, 20 },
	.lock_ns = { { TASKRT_LOCK_OTHER, 5 } }, .lock_count = { { TASKRT_LOCK_OTHER, 1 } },
	.lock_longest = { 5, 28 },
}, {
	.name = "the clock of a wake-up is a little behind that of the timer",
	.start = TASKRT_STATE_SLEEPING_TIMER, .begun = 100,
	.events = { { 120, EXPIRE, .expiry = 120 }, { 119, WAKE } },
	.asked = 130,
	.states = { { TASKRT_STATE_SLEEPING_TIMER, 19 }, { TASKRT_STATE_WOKEN, 11 } },
	.wakeups = 1, .expiries = 1,
}, {
	.name = "every way to wait, each at its own",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 1, OUT, TASKRT_STATE_BLOCKED_IO }, { 3, WAKE }, { 4, IN },
		{ 5, OUT, TASKRT_STATE_BLOCKED_OTHER }, { 9, WAKE }, { 10, IN },
		{ 11, OUT, TASKRT_STATE_SLEEPING_FUTEX }, { 19, WAKE }, { 20, IN },
		{ 21, OUT, TASKRT_STATE_SLEEPING_TIMER }, { 37, WAKE }, { 38, IN },
		{ 39, OUT, TASKRT_STATE_SLEEPING }, { 71, WAKE }, { 72, IN },
		{ 73, OUT, TASKRT_STATE_STOPPED },
	},
	.asked = 137,
	.states = {
		{ TASKRT_STATE_RUNNING, 6 }, { TASKRT_STATE_WOKEN, 5 }, { TASKRT_STATE_BLOCKED_IO, 2 },
		{ TASKRT_STATE_BLOCKED_OTHER, 4 }, { TASKRT_STATE_SLEEPING_FUTEX, 8 },
		{ TASKRT_STATE_SLEEPING_TIMER, 16 }, { TASKRT_STATE_SLEEPING, 32 }, { TASKRT_STATE_STOPPED, 64 },
	},
	.wakeups = 5,
	.longest_of = { TASKRT_STATE_STOPPED, 64 }, .longest_at = 73,
}, {
	.name = "woken while it runs or is queued: nothing changes",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 2, WAKE }, { 4, OUT, TASKRT_STATE_PREEMPTED }, { 6, WAKE }, { 8, IN },
		{ 10, OUT, TASKRT_STATE_SLEEPING }, { 20, WAKE }, { 21, WAKE },
	},
	.asked = 30,
	.states = {
		{ TASKRT_STATE_RUNNING, 6 }, { TASKRT_STATE_PREEMPTED, 4 }, { TASKRT_STATE_SLEEPING, 10 },
		{ TASKRT_STATE_WOKEN, 10 },
	},
	.wakeups = 1,
}, {
	.name = "the clock steps back: that interval is 0 and moves nothing",
	.start = TASKRT_STATE_RUNNING, .begun = 100,
	.events = {
		{ 110, OUT, TASKRT_STATE_SLEEPING }, { 107, WAKE }, { 109, IN },
		{ 115, OUT, TASKRT_STATE_PREEMPTED },
	},
	.asked = 116,
	.states = { { TASKRT_STATE_RUNNING, 10 + 5 }, { TASKRT_STATE_PREEMPTED, 1 } },
	.finished = {
		{ TASKRT_STATE_RUNNING, 2 }, { TASKRT_STATE_SLEEPING, 1 },
		{ TASKRT_STATE_WOKEN, 1 },
	},
	.wakeups = 1,
	.longest_of = { TASKRT_STATE_RUNNING, 10 }, .longest_at = 100,
}, {
	.name = "asked with a clock that is behind the last event",
	.start = TASKRT_STATE_RUNNING, .begun = 100,
	.events = { { 110, OUT, TASKRT_STATE_SLEEPING } },
	.asked = 105, .sample = 110,
	.states = { { TASKRT_STATE_RUNNING, 10 } },
}, {
	.name = "the clock is near its end and beyond",
	.start = TASKRT_STATE_RUNNING, .begun = ~0ULL - 9,
	.events = { { ~0ULL, OUT, TASKRT_STATE_SLEEPING }, { 5, WAKE }, { 7, IN } },
	.asked = 10,
	.states = {
		{ TASKRT_STATE_RUNNING, 9 + 3 }, { TASKRT_STATE_SLEEPING, 6 },
		{ TASKRT_STATE_WOKEN, 2 },
	},
	.wakeups = 1,
}, {
	.name = "a minor and a major fault",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, FAULT }, { 13, FAULT_END, 0 },
		{ 20, FAULT }, { 25, FAULT_END, 1 }, { 30, FAULT }, { 31, FAULT_END, 0 },
	},
	.asked = 40,
	.states = { { TASKRT_STATE_RUNNING, 40 } },
	.faults = 3, .fault_ns = 9, .fault_cpu_ns = 9,
	.minor_ns = 4, .major_ns = 5, .fault_longest = { 5, 20 },
}, {
	.name = "a fault in a fault belongs to the outer one",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, FAULT }, { 12, FAULT }, { 13, FAULT }, { 15, FAULT_END, 1 },
		{ 16, FAULT_END, 1 }, { 20, FAULT_END, 0 },
	},
	.asked = 40,
	.states = { { TASKRT_STATE_RUNNING, 40 } },
	.faults = 1, .fault_ns = 10, .fault_cpu_ns = 10,
	.minor_ns = 10, .fault_longest = { 10, 10 },
}, {
	.name = "an end without a beginning is not a fault",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, FAULT_END, 1 }, { 12, FAULT }, { 14, FAULT_END, 0 }, { 19, FAULT_END },
	},
	.asked = 40,
	.states = { { TASKRT_STATE_RUNNING, 40 } },
	.faults = 1, .fault_ns = 2, .fault_cpu_ns = 2,
	.minor_ns = 2, .fault_longest = { 2, 12 },
}, {
	.name = "asked inside a fault, asleep in it: both clocks run",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = { { 10, FAULT }, { 12, OUT, TASKRT_STATE_BLOCKED_OTHER } },
	.asked = 40,
	.states = { { TASKRT_STATE_RUNNING, 12 }, { TASKRT_STATE_BLOCKED_FAULT, 28 } },
	.fault_ns = 30, .fault_longest = { 30, 10 },
}, {
	.name = "a fault, preempted in it and waiting for I/O in it",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, FAULT }, { 11, OUT, TASKRT_STATE_PREEMPTED }, { 13, IN },
		{ 17, OUT, TASKRT_STATE_BLOCKED_IO }, { 25, WAKE }, { 41, IN },
		{ 73, FAULT_END, 1 }, { 80, OUT, TASKRT_STATE_BLOCKED_IO },
	},
	.asked = 90,
	.states = {
		{ TASKRT_STATE_RUNNING, 11 + 4 + 39 }, { TASKRT_STATE_PREEMPTED, 2 },
		{ TASKRT_STATE_BLOCKED_FAULT, 8 }, { TASKRT_STATE_WOKEN, 16 }, { TASKRT_STATE_BLOCKED_IO, 10 },
	},
	.wakeups = 1,
	.faults = 1, .fault_ns = 63, .fault_cpu_ns = 1 + 4 + 32,
	.major_ns = 63, .fault_longest = { 63, 10 },
}, {
	.name = "a fault while the clock steps back is no fault time",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = { { 10, FAULT }, { 9, FAULT_END, 0 } },
	.asked = 40,
	.faults = 1,
	.states = { { TASKRT_STATE_RUNNING, 40 } },
}, {
	.name = "a mutex begins for each spin and ends once",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 12, LOCK, TASKRT_LOCK_MUTEX, L1 },
		{ 14, OUT, TASKRT_STATE_BLOCKED_OTHER }, { 20, WAKE }, { 21, IN },
		{ 23, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 26, LOCK_END, 0, L1 },
	},
	.asked = 30,
	.states = {
		{ TASKRT_STATE_RUNNING, 14 + 9 }, { TASKRT_STATE_BLOCKED_LOCK, 6 }, { TASKRT_STATE_WOKEN, 1 },
	},
	.wakeups = 1,
	.lock_ns = { { TASKRT_LOCK_MUTEX, 16 } }, .lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
	.lock_longest = { 16, 10 },
}, {
	.name = "locks of three kinds",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, LOCK, TASKRT_LOCK_RWSEM_READ, L1 }, { 11, LOCK_END, 0, L1 },
		{ 20, LOCK, TASKRT_LOCK_RWSEM_WRITE, L1 }, { 22, LOCK_END, 0, L1 },
		{ 30, LOCK, TASKRT_LOCK_RT_MUTEX, L2 }, { 34, LOCK_END, 0, L2 },
		{ 40, LOCK, TASKRT_LOCK_RWSEM_READ, L2 }, { 48, LOCK_END, 0, L2 },
	},
	.asked = 50,
	.states = { { TASKRT_STATE_RUNNING, 50 } },
	.lock_ns = {
		{ TASKRT_LOCK_RWSEM_READ, 9 }, { TASKRT_LOCK_RWSEM_WRITE, 2 },
		{ TASKRT_LOCK_RT_MUTEX, 4 },
	},
	.lock_count = {
		{ TASKRT_LOCK_RWSEM_READ, 2 }, { TASKRT_LOCK_RWSEM_WRITE, 1 }, { TASKRT_LOCK_RT_MUTEX, 1 },
	},
	.lock_longest = { 8, 40 },
}, {
	.name = "another lock inside a wait belongs to it",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 12, LOCK, TASKRT_LOCK_RT_MUTEX, L2 },
		{ 15, LOCK_END, 0, L2 }, { 20, LOCK_END, 0, L1 },
	},
	.asked = 50,
	.states = { { TASKRT_STATE_RUNNING, 50 } },
	.lock_ns = { { TASKRT_LOCK_MUTEX, 10 } }, .lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
	.lock_longest = { 10, 10 },
}, {
	.name = "an end without a wait: nothing",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = { { 12, LOCK_END, 0, L1 } },
	.asked = 50,
	.states = { { TASKRT_STATE_RUNNING, 50 } },
}, {
	.name = "asked while it waits for a lock",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 1, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 3, LOCK_END, 0, L1 },
		{ 10, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 14, OUT, TASKRT_STATE_BLOCKED_OTHER },
	},
	.asked = 50,
	.states = { { TASKRT_STATE_RUNNING, 14 }, { TASKRT_STATE_BLOCKED_LOCK, 36 } },
	.lock_ns = { { TASKRT_LOCK_MUTEX, 42 } }, .lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
	.lock_longest = { 40, 10 },
}, {
	.name = "a wait for a lock that got it in no time still counts",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = { { 10, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 9, LOCK_END, 0, L1 } },
	.asked = 50,
	.states = { { TASKRT_STATE_RUNNING, 50 } },
	.lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
}, {
	.name = "a lock wait inside a fault is a lock wait",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 10, FAULT }, { 12, LOCK, TASKRT_LOCK_RWSEM_READ, L1 },
		{ 13, OUT, TASKRT_STATE_BLOCKED_IO }, { 23, WAKE }, { 24, IN },
		{ 25, LOCK_END, 0, L1 }, { 26, OUT, TASKRT_STATE_BLOCKED_IO }, { 46, WAKE },
		{ 47, IN }, { 48, FAULT_END, 1 },
	},
	.asked = 50,
	.states = {
		{ TASKRT_STATE_RUNNING, 13 + 2 + 3 }, { TASKRT_STATE_BLOCKED_LOCK, 10 },
		{ TASKRT_STATE_BLOCKED_FAULT, 20 }, { TASKRT_STATE_WOKEN, 2 },
	},
	.wakeups = 2,
	.faults = 1, .fault_ns = 38, .fault_cpu_ns = 3 + 2 + 1,
	.major_ns = 38, .fault_longest = { 38, 10 },
	.lock_ns = { { TASKRT_LOCK_RWSEM_READ, 13 } }, .lock_count = { { TASKRT_LOCK_RWSEM_READ, 1 } },
	.lock_longest = { 13, 12 },
}, {
	.name = "throttled: by a wake-up, which counts, and on the CPU; another wake-up is none",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 5, OUT, TASKRT_STATE_SLEEPING }, { 15, WAKE, 1 }, { 17, WAKE }, { 18, IN },
		{ 20, LOCK, TASKRT_LOCK_MUTEX, 1 }, { 22, OUT, TASKRT_STATE_THROTTLED }, { 26, WAKE },
		{ 30, IN }, { 31, LOCK_END, 0, 1 },
	},
	.asked = 32,
	.states = {
		{ TASKRT_STATE_RUNNING, 5 + 4 + 2 }, { TASKRT_STATE_SLEEPING, 10 },
		{ TASKRT_STATE_THROTTLED, 3 + 8 },
	},
	.wakeups = 1,
	.lock_ns = { { TASKRT_LOCK_MUTEX, 11 } }, .lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
	.lock_longest = { 11, 20 },
	.longest_of = { TASKRT_STATE_THROTTLED, 8 }, .longest_at = 22,
}, {
	.name = "yielded: amid a lock wait and a fault, and a wake-up is none",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 5, OUT, TASKRT_STATE_YIELDED }, { 8, WAKE }, { 9, WAKE, 1 }, { 15, IN },
		{ 20, LOCK, TASKRT_LOCK_MUTEX, 1 }, { 22, OUT, TASKRT_STATE_YIELDED }, { 29, IN },
		{ 31, LOCK_END, 0, 1 }, { 33, OUT, TASKRT_STATE_YIELDED },
	},
	.asked = 34,
	.states = {
		{ TASKRT_STATE_RUNNING, 5 + 7 + 4 }, { TASKRT_STATE_YIELDED, 10 + 7 + 1 },
	},
	.lock_ns = { { TASKRT_LOCK_MUTEX, 11 } }, .lock_count = { { TASKRT_LOCK_MUTEX, 1 } },
	.lock_longest = { 11, 20 },
	.longest_of = { TASKRT_STATE_YIELDED, 10 }, .longest_at = 5,
}, {
	.name = "the longest is the first of equals, not the last",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 5, OUT, TASKRT_STATE_SLEEPING }, { 15, WAKE }, { 16, IN },
		{ 20, OUT, TASKRT_STATE_SLEEPING }, { 30, WAKE }, { 31, IN },
	},
	.asked = 32,
	.states = {
		{ TASKRT_STATE_RUNNING, 10 }, { TASKRT_STATE_SLEEPING, 20 },
		{ TASKRT_STATE_WOKEN, 2 },
	},
	.wakeups = 2,
	.longest_of = { TASKRT_STATE_SLEEPING, 10 }, .longest_at = 5,
}, {
	.name = "the end: the clock stands, and no event moves it",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = {
		{ 5, OUT, TASKRT_STATE_PREEMPTED }, { 7, IN }, { 10, EXIT }, { 20, WAKE },
		{ 30, IN }, { 40, OUT, TASKRT_STATE_SLEEPING },
	},
	.asked = 50, .sample = 10,
	.states = { { TASKRT_STATE_RUNNING, 8 }, { TASKRT_STATE_PREEMPTED, 2 } },
}, {
	.name = "the end inside a wait for a lock: that stands too",
	.start = TASKRT_STATE_RUNNING, .begun = 0,
	.events = { { 5, LOCK, TASKRT_LOCK_MUTEX, L1 }, { 10, EXIT } },
	.asked = 50, .sample = 10,
	.states = { { TASKRT_STATE_RUNNING, 10 } },
	.lock_ns = { { TASKRT_LOCK_MUTEX, 5 } }, .lock_longest = { 5, 5 },
}, {
	.name = "tracked late, no event yet: the guess",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_SLEEPING_POLL, .begun = 100, .asked = 150,
	.states = { { TASKRT_STATE_SLEEPING_POLL, 50 } },
}, {
	.name = "tracked late, first switched out: it was running",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_SLEEPING, .begun = 100,
	.events = { { 120, OUT, TASKRT_STATE_SLEEPING_FUTEX } }, .asked = 150,
	.states = { { TASKRT_STATE_RUNNING, 20 }, { TASKRT_STATE_SLEEPING_FUTEX, 30 } },
}, {
	.name = "tracked late, first switched in: it was queued",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_SLEEPING, .begun = 100,
	.events = { { 120, IN } }, .asked = 150,
	.states = { { TASKRT_STATE_PREEMPTED, 20 }, { TASKRT_STATE_RUNNING, 30 } },
}, {
	.name = "tracked late, guessed woken, switched in: it was woken",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_WOKEN, .begun = 100,
	.events = { { 120, IN } }, .asked = 150,
	.states = { { TASKRT_STATE_WOKEN, 20 }, { TASKRT_STATE_RUNNING, 30 } },
}, {
	.name = "tracked late, first woken: the guess was right",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_BLOCKED_IO, .begun = 100,
	.events = { { 120, WAKE }, { 125, IN } }, .asked = 150,
	.states = {
		{ TASKRT_STATE_BLOCKED_IO, 20 }, { TASKRT_STATE_WOKEN, 5 },
		{ TASKRT_STATE_RUNNING, 25 },
	},
	.wakeups = 1,
}, {
	.name = "tracked late, first woken, guessed running: it was asleep",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_RUNNING, .begun = 100,
	.events = { { 120, WAKE } }, .asked = 150,
	.states = { { TASKRT_STATE_SLEEPING, 20 }, { TASKRT_STATE_WOKEN, 30 } },
	.wakeups = 1,
}, {
	.name = "tracked late, inside a fault: its end is not counted",
	.start = STATE_UNSEEN, .guess = TASKRT_STATE_BLOCKED_OTHER, .begun = 100,
	.events = { { 120, WAKE }, { 121, IN }, { 122, FAULT_END, 1 } }, .asked = 130,
	.states = {
		{ TASKRT_STATE_BLOCKED_OTHER, 20 }, { TASKRT_STATE_WOKEN, 1 },
		{ TASKRT_STATE_RUNNING, 9 },
	},
	.wakeups = 1,
},
};

#endif /* TASKRT_ENGINE_SEQUENCES_H */
