/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes that have ended descend from a command, and their sum. */
#ifndef TOOLS_RUN_DESCENDANTS_H
#define TOOLS_RUN_DESCENDANTS_H

#include <stddef.h>
#include <stdint.h>
#include <taskrt.h>

#include "common/reading_json.h"

/* Processes that have ended, together. */
struct descendants_sum {
	uint64_t processes;
	uint64_t threads;
	struct taskrt_reading reading;	/* as sum_add() makes it */
};

/* One that has ended, kept for children whose exits are delivered after it. */
struct descendants_ended {
	uint32_t pid, ppid;
	uint64_t start_ns, end_ns;
};

/* The groups that the records of exits need. */
#define DESCENDANTS_GROUPS	READING_JSON_GROUPS

#define DESCENDANTS_ENDED	1024

struct descendants {
	uint32_t reaper;	/* gets the orphans */
	uint32_t command;	/* its child, whose descendants these are; 0: not known yet */
	uint64_t since_ns;	/* none of them is older */
	/* Of the descendants, without the command: after descendants_close(). */
	struct descendants_sum sum;

	void *branches;		/* a tree of the sums below processes that may still live */
	struct descendants_ended ended[DESCENDANTS_ENDED];
	size_t ended_count;
};

void descendants_begin(struct descendants *descendants, uint32_t reaper, uint64_t since_ns);
void descendants_end(struct descendants *descendants);

/* A process has ended: called for each, in the order in which they ended, a descendant or not. */
void descendants_take(struct descendants *descendants, const struct taskrt_reading *process);

/*
 * No more exits are delivered: make the sum of what there is.  Some of it stands
 * below processes that still live; descends says whether one is of the descendants.
 * NULL: none is.
 */
void descendants_close(struct descendants *descendants,
		       int (*descends)(uint32_t reaper, uint32_t pid));

/* Was the exit of a process with this ID delivered lately? */
int descendants_has_ended(const struct descendants *descendants, uint32_t pid);

#endif
