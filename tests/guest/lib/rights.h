/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of who may see which task; its rows and columns are in rights.c. */
#ifndef RIGHTS_H
#define RIGHTS_H

#include "ask.h"

/* An asker, a target, or both. */
struct party {
	const char *name;
	struct ask_who who;
	int dumpable;
	int users;		/* in the user namespace, where the ids are 0 and 1 */
};

#define RIGHTS_TARGETS	10
#define RIGHTS_ASKERS	9

/*
 * A cell has two letters.  The first one is the right to read: O one's own user's, C by a
 * capability, N none, - the task is not visible.  The second one is about a listener for
 * everybody: + it receives the exit, . it does not, P it may not register.
 */
struct rights_row {
	const struct party *asker;
	const char *cells[RIGHTS_TARGETS];
};

extern const struct party *const rights_targets[RIGHTS_TARGETS];

/* Asked from the same pid namespace, or from the one above that of the targets. */
extern const struct rights_row rights_outside[RIGHTS_ASKERS];
/* Both are in the inner pid namespace of place.h. */
extern const struct rights_row rights_inside[RIGHTS_ASKERS];
/* Asked from the inner one; the targets are in the outer one. */
extern const struct rights_row rights_upwards[RIGHTS_ASKERS];

/*
 * What each command answers who has this right, in the order of command.h, and whether a
 * listener for OWN receives the exit.
 */
const char *rights_answers(char right);

/* Turns the caller into this; see place.h for those in the user namespace. */
void rights_become(const struct party *party);

#endif
