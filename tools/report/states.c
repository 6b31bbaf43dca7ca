// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "common/names.h"
#include "common/rank.h"
#include "common/reading.h"
#include "common/state.h"
#include "common/text.h"
#include "common/units.h"
#include "report/longest.h"
#include "report/missing.h"
#include "report/states.h"

static void print_state(FILE *out, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, const struct rank_row *row)
{
	char time[UNITS_MAX], share[UNITS_MAX], text[STATE_GLOSS_MAX], site[TASKRT_SITE_ROOM];
	const struct taskrt_longest *longest;
	const char *gloss;
	int known, follows;

	fprintf(out, "  %-14s  %7s  %5s %%",
		row->state == RANK_NOT_ALIVE ? "(not alive)" : names_state(row->state),
		units_time(time, row->ns), units_share(share, row->permille));
	if (row->state == RANK_NOT_ALIVE) {
		fprintf(out, "  before it began, and after it ended\n");
		return;
	}
	known = reading_has_state(reading, TASKRT_GROUP_LONGEST, row->state);
	longest = &reading->longests.states[row->state];
	gloss = state_gloss(text, row->state);
	follows = longest->ns || !known;
	/* Pad only if something follows. */
	if (*gloss || follows)
		fprintf(out, "  %-*s", follows ? 25 : 0, gloss);
	report_longest(out, &reading->stats, known, longest,
		       sites ? text_safe(site, sizeof(site), sites->states[row->state],
					 TASKRT_SITE_ROOM) : "");
	fprintf(out, "\n");
}

/* Print the states without a row, one line for each reason. */
static void print_absent(FILE *out, const struct taskrt_reading *reading, int measured,
			 const char *words)
{
	const char *separator = "";
	unsigned int state;
	int column = 0;

	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		const char *name;

		if (!names_shown(TASKRT_NAME_STATE, reading->stats.measured.states, state) ||
		    reading_has_state(reading, TASKRT_GROUP_TIMES, state) != measured ||
		    (measured && reading->times.states_ns[state]))
			continue;
		name = names_state(state);
		if (!column)
			column = fprintf(out, "  %s: ", words);
		if (column + strlen(separator) + strlen(name) > 98) {
			fprintf(out, ",\n");
			column = fprintf(out, "    ");
			separator = "";
		}
		column += fprintf(out, "%s%s", separator, name);
		separator = ", ";
	}
	if (column)
		fprintf(out, "\n");
}

void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns)
{
	char total[UNITS_MAX];
	struct rank rank;
	size_t i;

	if (!reading_has_states(reading)) {
		fprintf(out, "  the states were %s\n", NOT_MEASURED);
		return;
	}
	rank_states(&rank, reading, not_alive_ns);
	fprintf(out, "  %-14s  %7s  %7s  %-25s  %7s  %14s\n", "STATE", "TIME", "SHARE", "",
		"LONGEST", "BEGAN AT");
	for (i = 0; i < rank.count; i++)
		print_state(out, reading, sites, &rank.rows[i]);
	fprintf(out, "  %-14s  %7s  %7s\n", "total", units_time(total, rank.total_ns),
		rank.count ? "100.0 %" : "-");
	print_absent(out, reading, 1, "never");
	print_absent(out, reading, 0, NOT_MEASURED);
}
