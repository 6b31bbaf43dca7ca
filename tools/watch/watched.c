// SPDX-License-Identifier: GPL-2.0-only
/* What was watched of a command, and the longest wait in it. */
#include "common/element.h"
#include "common/error.h"
#include "common/names.h"
#include "common/state.h"
#include "common/units.h"
#include "watch/view.h"

/* A state counts as the one that it is a kind of. */
static int counts(unsigned int state, uint32_t states)
{
	const enum share share = state_share(state);

	return states ? names_state_is_among(state, states) :
	       share >= SHARE_QUEUE && share <= SHARE_BLOCK;
}

static struct element longest_wait(const struct taskrt_reading *reading, uint32_t states)
{
	struct element longest = { 0 }, state;

	for_each_element(&state, reading, TASKRT_NAME_STATE)
		if (state.peaked && counts(state.number, states) &&
		    state.longest.ns > longest.longest.ns)
			longest = state;
	return longest;
}

void watched_say(struct taskrt *handle, pid_t process, uint32_t states)
{
	struct taskrt_reading reading;
	struct element longest;
	uint64_t threads;
	const char *words;
	char time[UNITS_MAX];

	if (taskrt_get(handle, TASKRT_ENTITY_PROCESS, (uint64_t)process, TASKRT_GROUP_LONGEST,
		       &reading, sizeof(reading)))
		return;
	longest = longest_wait(&reading, states);
	threads = reading.stats.threads + reading.stats.threads_gone;
	if (!longest.longest.ns) {
		error_warn("%.16s (%d) was watched, %llu thread%s: it did not wait",
			   reading.stats.comm, process, (unsigned long long)threads,
			   units_plural(threads, "s"));
		return;
	}
	words = state_phrase(longest.number);
	error_warn("%.16s (%d) was watched, %llu thread%s: its longest wait was %s, %s",
		   reading.stats.comm, process, (unsigned long long)threads,
		   units_plural(threads, "s"), units_time(time, longest.longest.ns),
		   words ? words : longest.name);
}
