/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reading of the scenario's thread says, by who wrote it and who reads it. */
#ifndef TASKRT_NEXT_TOLD_H
#define TASKRT_NEXT_TOLD_H

#include <stdbool.h>
#include <stdint.h>
#include "taskrt.h"

/* Is it of the next version: the library, the module, what wrote the file? */
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
	bool next;		/* who measured it is of the next version */
	bool next_reader;	/* and so is the library that read it */
	bool page;		/* by the page: no counters of the kernel's, no cgroup */
	bool ended;
	uint32_t entity;
	uint32_t groups;	/* that were asked for */
};

void told_check(const struct taskrt_reading *reading, const struct told_of *of);

/* The states' times, all that there is room for. */
uint64_t told_sum(const __u64 *states_ns);

/* So much of a window has this cause. */
uint64_t told_share(const struct taskrt_explanation *e, uint32_t cause);

/* The times of the thread so long after END, of a module or a page that is next's or is not. */
void told_times(const struct taskrt_times *times, bool next, uint64_t later);

#endif /* TASKRT_NEXT_TOLD_H */
