/* SPDX-License-Identifier: GPL-2.0-only */
/* The states by their causes, as tables of threads have them: a column each. */
#ifndef TOOLS_COMMON_SHARE_H
#define TOOLS_COMMON_SHARE_H

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

/* The cause of a state; NR_SHARES: it is not known, so it is in no column. */
enum share share_of(unsigned int state);

/*
 * A state whose cause is the same, and that was there in the first release of all: the state
 * itself, or its parent.  Return: one that was not: nobody knows of its cause.
 */
unsigned int share_cause(unsigned int state);

#endif
