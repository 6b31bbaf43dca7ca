/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of measured values, with the limits and goals for them. */
#ifndef TABLE_H
#define TABLE_H

#define TABLE_REPEATS	3
#define TABLE_NO_BAR	-1.0	/* the row has no limit */

struct table_row {
	const char *name;
	const char *unit;
	double bar, ambition;	/* the limit, and the goal */
	double values[TABLE_REPEATS];	/* one for each round */
};

void table_print(const struct table_row *rows, unsigned int count);
void table_print_json(const struct table_row *rows, unsigned int count);

#endif
