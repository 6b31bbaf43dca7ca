// SPDX-License-Identifier: GPL-2.0-only
/* One sentence: what most of the time went to, and what kept the threads from running. */
#include "common/element.h"
#include "common/names.h"
#include "common/state.h"
#include "common/text.h"
#include "common/units.h"
#include "report/report.h"

/* A state without words is shown by its name, with its cause. */
static void print_state(FILE *out, unsigned int state)
{
	const unsigned int cause = state_cause(state);
	const char *phrase = state_phrase(cause);

	if (cause != state || !phrase)
		fprintf(out, "in %s%s", names_state(state), phrase ? ", that is " : "");
	if (phrase)
		fprintf(out, "%s", phrase);
}

/* "blocked on a kernel lock, longest 1.20 s in ext4_file_write_iter" */
static void print_row(FILE *out, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites, const struct rank_row *row)
{
	const struct element state = element_of(reading, TASKRT_NAME_STATE, row->state);
	char longest[UNITS_MAX], site[TASKRT_SITE_ROOM];

	print_state(out, row->state);
	if (!state.longest.ns)
		return;
	fprintf(out, ", longest %s", units_time(longest, state.longest.ns));
	if (sites && *text_safe(site, sizeof(site), sites->states[row->state], TASKRT_SITE_ROOM))
		fprintf(out, " in %s", site);
}

static int is_wait(const struct rank_row *row)
{
	const enum share share = state_share(row->state);

	return share >= SHARE_QUEUE && share <= SHARE_BLOCK;
}

/* If the longest state is not a wait, the waits are named as well. */
static void print_waits(FILE *out, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, const struct rank *rank)
{
	const struct rank_row *most = NULL;
	char time[UNITS_MAX];
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < rank->count; i++) {
		if (!is_wait(&rank->rows[i]))
			continue;
		if (!most)
			most = &rank->rows[i];
		sum += rank->rows[i].ns;
	}
	if (!most)
		return;
	fprintf(out, "; kept from running for %s, mostly ", units_time(time, sum));
	print_row(out, reading, sites, most);
}

void report_verdict(FILE *out, const char *before, const struct taskrt_reading *reading,
		    const struct taskrt_sites *sites)
{
	char share[UNITS_MAX];
	struct rank rank;

	if (!reading_has_states(reading))
		return;
	rank_states(&rank, reading, 0);
	if (!rank.count)
		return;
	fprintf(out, "%s%s %% ", before, units_share(share, rank.rows[0].permille));
	print_row(out, reading, sites, &rank.rows[0]);
	if (!is_wait(&rank.rows[0]))
		print_waits(out, reading, sites, &rank);
	fprintf(out, "\n");
}
