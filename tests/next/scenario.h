/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens to the one thread that both modules report.  It is the same for both,
 * except for what only the next version has a name for.  It is written in numbers, so that
 * it fits the headers of both.
 */
#ifndef TASKRT_NEXT_SCENARIO_H
#define TASKRT_NEXT_SCENARIO_H

#include <stdint.h>

/* What is new in the next version. */
#define NEW_STATE	22	/* its parent: */
#define OLD_STATE	10	/* SLEEPING */
#define NEW_TIMER	13
#define NEW_LOCK	7
#define OLD_LOCK	4	/* OTHER */
#define NEW_VALUE	40
#define NEW_GROUP	(1U << 3)
#define NEW_AFFINITY	0xaf00aa01ULL
#define NEW_WEIGHT	0x4e02ee03ULL
#define NEW_SLICES	0x51100005ULL
#define NEW_VALUE_IS	77
#define NEW_UPTIME	4711
#define NEW_WAITERS	3
#define NEW_REASON	3
#define OLD_STATES	12	/* in which the thread was */
#define OLD_TIMERS	2
#define OLD_LOCKS	5
#define OLD_VALUES	9
#define PAGE_VALUES	7

/* Who it is. */
#define TID		77
#define TGID		70
#define PPID		7
#define UID		1000
#define GID		1001
#define CPU		3
#define COMM		"scenario"
#define CREATED		900000000ULL
#define EXIT_CODE	0x900
#define CGROUP		4242
#define VOLUNTARY	11
#define INVOLUNTARY	12
#define MINOR_FAULTS	13
#define MAJOR_FAULTS	14
#define USER_NS		15000000
#define SYSTEM_NS	16000000

/* Tracked since then, in each of the first twelve states once. */
#define BORN		1000000000ULL

static inline uint64_t stay_ns(unsigned int state)
{
	return 1001 * (state + 1);
}

static inline uint64_t stays_until(unsigned int state)
{
	uint64_t at = BORN;

	while (state--)
		at += stay_ns(state);
	return at;
}

/* Then it runs, then is in the new state, then waits for a lock until END and longer. */
#define TURN		stays_until(OLD_STATES)
#define RAN_NS		500
#define NEW_STATE_NS	40000
#define WAITED_NS	7000
#define END		(TURN + RAN_NS + NEW_STATE_NS + WAITED_NS)

/* Two faults have finished, and one goes on for so long at END. */
#define MINOR_NS	5000
#define MAJOR_NS	7000
#define FAULTING_NS	300

/* So have waits for locks of each old kind, and then of the new kind, which was OLD_LOCK's. */
static inline uint64_t lock_ns(unsigned int lock)
{
	return 101 + lock;
}

#define SWAPOUT_NS	4000

#endif /* TASKRT_NEXT_SCENARIO_H */
