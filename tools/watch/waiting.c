// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "common/clock.h"
#include "common/element.h"
#include "common/error.h"
#include "common/names.h"
#include "common/state.h"
#include "common/units.h"
#include "watch/waiting.h"

/* A shorter wait is over, and raises its alert, soon enough. */
#define LEAST	(1000 * CLOCK_MS)

static uint64_t in_others(const struct taskrt_reading *reading, uint32_t state)
{
	uint64_t ns = 0;
	uint32_t i;

	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		if (i != state)
			ns += reading->times.states_ns[i];
	return ns;
}

/* The start of the wait; if it is not the longest so far, when it was first seen. */
static uint64_t started(const struct taskrt_reading *reading, uint32_t state)
{
	const struct taskrt_longest *longest = &reading->longests.states[state];
	uint64_t now_ns = reading->stats.sample_time_ns;

	return longest->ns && longest->at_ns + longest->ns == now_ns ? longest->at_ns : now_ns;
}

int waiting_read(struct waiting *waiting, const struct taskrt_reading *reading,
		 const struct taskrt_recorder_options *options)
{
	uint64_t least = options->alert_over_ns > LEAST ? options->alert_over_ns : LEAST;
	uint32_t states = options->states ? options->states : TASKRT_ALERT_STATES;
	uint32_t state = reading->stats.state;
	uint64_t others_ns;

	if (!options->alert_over_ns || state >= TASKRT_STATES_ROOM ||
	    state == TASKRT_STATE_RUNNING || !names_state_is_among(state, states)) {
		*waiting = (struct waiting){ 0 };
		return 0;
	}
	others_ns = in_others(reading, state);
	/* Between two waits the thread would have run. */
	if (waiting->state != state || waiting->others_ns != others_ns)
		*waiting = (struct waiting){
			.state = state,
			.others_ns = others_ns,
			.since_ns = started(reading, state),
			.next_ns = least,
		};
	waiting->now_ns = reading->stats.sample_time_ns;
	if (waiting->now_ns - waiting->since_ns < waiting->next_ns)
		return 0;
	waiting->next_ns = 2 * (waiting->now_ns - waiting->since_ns);
	return 1;
}

const char *waiting_text(char text[WAITING_MAX], const struct waiting *waiting, pid_t tgid,
			 pid_t tid)
{
	const char *phrase = state_phrase(state_cause(waiting->state)), *holder = NULL;
	char time[UNITS_MAX], person[PERSON_MAX];

	if (state_cause(waiting->state) == TASKRT_STATE_SLEEPING_FUTEX)
		holder = holder_of_futex(person, tgid, tid);
	snprintf(text, WAITING_MAX, "still waiting, %s %s%s%s%s",
		 units_time(time, waiting->now_ns - waiting->since_ns), phrase ? "" : "in ",
		 phrase ? phrase : names_state(waiting->state), holder ? ", held by " : "",
		 holder ? holder : "");
	return text;
}

/* A state counts as its parent. */
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

void waiting_say_longest(struct taskrt *handle, pid_t process, uint32_t states)
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
