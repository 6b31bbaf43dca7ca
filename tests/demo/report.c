// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define BAR	32
#define TENTHS	1000	/* of a percent, in 100 % */

struct row {
	unsigned int row;
	__u64 ns;
	unsigned int tenths;
};

/* Every state is in one row, so the rows sum to the time that passed. */
static unsigned int row_of(unsigned int state)
{
	const char *name = taskrt_state_name(state);

	switch (state) {
	case TASKRT_STATE_RUNNING:
		return REPORT_COMPUTING;
	case TASKRT_STATE_PREEMPTED:
	case TASKRT_STATE_WOKEN:
	case TASKRT_STATE_THROTTLED:
	case TASKRT_STATE_YIELDED:
		return REPORT_QUEUED;
	case TASKRT_STATE_BLOCKED_LOCK:
		return REPORT_LOCK;
	case TASKRT_STATE_BLOCKED_FAULT:
		return REPORT_FAULT;
	default:
		return name && !strncmp(name, "sleeping", 8) ? REPORT_ASLEEP : REPORT_OTHER;
	}
}

static const char *const names[REPORT_ROWS] = {
	[REPORT_COMPUTING] = "computing",
	[REPORT_QUEUED] = "waiting for a CPU",
	[REPORT_FAULT] = "waiting for a page",
	[REPORT_LOCK] = "waiting for a kernel lock",
	[REPORT_ASLEEP] = "asleep",
	[REPORT_OTHER] = "anything else",
};

const char *report_name(unsigned int row)
{
	return names[row];
}

static int longest_first(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

/* What rounding leaves over goes to the longest row, which has the most to hide it in. */
static void share_out(struct row *rows, __u64 total)
{
	unsigned int i, left = TENTHS;

	for (i = 0; i < REPORT_ROWS; i++) {
		rows[i].tenths = total ? (rows[i].ns * TENTHS + total / 2) / total : 0;
		left -= rows[i].tenths;
	}
	rows[0].tenths += left;
}

static void print_row(const struct row *row)
{
	static const char bar[] = "################################";

	printf("    %-26s %7.2f ms  %5.1f %%  %.*s\n", names[row->row], row->ns / 1e6,
	       row->tenths / 10.0, (int)(row->tenths * BAR / TENTHS), bar);
}

unsigned int report_print(const struct taskrt_reading *delta)
{
	struct row rows[REPORT_ROWS] = { 0 };
	unsigned int i;

	for (i = 0; i < REPORT_ROWS; i++)
		rows[i].row = i;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		rows[row_of(i)].ns += delta->times.states_ns[i];
	qsort(rows, REPORT_ROWS, sizeof(*rows), longest_first);
	share_out(rows, delta->stats.tracked_time_ns);
	for (i = 0; i < REPORT_ROWS; i++)
		if (rows[i].ns)
			print_row(&rows[i]);
	printf("    %-26s %7.2f ms  100.0 %%\n", "together", delta->stats.tracked_time_ns / 1e6);
	return rows[0].row;
}
