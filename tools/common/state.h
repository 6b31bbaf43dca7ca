/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words for each state.  A state without words, such as a state of a newer module, is shown by
 * its name and counts as its parent.
 */
#ifndef TOOLS_COMMON_STATE_H
#define TOOLS_COMMON_STATE_H

/* Groups of states by cause: each is a column in the tables of threads. */
enum share {
	SHARE_CPU,	/* running */
	SHARE_QUEUE,	/* preempted, woken */
	SHARE_LOCK,
	SHARE_FAULT,
	SHARE_IO,
	SHARE_BLOCK,
	SHARE_SLEEP,	/* asleep, stopped */
	NR_SHARES,
};

/* The group of a state; NR_SHARES: it is not known, so the state is in no column. */
enum share state_share(unsigned int state);

/*
 * The state that has words and the same cause: the state itself, or one of its parents.
 * Return: a state without words if its cause is not known.
 */
unsigned int state_cause(unsigned int state);

/* A state in a few words; a new state is described by its parent. */
#define STATE_GLOSS_MAX		26
const char *state_gloss(char text[STATE_GLOSS_MAX], unsigned int state);

/* A state as part of a sentence; NULL: it has no words. */
const char *state_phrase(unsigned int state);

#endif
