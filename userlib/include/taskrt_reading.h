/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: what is told of a thread or a process, however it was asked.
 *
 * Included by taskrt.h.  C and C++.
 */
#ifndef TASKRT_READING_H
#define TASKRT_READING_H

#include <stdint.h>
#include <linux/taskrt.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A flag of what is read: these are the last values, and nothing moves any more.  The thread
 * has ended, accounting was switched off, or exact times were forbidden.
 */
#define TASKRT_FINAL		1u

/* No such thing, where a number is told. */
#define TASKRT_NONE		0xffffffffu

/*
 * What is told of one thread, process or sum of children.  It is all yours: nothing
 * in it points anywhere.  Groups that were not asked for, or that the module
 * does not know, read 0, and their bit of groups is clear.
 */
struct taskrt_reading {			/* 2048 bytes; what is later goes behind */
	uint32_t groups;		/* TASKRT_GROUP_*: those that are here */
	uint32_t flags;			/* TASKRT_FINAL */
	uint64_t reserved[7];
	union {
		struct taskrt_stats stats;
		uint64_t stats_room[40];
	};
	struct taskrt_times times;	/* TASKRT_GROUP_TIMES */
	union {
		struct taskrt_counts counts;	/* TASKRT_GROUP_COUNTS */
		uint64_t counts_room[80];
	};
	struct taskrt_longests longests;	/* TASKRT_GROUP_LONGEST */
};

/** taskrt_has() - are all these fields known? @valid: TASKRT_VALID_* */
static inline int taskrt_has(const struct taskrt_stats *stats, uint64_t valid)
{
	return (stats->valid & valid) == valid;
}

/** taskrt_measures() - is element @n measured? @bits: one of struct taskrt_measured */
static inline int taskrt_measures(uint64_t bits, unsigned int n)
{
	return n < 64 && bits >> n & 1;
}

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_READING_H */
