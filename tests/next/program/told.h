/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reading of the scenario's thread must contain, by who wrote it and who reads it. */
#ifndef TASKRT_NEXT_TOLD_H
#define TASKRT_NEXT_TOLD_H

#include <stdbool.h>
#include <stdint.h>
#include "taskrt.h"

/* Are the library, the module, and the writer of the file of the next version? */
extern bool next_library, next_module, next_file;

/* Is this program? */
#ifdef TASKRT_GROUP_SLICES
#define NEXT_PROGRAM	true
#else
#define NEXT_PROGRAM	false
#endif

#define ALL_GROUPS	0x0fU	/* as the next version has them */

/* Where a reading comes from. */
struct told_of {
	bool next;		/* the module that measured it is of the next version */
	bool next_reader;	/* and so is the library that read it */
	bool page;		/* from the page: no counters of the kernel, no cgroup */
	bool ended;
	uint32_t entity;
	uint32_t groups;	/* that were requested */
};

void told_check(const struct taskrt_reading *reading, const struct told_of *of);

/* The sum of the states' times, of all that there is room for. */
uint64_t told_sum(const __u64 *states_ns);

/* How much of a window has this cause. */
uint64_t told_share(const struct taskrt_explanation *e, uint32_t cause);

/*
 * Checks the times of the thread at later ns after END.  next: the module is of the next
 * version.
 */
void told_times(const struct taskrt_times *times, bool next, uint64_t later);

#endif /* TASKRT_NEXT_TOLD_H */
