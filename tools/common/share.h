/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of states by cause, each of which is a column in the tables of threads. */
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

/* The group of a state; NR_SHARES: it is not known, so the state is in no column. */
enum share share_of(unsigned int state);

/*
 * The state of the first release that has the same cause: the state itself, or one of its
 * parents.  Return: a newer state if its cause is not known.
 */
unsigned int share_cause(unsigned int state);

#endif
