// SPDX-License-Identifier: GPL-2.0-only
/* The words for each state. */
#include <stdio.h>
#include <taskrt.h>

#include "common/names.h"
#include "common/state.h"

static const struct words {
	enum share share;
	const char *gloss;	/* in a table; NULL: the state has no words */
	const char *phrase;	/* in a sentence, after a time */
} states[TASKRT_STATES_ROOM] = {
	[TASKRT_STATE_RUNNING] = { SHARE_CPU, "on a CPU", "on a CPU, computing" },
	[TASKRT_STATE_PREEMPTED] = { SHARE_QUEUE, "waiting for a CPU again", "preempted" },
	[TASKRT_STATE_WOKEN] = { SHARE_QUEUE, "woken, waiting for a CPU",
		"woken and waiting for a CPU" },
	[TASKRT_STATE_BLOCKED_LOCK] = { SHARE_LOCK, "waiting for a kernel lock",
		"blocked on a kernel lock" },
	[TASKRT_STATE_BLOCKED_FAULT] = { SHARE_FAULT, "waiting for a page",
		"blocked in a page fault" },
	[TASKRT_STATE_BLOCKED_IO] = { SHARE_IO, "waiting for I/O", "blocked for I/O" },
	[TASKRT_STATE_BLOCKED_OTHER] = { SHARE_BLOCK, "uninterruptible",
		"blocked in the kernel, uninterruptibly" },
	[TASKRT_STATE_SLEEPING_FUTEX] = { SHARE_SLEEP, "futex: lock, condition",
		"asleep in futex(2), for a lock or a condition" },
	[TASKRT_STATE_SLEEPING_POLL] = { SHARE_SLEEP, "poll, select, epoll",
		"asleep in poll(2), select(2) or epoll_wait(2)" },
	[TASKRT_STATE_SLEEPING_TIMER] = { SHARE_SLEEP, "nanosleep", "asleep in nanosleep(2)" },
	[TASKRT_STATE_SLEEPING] = { SHARE_SLEEP, "any other sleep", "asleep" },
	[TASKRT_STATE_STOPPED] = { SHARE_SLEEP, "stopped or traced", "stopped or traced" },
	[TASKRT_STATE_THROTTLED] = { SHARE_QUEUE, "its CPU time is used up",
		"throttled, because its CPU time was used up" },
	[TASKRT_STATE_SLEEPING_FILE] = { SHARE_SLEEP, "calls on files, paths",
		"asleep in read(2), write(2) or another call on a file" },
	[TASKRT_STATE_SLEEPING_SOCKET] = { SHARE_SLEEP, "recv, send, accept",
		"asleep in recv(2), send(2), accept(2) or connect(2)" },
	[TASKRT_STATE_SLEEPING_WAIT] = { SHARE_SLEEP, "wait for a child", "asleep in wait(2)" },
	[TASKRT_STATE_SLEEPING_PAUSE] = { SHARE_SLEEP, "pause, sigwait",
		"asleep, waiting for a signal" },
	[TASKRT_STATE_YIELDED] = { SHARE_QUEUE, "gave its CPU away",
		"waiting for a CPU that it gave away in sched_yield(2)" },
};

static const struct words *words_of(unsigned int state)
{
	return state < TASKRT_STATES_ROOM && states[state].gloss ? &states[state] : NULL;
}

unsigned int state_cause(unsigned int state)
{
	unsigned int steps;

	/* A parent has a lower number than its children; the limit ends a loop if it has not. */
	for (steps = 0; !words_of(state) && steps < TASKRT_STATES_ROOM; steps++) {
		unsigned int parent = names_parent(state);

		if (parent >= state)
			break;
		state = parent;
	}
	return state;
}

enum share state_share(unsigned int state)
{
	const struct words *words = words_of(state_cause(state));

	return words ? words->share : NR_SHARES;
}

const char *state_gloss(char text[STATE_GLOSS_MAX], unsigned int state)
{
	const struct words *words = words_of(state);
	unsigned int parent;

	if (words)
		return words->gloss;
	parent = names_parent(state);
	if (parent == state)
		return "";
	snprintf(text, STATE_GLOSS_MAX, "a kind of %s", names_state(parent));
	return text;
}

const char *state_phrase(unsigned int state)
{
	const struct words *words = words_of(state);

	return words ? words->phrase : NULL;
}
