// SPDX-License-Identifier: GPL-2.0-only
/* The states of one reading, longest first, each with its share. */
#include <stdlib.h>

#include "common/element.h"
#include "common/units.h"
#include "report/report.h"

static int longest_first(const void *one, const void *other)
{
	const struct rank_row *a = one, *b = other;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->state < b->state ? -1 : a->state > b->state;
}

static void add(struct rank *rank, unsigned int state, uint64_t ns)
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
		add(rank, state.number, state.ns);
	add(rank, RANK_NOT_ALIVE, not_alive_ns);
	qsort(rank->rows, rank->count, sizeof(rank->rows[0]), longest_first);

	for (i = 0; i < rank->count; i++)
		parts[i] = rank->rows[i].ns;
	units_shares(permille, parts, rank->count);
	for (i = 0; i < rank->count; i++)
		rank->rows[i].permille = permille[i];
}
