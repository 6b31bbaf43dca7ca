/* SPDX-License-Identifier: GPL-2.0-only */
/* Many threads, a line each. */
#ifndef TOOLS_GET_TABLE_H
#define TOOLS_GET_TABLE_H

#include <stdio.h>
#include <taskrt.h>

/* The groups that are shown of a thread. */
#define TABLE_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST)

struct table {
	FILE *out;
	int with_pid;		/* a column for the process */
	int missing;		/* set if a cell was not measured */
};

void table_begin(struct table *table, FILE *out, int with_pid);
void table_row(struct table *table, const struct taskrt_reading *reading);
void table_end(struct table *table);

#endif
