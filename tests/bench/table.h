/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured against what it may be. */
#ifndef TABLE_H
#define TABLE_H

#define TABLE_REPEATS	3
#define TABLE_NO_BAR	-1.0	/* only for comparison */

struct table_row {
	const char *name;
	const char *unit;
	double bar, ambition;
	double values[TABLE_REPEATS];
};

void table_print(const struct table_row *rows, unsigned int count);
void table_print_json(const struct table_row *rows, unsigned int count);

#endif
