// SPDX-License-Identifier: GPL-2.0-only
/* Where the time of a thread or a process went: its states, ranked. */
#include <stdlib.h>
#include <string.h>

#include "common/element.h"
#include "common/state.h"
#include "common/text.h"
#include "common/units.h"
#include "report/report.h"

static int longest_first(const void *one, const void *other)
{
	const struct rank_row *a = one, *b = other;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->state < b->state ? -1 : a->state > b->state;
}

static void add_row(struct rank *rank, unsigned int state, uint64_t ns)
{
	if (!ns)
		return;
	rank->rows[rank->count].state = state;
	rank->rows[rank->count++].ns = ns;
	rank->total_ns += ns;
}

void rank_states(struct rank *rank, const struct taskrt_reading *reading, uint64_t not_alive_ns)
{
	uint64_t parts[TASKRT_STATES_ROOM + 1] = { 0 };
	unsigned int permille[TASKRT_STATES_ROOM + 1];
	struct element state;
	size_t i;

	rank->count = 0;
	rank->total_ns = 0;
	for_each_element(&state, reading, TASKRT_NAME_STATE)
		add_row(rank, state.number, state.ns);
	add_row(rank, RANK_NOT_ALIVE, not_alive_ns);
	qsort(rank->rows, rank->count, sizeof(rank->rows[0]), longest_first);

	for (i = 0; i < rank->count; i++)
		parts[i] = rank->rows[i].ns;
	units_shares(permille, parts, rank->count);
	for (i = 0; i < rank->count; i++)
		rank->rows[i].permille = permille[i];
}

static void print_not_alive(FILE *out, const struct rank_row *row)
{
	char time[UNITS_MAX], share[UNITS_MAX];

	fprintf(out, "  %-15s  %7s  %5s %%  before it began, and after it ended\n", "(not alive)",
		units_time(time, row->ns), units_share(share, row->permille));
}

static void print_state(FILE *out, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, const struct rank_row *row,
			uint64_t start_ns)
{
	char time[UNITS_MAX], share[UNITS_MAX], text[STATE_GLOSS_MAX], site[TASKRT_SITE_ROOM];
	const struct element state = element_of(reading, TASKRT_NAME_STATE, row->state);
	const char *gloss = state_gloss(text, row->state);
	const int follows = state.longest.ns || !state.peaked;

	fprintf(out, "  %-15s  %7s  %5s %%", state.name, units_time(time, row->ns),
		units_share(share, row->permille));
	/* Pad only if something follows. */
	if (*gloss || follows)
		fprintf(out, "  %-*s", follows ? 25 : 0, gloss);
	report_longest(out, &reading->stats, &state, start_ns,
		       sites ? text_safe(site, sizeof(site), sites->states[row->state],
					 TASKRT_SITE_ROOM) : "");
	fprintf(out, "\n");
}

/* Print the states without a row, one line for each reason. */
static void print_absent(FILE *out, const struct taskrt_reading *reading, int measured,
			 const char *words)
{
	const char *separator = "";
	struct element state;
	int column = 0;

	for_each_element(&state, reading, TASKRT_NAME_STATE) {
		if (state.timed != measured || state.ns)
			continue;
		if (!column)
			column = fprintf(out, "  %s: ", words);
		if (column + strlen(separator) + strlen(state.name) > 98) {
			fprintf(out, ",\n");
			column = fprintf(out, "    ");
			separator = "";
		}
		column += fprintf(out, "%s%s", separator, state.name);
		separator = ", ";
	}
	if (column)
		fprintf(out, "\n");
}

void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns, uint64_t start_ns)
{
	char total[UNITS_MAX];
	struct rank rank;
	size_t i;

	if (!reading_has_states(reading)) {
		fprintf(out, "  the states were %s\n", NOT_MEASURED);
		return;
	}
	rank_states(&rank, reading, not_alive_ns);
	fprintf(out, "  %-15s  %7s  %7s  %-25s  %7s  %*s\n", "STATE", "TIME", "SHARE", "",
		"LONGEST", LONGEST_WIDTH, report_longest_head(start_ns));
	for (i = 0; i < rank.count; i++)
		if (rank.rows[i].state == RANK_NOT_ALIVE)
			print_not_alive(out, &rank.rows[i]);
		else
			print_state(out, reading, sites, &rank.rows[i], start_ns);
	fprintf(out, "  %-15s  %7s  %7s\n", "total", units_time(total, rank.total_ns),
		rank.count ? "100.0 %" : "-");
	print_absent(out, reading, 1, "never");
	print_absent(out, reading, 0, NOT_MEASURED);
}
