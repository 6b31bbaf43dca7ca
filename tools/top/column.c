// SPDX-License-Identifier: GPL-2.0-only
/* The columns: their text, and the values that they are sorted by. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/names.h"
#include "common/text.h"
#include "common/units.h"
#include "top/column.h"

/* Thread ids have up to 7 digits, because the kernel's limit is 4194304; user ids have up to 10. */
const struct top_column_kind top_columns[TOP_NR_COLUMNS] = {
	[TOP_COLUMN_PID] = { "pid", "PID", 8, 0, 1 },
	[TOP_COLUMN_TID] = { "tid", "TID", 8, 0, 1 },
	[TOP_COLUMN_USER] = { "user", "USER", 11, 1, 1 },
	[TOP_COLUMN_CLASS] = { "class", "CLASS", 7, 1, 0 },
	[TOP_COLUMN_STATE] = { "state", "STATE", 15, 1, 1 },
	[TOP_COLUMN_CPU] = { "cpu", "CPU%", 6, 0, 0 },
	[TOP_COLUMN_QUEUE] = { "queue", "QUEUE%", 7, 0, 0 },
	[TOP_COLUMN_LOCK] = { "lock", "LOCK%", 6, 0, 0 },
	[TOP_COLUMN_FAULT] = { "fault", "FAULT%", 7, 0, 0 },
	[TOP_COLUMN_IO] = { "io", "IO%", 6, 0, 0 },
	[TOP_COLUMN_BLOCK] = { "block", "BLOCK%", 7, 0, 0 },
	[TOP_COLUMN_SLEEP] = { "sleep", "SLEEP%", 7, 0, 0 },
	[TOP_COLUMN_WAIT] = { "wait", "WAIT%", 6, 0, 0 },
	[TOP_COLUMN_SYSTEM] = { "system", "SYS%", 6, 0, 0 },
	[TOP_COLUMN_SWITCHES] = { "switches", "SW/S", 8, 0, 0 },
	[TOP_COLUMN_GHZ] = { "ghz", "GHZ", 6, 0, 0 },
	[TOP_COLUMN_CPI] = { "cpi", "CPI", 6, 0, 0 },
	[TOP_COLUMN_COMM] = { "comm", "COMM", 16, 1, 1 },
};

/* Columns are dropped in this order if there is little room; TID and COMM stay. */
static const unsigned char dropped[] = {
	TOP_COLUMN_CPI, TOP_COLUMN_GHZ,
	TOP_COLUMN_SYSTEM, TOP_COLUMN_SWITCHES, TOP_COLUMN_STATE, TOP_COLUMN_WAIT,
	TOP_COLUMN_USER, TOP_COLUMN_CLASS, TOP_COLUMN_SLEEP, TOP_COLUMN_BLOCK,
	TOP_COLUMN_PID, TOP_COLUMN_IO, TOP_COLUMN_FAULT, TOP_COLUMN_LOCK,
	TOP_COLUMN_QUEUE, TOP_COLUMN_CPU,
};

#define SECOND	1e9

int top_column_find(const char *name)
{
	int i;

	for (i = 0; i < TOP_NR_COLUMNS; i++)
		if (!strcmp(top_columns[i].name, name))
			return i;
	return -1;
}

const char *top_column_names(void)
{
	static char names[TOP_NR_COLUMNS * 10];
	size_t used = 0;
	int i;

	for (i = 0; i < TOP_NR_COLUMNS; i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? " " : "",
					 top_columns[i].name);
	return names;
}

static int is_share(enum top_column column)
{
	return column >= TOP_COLUMN_CPU && column <= TOP_COLUMN_SLEEP;
}

/* Return: 0: no part of it was measured. */
static int waited(const struct top_row *row, uint64_t *ns)
{
	int share, measured, any = 0;

	*ns = 0;
	for (share = SHARE_QUEUE; share <= SHARE_BLOCK; share++) {
		*ns += top_row_share_ns(row, share, &measured);
		any |= measured;
	}
	return any;
}

static int share_ns(enum top_column column, const struct top_row *row, uint64_t *ns)
{
	int measured;

	if (column == TOP_COLUMN_WAIT)
		return waited(row, ns);
	*ns = top_row_share_ns(row, column - TOP_COLUMN_CPU, &measured);
	return measured;
}

static double share_value(enum top_column column, const struct top_row *row)
{
	uint64_t ns;

	if (!row->known || !row->base_ns || !share_ns(column, row, &ns))
		return TOP_UNKNOWN;
	return (double)ns / (double)row->base_ns;
}

static int counts(const struct top_row *row, unsigned int value)
{
	return row->known && row->base_ns && taskrt_measures(row->counted, value);
}

/*
 * A part of CPU, and no share of its own.  The kernel divides the CPU time as of its last tick, so
 * the difference of two readings may exceed it by a tick.
 */
static double system_value(const struct top_row *row)
{
	const double cpu = share_value(TOP_COLUMN_CPU, row);
	double system;

	if (!counts(row, TASKRT_VALUE_SYSTEM_NS))
		return TOP_UNKNOWN;
	system = (double)row->values[TASKRT_VALUE_SYSTEM_NS] / (double)row->base_ns;
	return cpu != TOP_UNKNOWN && system > cpu ? cpu : system;
}

static double switches(const struct top_row *row)
{
	if (!counts(row, TASKRT_VALUE_VOLUNTARY_SWITCHES) ||
	    !counts(row, TASKRT_VALUE_INVOLUNTARY_SWITCHES))
		return TOP_UNKNOWN;
	return (double)(row->values[TASKRT_VALUE_VOLUNTARY_SWITCHES] +
			row->values[TASKRT_VALUE_INVOLUNTARY_SWITCHES]) /
	       ((double)row->base_ns / SECOND);
}

/*
 * Cycles per nanosecond in which they were counted, or per instruction.  The counts of a running
 * thread date from its last switch, so the divisor may be 0.
 */
static double cycles_per(unsigned int value, const struct top_row *row)
{
	if (!counts(row, TASKRT_VALUE_CYCLES) || !counts(row, value) || !row->values[value])
		return TOP_UNKNOWN;
	return (double)row->values[TASKRT_VALUE_CYCLES] / (double)row->values[value];
}

double top_column_value(enum top_column column, const struct top_row *row)
{
	switch (column) {
	case TOP_COLUMN_PID:
		return row->tgid;
	case TOP_COLUMN_TID:
		return row->tid;
	case TOP_COLUMN_USER:
		return row->uid;
	case TOP_COLUMN_CLASS:
		return top_class_rank(&row->class);
	case TOP_COLUMN_STATE:
		return row->state;
	case TOP_COLUMN_SYSTEM:
		return system_value(row);
	case TOP_COLUMN_SWITCHES:
		return switches(row);
	case TOP_COLUMN_GHZ:
		return cycles_per(TASKRT_VALUE_CYCLES_NS, row);
	case TOP_COLUMN_CPI:
		return cycles_per(TASKRT_VALUE_INSTRUCTIONS, row);
	case TOP_COLUMN_COMM:
		return 0;
	default:
		return share_value(column, row);
	}
}

/* Shares are rounded together, so that they still sum to 100. */
static const char *share_cell(char *text, enum top_column column, const struct top_row *row)
{
	unsigned int permille[NR_SHARES], share, sum = 0;
	uint64_t ns;

	if (!row->known || !share_ns(column, row, &ns))
		return "-";
	top_row_permille(row, permille);
	if (column != TOP_COLUMN_WAIT)
		return units_share(text, permille[column - TOP_COLUMN_CPU]);
	for (share = SHARE_QUEUE; share <= SHARE_BLOCK; share++)
		sum += permille[share];
	return units_share(text, sum);
}

static const char *class_cell(char *text, const struct top_row *row)
{
	const char *name = top_class_name(&row->class);

	if (row->class.priority)
		snprintf(text, TOP_CELL_MAX, "%s %d", name, row->class.priority);
	else
		snprintf(text, TOP_CELL_MAX, "%s", name);
	return text;
}

static const char *switches_cell(char *text, const struct top_row *row)
{
	double value = switches(row);

	if (value == TOP_UNKNOWN)
		return "-";
	snprintf(text, TOP_CELL_MAX, value < 9.95 && value > 0 ? "%.1f" : "%.0f", value);
	return text;
}

static const char *system_cell(char *text, const struct top_row *row)
{
	double value = system_value(row);

	if (value == TOP_UNKNOWN)
		return "-";
	return units_share(text, (unsigned int)(value * 1000 + 0.5));
}

/* Three digits, or all digits before the point if there are more. */
static const char *quotient_cell(char *text, double value)
{
	if (value == TOP_UNKNOWN)
		return "-";
	snprintf(text, TOP_CELL_MAX, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
	return text;
}

static const char *number(char *text, uint32_t value)
{
	snprintf(text, TOP_CELL_MAX, "%" PRIu32, value);
	return text;
}

const char *top_column_cell(char text[TOP_CELL_MAX], enum top_column column,
			    const struct top_row *row)
{
	if (is_share(column) || column == TOP_COLUMN_WAIT)
		return share_cell(text, column, row);
	switch (column) {
	case TOP_COLUMN_PID:
		return number(text, row->tgid);
	case TOP_COLUMN_TID:
		return number(text, row->tid);
	case TOP_COLUMN_USER:
		return top_user_name(row->uid);
	case TOP_COLUMN_CLASS:
		return class_cell(text, row);
	case TOP_COLUMN_STATE:
		return names_state(row->state);
	case TOP_COLUMN_SYSTEM:
		return system_cell(text, row);
	case TOP_COLUMN_GHZ:
	case TOP_COLUMN_CPI:
		return quotient_cell(text, top_column_value(column, row));
	case TOP_COLUMN_COMM:
		return text_safe(text, sizeof(row->comm), row->comm, sizeof(row->comm));
	default:
		return switches_cell(text, row);
	}
}

unsigned int top_column_fit(int width, enum top_column sorted)
{
	unsigned int columns = (1U << TOP_NR_COLUMNS) - 1;
	size_t i;
	int sum = 0;

	for (i = 0; i < TOP_NR_COLUMNS; i++)
		sum += top_columns[i].width;
	for (i = 0; width && sum > width && i < sizeof(dropped); i++) {
		if (dropped[i] == sorted)
			continue;
		columns &= ~(1U << dropped[i]);
		sum -= top_columns[dropped[i]].width;
	}
	return columns;
}
