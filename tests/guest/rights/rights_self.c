// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each target of the table in lib/rights.c may see itself and its own process, by every
 * command, however little it may do.
 */
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "command.h"
#include "listener.h"
#include "place.h"
#include "rights.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

struct sibling {
	struct thread thread;
	int end[2];
	unsigned int seen;		/* its exit */
};

static void wait_in_pipe(void *arg)
{
	struct sibling *sibling = arg;

	token_await(sibling->end[0]);
}

static void note_sibling(const struct listener_record *record, void *arg)
{
	struct sibling *sibling = arg;

	sibling->seen += !record->process && record->id == (uint32_t)sibling->thread.tid;
}

/* Return: does a listener for OWN receive the exit of a thread of its own process? */
static int receives_own(struct listener *listener, struct sibling *sibling)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;

	listener_listen(listener, &(struct listener_filter){ .own = 1 });
	token_pass(sibling->end[1]);
	while (!sibling->seen && clock_now() < end)
		listener_wait(listener, 100);
	return sibling->seen == 1;
}

/* A target asks about itself and another of its threads: bits of what is wrong. */
static int ask_itself(void *party)
{
	struct command_tasks tasks = { .count = 1 };
	struct sibling sibling = { 0 };
	struct listener listener;
	struct raw_answer answer;
	struct raw raw;
	int wrong;

	rights_become(party);
	if (pipe(sibling.end) || raw_open(&raw) ||
	    listener_try_open(&listener, note_sibling, &sibling))
		return TOKEN_LOST;
	thread_start(&sibling.thread, wait_in_pipe, &sibling);
	tasks.ids[0] = getpid();
	command_ask(&raw, &tasks);
	wrong = !!strncmp(tasks.answers[0], rights_answers('O'), COMMAND_COUNT);
	wrong |= (raw_get(&raw, TASKRT_A_TID, 0, 0, &answer) ||
		  raw_get(&raw, TASKRT_A_TGID, 0, 0, &answer)) << 1;
	wrong |= !!raw_get(&raw, TASKRT_A_TID, sibling.thread.tid, 0, &answer) << 2;
	return wrong | !receives_own(&listener, &sibling) << 3;
}

int main(void)
{
	unsigned int i;

	place_make();
	for (i = 0; i < RIGHTS_TARGETS; i++)
		tap_equal(ask_in_child(ask_itself, (void *)rights_targets[i]), 0,
			  "%s, itself: every command (1), by 0 (2), another thread (4), and that"
			  " one's exit (8)", rights_targets[i]->name);
	place_remove();
	return tap_done();
}
