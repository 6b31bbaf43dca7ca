/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A user namespace and a pid namespace below the initial ones.  The user ASK_USER has made
 * both; inside, ASK_USER is 0 and ASK_OTHER is 1.  The user namespace owns the pid
 * namespace.
 */
#ifndef PLACE_H
#define PLACE_H

#include <sys/types.h>

/* Makes both, or ends the test.  The caller is root. */
void place_make(void);
void place_remove(void);

/* What the caller forks from now on is in the inner pid namespace, or in its own. */
void place_fork_into(int inside);
/* The caller enters the user namespace, with all its capabilities there. */
void place_enter_users(void);
/* The pid by which processes inside know this one, which is inside. */
pid_t place_inner_pid(pid_t pid);

#endif
