// SPDX-License-Identifier: GPL-2.0-only
/* The states of one snapshot, longest first, each with its share. */
#include <stdlib.h>

#include "rank.h"
#include "units.h"

int rank_measured(const struct taskrt_stats *stats, unsigned int state)
{
	uint64_t needed = TASKRT_VALID_STATES;

	if (state == TASKRT_STATE_BLOCKED_FAULT)
		needed |= TASKRT_VALID_PAGE_FAULT_TIME;
	if (state == TASKRT_STATE_BLOCKED_LOCK)
		needed |= TASKRT_VALID_LOCK_TIME;
	return taskrt_has(stats, needed);
}

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

void rank_states(struct rank *rank, const struct taskrt_stats *stats, uint64_t not_alive_ns)
{
	uint64_t parts[TASKRT_NR_STATES + 1];
	unsigned int permille[TASKRT_NR_STATES + 1], state;
	size_t i;

	rank->count = 0;
	rank->total_ns = 0;
	for (state = 0; state < TASKRT_NR_STATES; state++)
		if (rank_measured(stats, state))
			add(rank, state, stats->states_ns[state]);
	add(rank, RANK_NOT_ALIVE, not_alive_ns);
	qsort(rank->rows, rank->count, sizeof(rank->rows[0]), longest_first);

	for (i = 0; i < rank->count; i++)
		parts[i] = rank->rows[i].ns;
	units_shares(permille, parts, rank->count);
	for (i = 0; i < rank->count; i++)
		rank->rows[i].permille = permille[i];
}
