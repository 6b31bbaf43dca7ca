/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes that have ended descend from a command, and their sum. */
#ifndef TOOLS_RUN_DESCENDANTS_H
#define TOOLS_RUN_DESCENDANTS_H

#include <stddef.h>
#include <stdint.h>
#include <taskrt.h>

#include "common/json.h"

/* Processes that have ended, together. */
struct family_sum {
	uint64_t processes;
	uint64_t threads;
	struct taskrt_reading reading;	/* as sum_add() makes it */
};

/* One that has ended, to tell the children that are told after it. */
struct family_ended {
	uint32_t pid, ppid;
	uint64_t start_ns, end_ns;
};

/* What is to be asked of processes for this. */
#define FAMILY_GROUPS	JSON_GROUPS

#define FAMILY_ENDED	1024

struct family {
	uint32_t reaper;	/* gets the orphans */
	uint32_t command;	/* its child, whose family this is; 0: not known yet */
	uint64_t since_ns;	/* nobody of the family is older */
	int command_ended;
	struct family_sum sum;	/* of the descendants, without the command: after family_close() */

	void *branches;		/* a tree of the sums below processes that may still live */
	struct family_ended ended[FAMILY_ENDED];
	size_t ended_count;
};

void family_begin(struct family *family, uint32_t reaper, uint64_t since_ns);
void family_end(struct family *family);

/* A process has ended: to be told of each, in the order in which they ended, family or not. */
void family_take(struct family *family, const struct taskrt_reading *process);

/*
 * Nobody is told of any more: what there is makes the sum.  Some of it stands
 * below processes that still live; descends says whether one is of the family.
 * NULL: none is.
 */
void family_close(struct family *family, int (*descends)(uint32_t reaper, uint32_t pid));

/* Has the end of a process with this id been told, lately? */
int family_has_ended(const struct family *family, uint32_t pid);

#endif
