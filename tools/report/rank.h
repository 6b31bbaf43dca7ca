/* SPDX-License-Identifier: GPL-2.0-only */
/* The states of one reading, longest first, each with its share. */
#ifndef TOOLS_REPORT_RANK_H
#define TOOLS_REPORT_RANK_H

#include <stddef.h>
#include <taskrt.h>

/* In addition to the states: the part of the time in which the thread did not live. */
#define RANK_NOT_ALIVE	((unsigned int)TASKRT_STATES_ROOM)

struct rank_row {
	unsigned int state;	/* enum taskrt_state or RANK_NOT_ALIVE */
	uint64_t ns;
	unsigned int permille;
};

struct rank {
	struct rank_row rows[TASKRT_STATES_ROOM + 1];
	size_t count;			/* rows whose time is not 0 */
	uint64_t total_ns;		/* 100 % */
};

/*
 * not_alive_ns is 0, or a part of the whole in which the thread did not exist.
 * States with no time, and states that were not measured, get no row.
 */
void rank_states(struct rank *rank, const struct taskrt_reading *reading, uint64_t not_alive_ns);

#endif
