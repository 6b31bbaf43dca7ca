/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time went: one row a reason, ranked, 100 % together. */
#ifndef REPORT_H
#define REPORT_H

#include <taskrt.h>

enum report_row {
	REPORT_COMPUTING,
	REPORT_QUEUED,
	REPORT_FAULT,
	REPORT_LOCK,
	REPORT_ASLEEP,
	REPORT_OTHER,
	REPORT_ROWS,
};

/* The name of a row. */
const char *report_name(unsigned int row);
/* Prints the rows of one piece of work, longest first.  Return: the first. */
unsigned int report_print(const struct taskrt_reading *delta);

#endif
