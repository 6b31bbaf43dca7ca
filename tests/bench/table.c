// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

static double least(const struct table_row *row)
{
	return fmin(row->values[0], fmin(row->values[1], row->values[2]));
}

static double most(const struct table_row *row)
{
	return fmax(row->values[0], fmax(row->values[1], row->values[2]));
}

static double median(const struct table_row *row)
{
	return row->values[0] + row->values[1] + row->values[2] - least(row) - most(row);
}

/* Instructions are whole numbers, so the value is rounded before it is compared. */
static const char *verdict(const struct table_row *row)
{
	double value = round(median(row));

	if (row->bar == TABLE_NO_BAR)
		return "";
	if (value <= row->ambition)
		return "ambition";
	return value <= row->bar ? "ok" : "over";
}

static void print_bar(double bar)
{
	if (bar == TABLE_NO_BAR)
		printf("%9s", "");
	else
		printf("%9.0f", bar);
}

static void print_row(const struct table_row *row)
{
	printf("%-42s%10.1f%8.1f", row->name, median(row), most(row) - least(row));
	print_bar(row->bar);
	print_bar(row->ambition);
	printf("  %-12s %s\n", row->unit, verdict(row));
}

void table_print(const struct table_row *rows, unsigned int count)
{
	unsigned int i, barred = 0, over = 0;

	printf("%-42s%10s%8s%9s%9s  %-12s %s\n", "EVENT", "MEASURED", "SPREAD", "BAR",
	       "AMBITION", "UNIT", "VERDICT");
	for (i = 0; i < count; i++) {
		print_row(&rows[i]);
		barred += rows[i].bar != TABLE_NO_BAR;
		over += !strcmp(verdict(&rows[i]), "over");
	}
	printf("%u of %u rows at or below their bar\n", barred - over, barred);
}

static void print_json_bar(const char *name, double bar)
{
	if (bar == TABLE_NO_BAR)
		printf(", \"%s\": null", name);
	else
		printf(", \"%s\": %.0f", name, bar);
}

void table_print_json(const struct table_row *rows, unsigned int count)
{
	unsigned int i;

	puts("[");
	for (i = 0; i < count; i++) {
		printf("  { \"event\": \"%s\", \"unit\": \"%s\", \"measured\": %.1f, \"spread\": %.1f",
		       rows[i].name, rows[i].unit, median(&rows[i]),
		       most(&rows[i]) - least(&rows[i]));
		print_json_bar("bar", rows[i].bar);
		print_json_bar("ambition", rows[i].ambition);
		printf(" }%s\n", i + 1 < count ? "," : "");
	}
	puts("]");
}
