/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns: their text, and the values that they are sorted by. */
#ifndef TOOLS_TOP_COLUMN_H
#define TOOLS_TOP_COLUMN_H

#include "top/round.h"

/* From left to right. */
enum top_column {
	TOP_COLUMN_PID,
	TOP_COLUMN_TID,
	TOP_COLUMN_USER,
	TOP_COLUMN_CLASS,
	TOP_COLUMN_STATE,
	TOP_COLUMN_CPU,		/* to SLEEP: the shares, in their order */
	TOP_COLUMN_QUEUE,
	TOP_COLUMN_LOCK,
	TOP_COLUMN_FAULT,
	TOP_COLUMN_IO,
	TOP_COLUMN_BLOCK,
	TOP_COLUMN_SLEEP,
	TOP_COLUMN_WAIT,	/* QUEUE to BLOCK */
	TOP_COLUMN_SYSTEM,
	TOP_COLUMN_SWITCHES,
	TOP_COLUMN_GHZ,
	TOP_COLUMN_CPI,
	TOP_COLUMN_COMM,
	TOP_NR_COLUMNS,
};

struct top_column_kind {
	const char *name;	/* after --sort */
	const char *head;
	int width;		/* with the blank before it */
	int left;		/* aligned to the left; else to the right */
	int ascending;		/* the order, unless reversed */
};

extern const struct top_column_kind top_columns[TOP_NR_COLUMNS];

/* Return: the column; -1: there is none of this name. */
int top_column_find(const char *name);

/* All names, separated by blanks. */
const char *top_column_names(void);

#define TOP_CELL_MAX	64

/* The text of a cell: "-" if it is not known or was not measured. */
const char *top_column_cell(char text[TOP_CELL_MAX], enum top_column column,
			    const struct top_row *row);

/* A number to sort by, or TOP_UNKNOWN.  COMM is text and has none. */
#define TOP_UNKNOWN	(-1.0)
double top_column_value(enum top_column column, const struct top_row *row);

/*
 * The columns, a bit each, that a line of so many characters has room for; 0: all.  The column that
 * is sorted by stays, and the most useful columns are dropped last.
 */
unsigned int top_column_fit(int width, enum top_column sorted);

#endif
