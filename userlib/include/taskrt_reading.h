/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: the measurements of a thread or process, which all queries return.
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
 * A flag of a reading: the values are final, because the thread has ended, accounting
 * was switched off, or reading exact times was forbidden (parameter coarse_ns).  Of mapped
 * counters they date from that moment; over netlink they date from the last
 * successful read, and lack what came after it.
 */
#define TASKRT_FINAL		1u

/* Stands for "none" in a field that contains a number. */
#define TASKRT_NONE		0xffffffffu

/*
 * The measurements of one thread, process or sum of children.  The structure contains
 * no pointers.  A group that was not requested, or that the module does not know,
 * reads 0, and its bit in groups is clear.
 */
struct taskrt_reading {			/* 2176 bytes; new members are appended */
	uint32_t groups;		/* TASKRT_GROUP_*: the groups that are present */
	uint32_t flags;			/* TASKRT_FINAL */
	uint64_t reserved[7];
	union {
		struct taskrt_stats stats;
		uint64_t stats_room[40];
	};
	struct taskrt_times times;	/* TASKRT_GROUP_TIMES */
	union {
		struct taskrt_counts counts;	/* TASKRT_GROUP_COUNTS */
		uint64_t counts_room[96];
	};
	struct taskrt_longests longests;	/* TASKRT_GROUP_LONGEST */
};

/**
 * taskrt_has() - check whether fields of the statistics are known
 * @valid: mask of TASKRT_VALID_*
 * Return: 1 if all of these fields are known, else 0.
 * Real time: safe.
 */
static inline int taskrt_has(const struct taskrt_stats *stats, uint64_t valid)
{
	return (stats->valid & valid) == valid;
}

/**
 * taskrt_measures() - check whether an element of an array is measured
 * @bits: the mask of struct taskrt_measured with the name of the array
 * @n: the index of the element; may be any number
 * Return: 1 if the element is measured, else 0.
 * Real time: safe.
 */
static inline int taskrt_measures(uint64_t bits, unsigned int n)
{
	return n < 64 && bits >> n & 1;
}

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_READING_H */
